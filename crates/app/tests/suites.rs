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
