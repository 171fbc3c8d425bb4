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
        .args(["new", "lock", "--sut", language])
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
