//! Exported suites run against real implementations, in the languages that they were written for: the good ones pass, and a
//! faulty one does not.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// Writes a suite of an example.
fn write(specification: &Path, setup: &str, language: &str, sut: &str, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    command.arg("suite").arg(specification).args(["--setup", setup, "--language", language, "--sut", sut]);
    let output = command.arg("--out").arg(out).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(program: &str, args: &[&str], file: &Path, sut: &str) -> Output {
    let mut command = Command::new(program);
    command.args(args).arg(file).env("SUT", sut).env("WAIT", "10").env("INTERPLAY", root());
    command.output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// A lamp with a dimmer, as it should be; the specification is that of the tutorial.
const LAMP: &str = r#"
import os, sys
sys.path.insert(0, os.path.join(os.environ["INTERPLAY"], "sdk", "python"))
from interplay import System, input, serve

class Lamp(System):
    outputs = ["shines(how)", "dark"]

    def __init__(self):
        self.level, self.asleep = 0, False

    def show(self):
        self.emit("shines", how=self.level) if self.level else self.emit("dark")

    @input
    def press(self):
        self.level, self.asleep = (self.level + 1) % 3, self.asleep and self.level == 2
        self.show()

    @input
    def timer(self):
        self.level, self.asleep = 0 if self.asleep else 1, True
        self.show()

serve(Lamp)
"#;

#[test]
fn a_suite_of_reactions_passes_on_a_good_lamp_and_fails_on_one_that_is_never_dark() {
    let folder = std::env::temp_dir().join(format!("interplay-reactions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let made = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the folder is ours");
        format!("python3 {}", path.display())
    };
    let good = made("good.py", LAMP);
    let faulty = made("faulty.py", &LAMP.replace("% 3, self", "% 3 or 2, self"));
    let twice = made(
        "twice.py",
        &LAMP.replace("        self.show()\n\n    @input", "        self.show(), self.show()\n\n    @input"),
    );
    let lamp = folder.join("lamp.play");
    let specification = root().join("docs/tutorial/scenarios.in/lamp.play");
    let text = std::fs::read_to_string(specification).expect("it is there") + "\nsetup any {}\n";
    std::fs::write(&lamp, text).expect("the folder is ours");
    for (language, program, args) in [("python", "python3", &[][..]), ("javascript", "node", &["--test"])] {
        let file = folder.join(if language == "python" { "test_suite.py" } else { "suite.test.mjs" });
        write(&lamp, "any", language, &good, &file);
        let passed = run(program, args, &file, &good);
        assert!(passed.status.success(), "{language}: {}", said(&passed));
        for wrong in [&faulty, &twice] {
            let failed = run(program, args, &file, wrong);
            assert_eq!(failed.status.code(), Some(1), "{language}: {}", said(&failed));
            assert!(said(&failed).contains("is not allowed"), "{}", said(&failed));
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

/// Which of the numbers is given back is left open, but for one.
const TICKETS: &str = "system Tickets
type Number = 1..3
input draw -> Number ensures result != 2 {}
setup any {}
";

/// Adapters of the tickets, each of which gives a certain number.
fn giving(folder: &Path, number: u32) -> String {
    let rest =
        format!("class Tickets(System):\n    @input\n    def draw(self):\n        return {number}\n\nserve(Tickets)\n");
    let (imports, _) = LAMP.split_once("class Lamp").expect("it is there");
    let file = folder.join(format!("gives_{number}.py"));
    std::fs::write(&file, imports.to_string() + &rest).expect("the folder is ours");
    format!("python3 {}", file.display())
}

/// What the test expects lets it pass, another number that is right leaves it, and a wrong one does not.
#[test]
fn a_suite_is_left_by_another_result_that_is_allowed() {
    let folder = std::env::temp_dir().join(format!("interplay-results-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let specification = folder.join("tickets.play");
    std::fs::write(&specification, TICKETS).expect("the folder is ours");
    let giving = |number| giving(&folder, number);
    for (language, program, args) in [("python", "python3", &[][..]), ("javascript", "node", &["--test"])] {
        let file = folder.join(if language == "python" { "test_suite.py" } else { "suite.test.mjs" });
        write(&specification, "any", language, &giving(1), &file);
        let outputs = [1, 3, 2].map(|number| run(program, args, &file, &giving(number)));
        let codes = outputs.each_ref().map(|output| output.status.code());
        assert_eq!(codes, [Some(0), Some(0), Some(1)], "{language}: {}", outputs.each_ref().map(said).join("\n"));
        assert!(
            !said(&outputs[0]).contains("open ") && !said(&outputs[0]).contains("skipped 1"),
            "{}",
            said(&outputs[0])
        );
        assert!(
            said(&outputs[1]).contains("open ") || said(&outputs[1]).contains("skipped 1"),
            "{}",
            said(&outputs[1])
        );
        assert!(said(&outputs[2]).contains("must not give 2"), "{}", said(&outputs[2]));
    }
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

/// A package as a user would have it, with a test file for each suite; the good ones pass, and a faulty one does not.
#[test]
fn suites_in_rust_are_tests_of_a_package() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites-in-rust");
    let _ = std::fs::remove_dir_all(folder.join("tests"));
    for inside in ["src", "tests"] {
        std::fs::create_dir_all(folder.join(inside)).expect("a folder can be made");
    }
    let sdk = root().join("sdk/rust");
    let manifest = format!(
        "[package]\nname = \"suites\"\nedition = \"2024\"\n\n[dependencies]\ninterplay-sdk = {{ path = {sdk:?} }}\n\n[workspace]\n"
    );
    let specification = folder.join("tickets.play");
    for (name, text) in [("Cargo.toml", manifest.as_str()), ("src/lib.rs", ""), ("tickets.play", TICKETS)] {
        std::fs::write(folder.join(name), text).expect("the folder is ours");
    }
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the versions are those of the workspace");
    let countdown = format!("python3 {}", root().join("docs/how-to/test-suites.in/countdown.py").display());
    let examples = root().join("examples");
    let sender = examples.join("brp/good/run").display().to_string();
    let suite = |name: &str| folder.join(format!("tests/{name}.rs"));
    write(&examples.join("countdown/countdown.play"), "paper", "rust", &countdown, &suite("countdown"));
    write(&examples.join("brp/brp.play"), "two_chunks", "rust", &sender, &suite("sender"));
    write(&specification, "any", "rust", &giving(&folder, 1), &suite("tickets"));
    let test = |name: &str, sut: Option<String>| {
        let mut command = Command::new(env!("CARGO"));
        // The programs of the examples are in the target folder of the workspace.
        command.args(["test", "--offline", "--quiet", "--target-dir"]).arg(folder.join("target"));
        command.args(["--test", name, "--", "--nocapture"]).current_dir(&folder);
        command.env("WAIT", "10").env("INTERPLAY", root());
        command.envs(sut.map(|sut| ("SUT", sut)));
        command.output().expect("cargo runs")
    };
    for name in ["countdown", "sender"] {
        let output = test(name, None);
        assert!(output.status.success(), "{name}: {}", said(&output));
    }
    let wrong = test("sender", Some(countdown.clone()));
    assert!(!wrong.status.success(), "the countdown is no sender: {}", said(&wrong));
    let [right, other, wrong] = [1, 3, 2].map(|number| test("tickets", Some(giving(&folder, number))));
    assert!(right.status.success() && other.status.success(), "{}{}", said(&right), said(&other));
    assert!(!wrong.status.success() && said(&wrong).contains("must not give 2"), "{}", said(&wrong));
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn exported_suites_pass_on_good_implementations_and_fail_on_a_faulty_one() {
    let examples = root().join("examples");
    let folder = std::env::temp_dir().join(format!("interplay-suites-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let countdown = format!("python3 {}", root().join("docs/how-to/test-suites.in/countdown.py").display());
    let brp = examples.join("brp/good/run").display().to_string();
    let chat = examples.join("chat/good-python/run").display().to_string();
    let elevator = examples.join("elevator/good-python/run").display().to_string();
    let cases = [
        ("countdown/countdown.play", "paper", countdown.as_str()),
        ("brp/brp.play", "two_chunks", &brp),
        ("chat/chat.play", "two_clients", &chat),
        ("elevator/elevator.play", "building", &elevator),
    ];
    for (specification, setup, sut) in cases {
        for (language, program, args) in [("python", "python3", &[][..]), ("javascript", "node", &["--test"])] {
            let file = folder.join(if language == "python" { "test_suite.py" } else { "suite.test.mjs" });
            write(&examples.join(specification), setup, language, sut, &file);
            let output = run(program, args, &file, sut);
            assert!(output.status.success(), "{specification} in {language}: {}", said(&output));
        }
    }
    // The countdown is no sender.
    let file = folder.join("test_wrong.py");
    write(&examples.join("brp/brp.play"), "two_chunks", "python", &countdown, &file);
    assert_eq!(run("python3", &[], &file, &countdown).status.code(), Some(1));
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
