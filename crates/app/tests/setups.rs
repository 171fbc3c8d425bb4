//! One rule for a missing `--setup` in every command: the only one is used; of several none is; `none` declines the only one.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const TWO: &str = "system Counter  const most: 0..9 = 9  var n: 0..9 = 0
    input up requires n < most { n = n + 1 }
    output full requires n == most { n = 0 }
    observer done possible { start S  at S { on full -> good } }
    property small: never (n > 9)
    goal top: n == most
    scenario one { up }
    setup first { const most = 2 }";

fn write(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

fn json(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay")).args(arguments).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {said}\n{output:?}"))
}

/// Every command that takes a setup and says in JSON which one it used.
fn commands(file: &str) -> Vec<Vec<String>> {
    let command = |words: &str| words.split(' ').map(|word| word.replace("FILE", file)).collect();
    [
        "explore FILE",
        "verify FILE --engine explicit",
        "suite FILE",
        "test-case FILE --target satisfy",
        "simulate FILE --random --steps 2 --seed 1",
        "scenario run FILE",
        "scenario coverage FILE",
        "export FILE --format vmt --out OUT",
        "test FILE --sut model:FILE --runs 1 --seed 1",
        "test FILE --mutants --runs 1 --seed 1",
        "test FILE --target satisfy --sut model:FILE --seed 1",
    ]
    .map(command)
    .to_vec()
}

fn used(file: &Path, more: &[&str]) -> Vec<(String, Value)> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("setups.vmt").display().to_string();
    let mut found = Vec::new();
    for command in commands(&file.display().to_string()) {
        let words: Vec<&str> = command.iter().map(|word| if word == "OUT" { &out } else { word.as_str() }).collect();
        let told = json(&[&words[..], more, &["--json"]].concat());
        found.push((command[..2].join(" "), told["setup"].clone()));
    }
    found
}

#[test]
fn the_only_setup_is_used_by_every_command() {
    let file = write("one_setup.play", TWO);
    for (command, setup) in used(&file, &[]) {
        assert_eq!(setup, "first", "{command}");
    }
    let found = json(&["scenario", "find", &file.display().to_string(), "top", "--json"]);
    assert_eq!(found["goals"][0]["setups"], serde_json::json!(["first"]));
    assert_eq!(found["goals"][0]["events"], 2);
}

#[test]
fn of_several_setups_none_is_used() {
    let file = write("several_setups.play", &format!("{TWO}  setup second {{ const most = 7 }}"));
    for (command, setup) in used(&file, &[]) {
        assert_eq!(setup, Value::Null, "{command}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_interplay")).arg("verify").arg(&file).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("using no setup (`--setup NAME` chooses one of 2)"), "{said}");
}

#[test]
fn none_declines_the_only_setup() {
    let file = write("declined_setup.play", TWO);
    for (command, setup) in used(&file, &["--setup", "none"]) {
        assert_eq!(setup, Value::Null, "{command}");
    }
}

#[test]
fn a_setup_that_is_called_none_wins() {
    let file = write("named_none.play", &TWO.replace("setup first", "setup `none`"));
    for (command, setup) in used(&file, &["--setup", "none"]) {
        assert_eq!(setup, "none", "{command}");
    }
}
