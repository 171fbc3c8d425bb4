//! The adapters that `new` writes run and speak the protocol.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder can be made");
    path
}

/// Scaffolds a project, starts its adapter, and returns what it says to these lines.
fn converse(language: &str, program: &str, adapter: &str, lines: &[&str]) -> Vec<serde_json::Value> {
    let place = folder(&format!("adapter-{language}"));
    let made = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(["new", "lock", "--language", language])
        .current_dir(&place)
        .output()
        .expect("interplay runs");
    assert!(made.status.success(), "{made:?}");
    let mut child = Command::new(program)
        .arg(place.join("lock").join(adapter))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter starts");
    let input = lines.join("\n") + "\n";
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("the adapter reads");
    let output = child.wait_with_output().expect("the adapter ends");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    said.lines().map(|line| serde_json::from_str(line).expect("one line is one message")).collect()
}

const LINES: [&str; 8] = [
    r#"{"type":"configure","seed":1}"#,
    r#"{"type":"reset","id":1}"#,
    r#"{"type":"input","id":2,"action":"enter","args":{"code":1},"news":true}"#,
    r#"{"type":"input","id":3,"action":"shut","args":{}}"#,
    r#"{"type":"gossip"}"#,
    r#"{"type":"input","id":4,"action":"enter","args":{"code":1234}}"#,
    r#"{"type":"input","id":5,"action":"fly","args":{}}"#,
    r#"{"type":"bye"}"#,
];

fn speaks_the_protocol(said: &[serde_json::Value]) {
    let kinds: Vec<&str> = said.iter().filter_map(|message| message["type"].as_str()).collect();
    assert_eq!(kinds, ["hello", "ready", "accepted", "output", "refused", "accepted", "output", "refused"]);
    assert_eq!(said[0]["protocol"], 1);
    assert_eq!(said[0]["actions"][0]["name"], "enter");
    assert_eq!(said[1]["id"], 1);
    assert_eq!(said[3]["action"], "refused");
    assert_eq!(said[4]["id"], 3);
    assert_eq!(said[6]["action"], "opened");
    assert!(said[7]["reason"].is_string());
}

#[test]
fn the_python_adapter_runs() {
    speaks_the_protocol(&converse("python", "python3", "adapter/adapter.py", &LINES));
}

#[test]
fn the_javascript_adapter_runs() {
    speaks_the_protocol(&converse("javascript", "node", "adapter/adapter.mjs", &LINES));
}

fn interplay(words: &[&str], place: &Path) -> (Option<i32>, String) {
    let program = Command::new(env!("CARGO_BIN_EXE_interplay")).args(words).current_dir(place).output();
    let output = program.expect("interplay runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Specifications of the examples, with how many of them there are.
fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("it is there");
    let names =
        ["aps/aps", "bag/bag", "brp/brp", "chat/chat", "countdown/countdown", "daisy/daisy", "elevator/elevator"];
    let more = ["redis/redis", "telephone/telephone", "teller/teller", "travel/travel"];
    names.iter().chain(&more).map(|name| folder.join(format!("{name}.play"))).collect()
}

/// As far as the protocol goes: every input is refused until somebody connects it, which a test tells at once.
#[test]
fn adapters_of_a_specification_keep_to_the_protocol() {
    let place = folder("adapter-from");
    for (language, program) in [("python", "python3"), ("javascript", "node")] {
        let file = if language == "python" { "adapter.py" } else { "adapter.mjs" };
        for example in examples() {
            let name = example.file_stem().expect("it is a file").to_string_lossy().into_owned();
            let (made, specification) = (format!("{language}-{name}"), example.display().to_string());
            let wrote = interplay(&["new", &made, "--from", &specification, "--language", language], &place);
            assert_eq!(wrote.0, Some(0), "{name} in {language}");
            let adapter = format!("{program} {made}/{file}");
            let checked = interplay(&["adapter", "check", &adapter, "--spec", &specification], &place);
            assert_eq!(checked.0, Some(0), "{name} in {language}: {}", checked.1);
        }
    }
    let chat = examples()[3].display().to_string();
    let tested = interplay(&["test", &chat, "--sut", "python3 python-chat/adapter.py", "--no-store"], &place);
    assert_eq!(tested.0, Some(1), "{}", tested.1);
    assert!(tested.1.contains("`create` is not connected yet"), "{}", tested.1);
}

/// Names that a language or its kit needs itself stay what the specification says on the wire.
#[test]
fn adapters_give_awkward_names_a_spelling_of_their_own() {
    let place = folder("adapter-awkward");
    let text = "system Awkward\nvar n: 0..3 = 0\n\
                input close(class: 0..1, from: 0..1) { n = class }\ninput step { n = 0 }\ninput constructor { n = 1 }\n\
                input `emit`(this: Bool) { n = 2 }\noutput `start-now`(`in`: 0..3) requires n == `in` { n = 0 }\n";
    std::fs::write(place.join("awkward.play"), text).expect("the folder is ours");
    for (language, adapter) in [("python", "python3 python/adapter.py"), ("javascript", "node javascript/adapter.mjs")]
    {
        let wrote = interplay(&["new", language, "--from", "awkward.play", "--language", language], &place);
        assert_eq!(wrote.0, Some(0), "{language}");
        let checked = interplay(&["adapter", "check", adapter, "--spec", "awkward.play"], &place);
        assert_eq!(checked.0, Some(0), "{language}: {}", checked.1);
    }
    std::fs::write(place.join("bad.play"), "system Bad\ninput `go-on`\n").expect("the folder is ours");
    assert_eq!(interplay(&["new", "bad", "--from", "bad.play"], &place).0, Some(2));
    std::fs::write(place.join("mistake.play"), "system Bad\nvar n: Nowhere\n").expect("the folder is ours");
    assert_eq!(interplay(&["new", "bad", "--from", "mistake.play"], &place).0, Some(2));
    assert!(!place.join("bad").exists(), "nothing is written for a specification with a mistake");
}

/// The package compiles as it is written, and its adapter speaks.
#[test]
fn the_rust_adapter_of_a_specification_compiles_and_speaks() {
    let place = folder("adapter-from-rust");
    let chat = examples()[3].display().to_string();
    let wrote = interplay(&["new", "chat", "--from", &chat, "--language", "rust"], &place);
    assert_eq!(wrote.0, Some(0));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    std::fs::copy(lock, place.join("chat/Cargo.lock")).expect("the versions are those of the workspace");
    let built =
        Command::new(env!("CARGO")).args(["build", "--offline", "--quiet"]).current_dir(place.join("chat")).output();
    let built = built.expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(built.stderr.is_empty(), "no warnings: {}", String::from_utf8_lossy(&built.stderr));
    let checked = interplay(&["adapter", "check", "chat/target/debug/adapter", "--spec", &chat], &place);
    assert_eq!(checked.0, Some(0), "{}", checked.1);
}
