//! `check_adapter` finds what is wrong with an adapter, and nothing wrong with a good one.

use crate::common::*;
use interplay_adapter::{Address, Checked, Outcome, check_adapter};
use interplay_semantics::Instance;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

fn check(words: &[&str], specification: Option<&str>, limit: Duration) -> Checked {
    let address = Address::Command(words.iter().map(|word| word.to_string()).collect());
    let instance = specification.map(|text| {
        let model = model(text);
        let setup = (!model.setups.is_empty()).then_some(interplay_model::SetupId(0));
        Instance::new(model, setup).expect("the text is right")
    });
    check_adapter(&address, instance.as_ref(), limit)
}

/// The problems, one line each.
fn problems(checked: &Checked) -> Vec<String> {
    let wrong = checked.checks.iter().filter_map(|check| match &check.outcome {
        Outcome::Wrong { problem, help } => Some(format!("{}: {problem}; {help}", check.name)),
        Outcome::Good(_) => None,
    });
    wrong.collect()
}

#[track_caller]
fn finds(script: &str, name: &str, part: &str) {
    let checked = check(&["sh", "-c", script], None, Duration::from_millis(300));
    let problems = problems(&checked);
    assert!(problems.iter().any(|each| each.starts_with(name) && each.contains(part)), "{checked:#?}");
}

fn file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string()
}

#[test]
fn adapters_made_with_the_kits_are_good() {
    let python = check(&["python3", &file("tests/door/door.py")], Some(DOOR), LIMIT);
    let names = problems(&python);
    assert!(
        names.iter().all(|each| each.contains("`configured`")),
        "the door can do more than its specification: {names:?}"
    );
    let javascript = check(&["node", &file("tests/door/door.mjs")], None, LIMIT);
    assert_eq!(problems(&javascript), Vec::<String>::new());
    assert!(javascript.checks.len() >= 9, "{javascript:#?}");
}

#[test]
fn a_synchronous_adapter_is_walked_through_its_specification() {
    let lamp = "system Lamp synchronous  input press, level(x: 0..3)  output shine(x: Int), dark
        setup small { domain Int = 0..3 }";
    let checked = check(&["python3", &file("tests/door/lamp.py")], Some(lamp), LIMIT);
    assert_eq!(problems(&checked), Vec::<String>::new());
    assert!(checked.checks.iter().any(|check| check.name == "specification"));
}

#[test]
fn an_adapter_that_ignores_reset_is_found() {
    let counter = "system Counter  var total: Int = 0  var told: Bool = true
        input add requires told { total = total + 1  told = false }
        output sum(n: Int) requires not told and n == total { told = true }";
    let checked = check(&["python3", &file("tests/door/forgetful.py")], Some(counter), LIMIT);
    let problems = problems(&checked);
    assert!(problems.iter().any(|each| each.starts_with("reset forgets")), "{checked:#?}");
}

#[test]
fn what_is_wrong_is_told_with_what_to_do() {
    const HELLO: &str = r#"echo '{"type":"hello","name":"x","protocol":1}'"#;
    finds("exit 1", "hello", "exit code 1");
    finds("sleep 1000", "hello", "say `hello` first");
    finds(r#"echo '{"type":"hello","protocol":3}'; cat >/dev/null"#, "hello", "`protocol` is 3");
    finds("echo hi; cat >/dev/null", "hello", "`hi`");
    finds(&format!("{HELLO}; cat >/dev/null"), "reset", "no answer");
    finds(&format!("{HELLO}; cat"), "reset", "was followed by");
    let deaf = r#"while read -r line; do case "$line" in *reset*) id=${line##*id\":}; id=${id%%[!0-9]*};
        echo "{\"type\":\"ready\",\"id\":$id}";; *gossip*) echo '{"type":"error","message":"what?"}';; esac; done"#;
    finds(&format!("{HELLO}; {deaf}"), "unknown message", "ignore messages of types");
    let stubborn = deaf.replace("*gossip*) echo '{\"type\":\"error\",\"message\":\"what?\"}'", "*'no such'*) :");
    finds(&format!("{HELLO}; {stubborn}"), "unknown input", "no answer");
    let immortal =
        stubborn.replace(") :", r#") id=${line##*id\":}; id=${id%%[!0-9]*}; echo "{\"type\":\"refused\",\"id\":$id}""#);
    finds(&format!("{HELLO}; {immortal}; sleep 1000"), "bye", "did not end");
    finds(&format!("{HELLO}; {immortal}; sleep 1000"), "end of input", "treat the end of standard input as `bye`");
}
