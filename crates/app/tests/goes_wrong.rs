//! A model that goes wrong is a finding in every command that meets it: exit code 1, with the code of the mistake.

use std::path::{Path, PathBuf};
use std::process::Command;

const INIT: &str = "system W  var d: 0..3 = 0  var x: 0..9 = 4 / d
    input up requires x < 3 { x += 1 }
    output ring requires x == 3 { x = 0 }
    observer rings possible { start S  at S { on ring -> good } }
    property small: never (x > 5)
    goal two: x == 2
    scenario one { up }";

const RULE: &str = "system W  var d: 0..3 = 0  var x: 0..9 = 0
    input up requires x < 3 { x += 1 }
    input bad requires x == 0 { x = 4 / d }
    output ring requires x == 3 { x = 0 }
    observer rings possible { start S  at S { on ring -> good } }
    property small: never (x > 5)
    goal nine: x == 9
    scenario one { bad }";

const PROPERTY: &str = "system W  var o: Option<0..3> = none  var x: 0..9 = 0
    input up requires x < 3 { x += 1 }
    output ring requires x == 3 { x = 0 }
    property small: never (o.get == 2)";

const GOAL: &str = "system W  var o: Option<0..3> = none  var x: 0..9 = 0
    input up requires x < 3 { x += 1 }
    output ring requires x == 3 { x = 0 }
    goal nine: x == 2 and o.get == 2
    goal later: x == 3 after o.get == 2
    scenario one { up  expect o.get == 2 }";

/// It goes wrong without asking the state.
const CONSTANT: &str = "system W  var x: 0..9 = 0
    input up requires x < 3 { x += 1 }
    property small: always (x < 5 and [1].rest.first == 1)";

/// One run of the observer ends in `bad`, and another one goes wrong.
const OBSERVER: &str = "system W  input go { }
    observer quiet never { var m: 0..3  start S  at S { on go when m < 2  on silence -> bad } }";

fn place() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn write(name: &str, text: &str) -> PathBuf {
    let path = place().join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

/// Every command finds the mistake with this code.
fn all_find(name: &str, text: &str, code: &str, commands: &[&str]) {
    let file = write(name, text).display().to_string();
    let log =
        write("goes_wrong.jsonl", "{\"action\": \"up\", \"state\": {\"o\": null, \"x\": 1}}\n").display().to_string();
    for command in commands {
        let words = command.split(' ').map(|word| word.replace("FILE", &file).replace("LOG", &log));
        let output =
            Command::new(env!("CARGO_BIN_EXE_interplay")).args(words).current_dir(place()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {command}\n{said}");
        assert!(said.contains(code), "{name}: {command} does not say {code}\n{said}");
    }
}

#[test]
fn where_it_starts() {
    let commands = [
        "explore FILE",
        "scenario find FILE --all --timeout 5s",
        "scenario find FILE --all --method search",
        "scenario find FILE --all --method solve",
        "scenario generalise FILE two --timeout 5s",
        "scenario run FILE",
        "scenario coverage FILE --timeout 5s",
        "simulate FILE --random --seed 1",
        "simulate FILE --scenario one",
        "suite FILE --timeout 2s",
        "test-case FILE --target satisfy",
        "complete-inputs FILE --advice",
        "run FILE",
        "test FILE --systematic --depth 3",
        "test FILE --mutants --runs 1",
    ];
    all_find("wrong_init.play", INIT, "M003", &commands);
}

#[test]
fn in_a_rule() {
    let commands = [
        "explore FILE",
        "verify FILE --engine explicit",
        "verify FILE --timeout 5s",
        "scenario find FILE --all --timeout 5s",
        "scenario find FILE --all --method search",
        "scenario find FILE --all --method explore",
        "scenario generalise FILE nine --timeout 5s",
        "scenario run FILE",
        "scenario coverage FILE --timeout 5s",
        "simulate FILE --random --seed 1",
        "simulate FILE --scenario one",
        "suite FILE --timeout 2s",
        "test-case FILE --target satisfy",
        "complete-inputs FILE --advice",
        "test FILE --systematic --depth 3",
        "test FILE --mutants --runs 1",
    ];
    all_find("wrong_rule.play", RULE, "M003", &commands);
}

#[test]
fn in_an_observer() {
    let commands = ["explore FILE --continue", "verify FILE --engine explicit", "verify FILE --timeout 5s"];
    all_find("wrong_observer.play", OBSERVER, "M001", &commands);
}

#[test]
fn in_a_property() {
    let commands = ["explore FILE", "test FILE --systematic --depth 3 --all-properties", "monitor FILE LOG"];
    all_find("wrong_property.play", PROPERTY, "M008", &commands);
    all_find(
        "wrong_constant.play",
        CONSTANT,
        "M008",
        &["explore FILE", "verify FILE", "verify FILE --engine explicit"],
    );
}

#[test]
fn in_a_goal() {
    let commands = [
        "scenario find FILE nine --timeout 5s",
        "scenario find FILE nine --method search",
        "scenario find FILE nine --method explore",
        "scenario find FILE later --method explore",
        "scenario find FILE later --method search",
        "scenario generalise FILE nine --timeout 5s",
        "scenario run FILE",
        "simulate FILE --scenario one",
    ];
    all_find("wrong_goal.play", GOAL, "M008", &commands);
}
