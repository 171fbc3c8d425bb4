//! Systems that do not start, close, crash, hang, or say what no rule fits.

use super::talk;
use interplay_binding::{Binding, Session};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn not_started(text: &str) -> String {
    let binding = Binding::read(text, Path::new("x.toml"), &[]).expect("it is a binding");
    Session::start(Arc::new(binding)).err().expect("it does not start")
}

#[test]
fn a_program_that_does_not_start() {
    let told = not_started("[sut]\nrun = 'no-such-program'\n[input]\nx = 'y'");
    assert_eq!(told, "could not start `no-such-program`: no such program in `PATH`");
    let told = not_started("[sut]\nrun = ['sh', '-c', 'echo no licence >&2; exit 3']\nready = 'ok'\n[input]\nx = 'y'");
    assert_eq!(told, "`sh` ended with exit code 3 before it was ready; its last line: no licence");
    let told =
        not_started("within = '100ms'\n[sut]\nrun = ['sh', '-c', 'echo hm; sleep 9']\nready = 'ok'\n[input]\nx = 'y'");
    assert_eq!(told, "`sh` printed nothing that matches `ok` in time; its last line: hm");
}

#[test]
fn a_port_that_does_not_open() {
    let mut talk =
        talk("within = '200ms'\n[link]\nto = '127.0.0.1:1'\n[input]\nx = 'y'\n[[read]]\nmatch=''\naccept=true", &[]);
    let told = talk.ask(json!({ "type": "reset", "id": 1 }));
    assert_eq!(told["type"], "error");
    let message = told["message"].as_str().unwrap_or_default();
    assert_eq!(message, "tried: cannot connect to 127.0.0.1:1: Connection refused (os error 111); does it run?");
}

const SHELL: &str = r#"
    within = "300ms"
    [vars]
    does = "exit 4"
    [sut]
    run = ["sh", "-c", 'echo hello; while read -r line; do {does}; done']
    [link]
    to = "stdio"
    open = [{ until = "^hello" }]
    [input]
    say = "{text}"
    quiet = { send = "x", answer = false }
    [[read]]
    match = '^got (.*)$'
    answer = "{1}"
    "#;

#[test]
fn a_system_that_ends_during_an_input() {
    let mut talk = talk(SHELL, &[]);
    talk.reset();
    let told = talk.give("say", json!({ "text": "x" }));
    let message = "the connection was closed; `sh` ended with exit code 4";
    assert_eq!(told, json!({ "type": "raised", "id": 2, "error": "connection closed", "message": message }));
}

#[test]
fn a_system_that_ends_between_inputs() {
    let mut between = talk(SHELL, &[]);
    between.reset();
    assert_eq!(between.give("quiet", json!({})), json!(null));
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(between.give("say", json!({ "text": "x" }))["error"], "connection closed");
    let mut before_a_reset = talk(SHELL, &[]);
    before_a_reset.reset();
    before_a_reset.give("quiet", json!({}));
    std::thread::sleep(Duration::from_millis(100));
    let told = before_a_reset.ask(json!({ "type": "reset", "id": 3 }));
    assert_eq!(told, json!({ "ended": "`sh` ended with exit code 4" }));
}

#[test]
fn what_no_rule_fits_ends_the_conversation() {
    let mut talk = talk(SHELL, &[("does", "echo what is $line")]);
    talk.reset();
    let told = talk.give("say", json!({ "text": "that" }));
    let advice = "write a [[read]] for it, with `ignore = true` if it means nothing";
    let message = format!("tried: no [[read]] fits `what is that` after input `say`; {advice}");
    assert_eq!(told, json!({ "type": "error", "message": message }));
}

#[test]
fn a_system_that_hangs_is_waited_for_as_long_as_the_caller_says() {
    let mut talk = talk(SHELL, &[("does", "sleep 60")]);
    talk.reset();
    let (start, limit) = (Instant::now(), Duration::from_millis(200));
    let line = json!({ "type": "input", "id": 2, "action": "say", "args": { "text": "x" } }).to_string();
    talk.0.take(line.as_bytes(), start + limit).expect("it is sent");
    assert_eq!(talk.0.next(start + limit), Ok(None));
    assert!(start.elapsed() < limit * 4, "{:?}", start.elapsed());
}

#[test]
fn an_opening_that_waits_in_vain() {
    let mut talk = talk(&SHELL.replace("^hello", "^welcome"), &[]);
    let told = talk.ask(json!({ "type": "reset", "id": 1 }));
    let message = told["message"].as_str().unwrap_or_default();
    assert_eq!(message, "tried: line 9: `^welcome` did not come; the last line was `hello`");
}

#[test]
fn a_mistake_in_a_value_names_its_line() {
    let mut talk = talk(&SHELL.replace("\"{1}\"", "\"{1:int}\""), &[("does", "echo got $line")]);
    talk.reset();
    let told = talk.give("say", json!({ "text": "x" }));
    assert_eq!(told["message"], "tried: line 13: `x` is not a whole number, in `got x`");
}

#[test]
fn a_farewell_ends_the_program() {
    let mut talk = talk(SHELL, &[]);
    talk.reset();
    talk.0.take(br#"{"type":"bye"}"#, Instant::now()).expect("it is heard");
    assert!(talk.0.has_left() && talk.0.next(Instant::now()).is_err());
}
