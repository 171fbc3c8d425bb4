//! What a silence, an early end and a cleanup say about an implementation: verdicts that were wrong once, each by the program itself.

use super::run;
use std::time::{Duration, Instant};

fn tested(file: &str, sut: &str, more: &[&str]) -> (i32, String) {
    run(&[&["test", file, "--sut", sut, "--no-store"], more].concat())
}

#[test]
fn an_implementation_that_never_answers_fails_without_any_setup() {
    let began = Instant::now();
    let (code, text) = tested("testing/dead/door.play", "model:testing/dead/dead-door.play", &["--seed", "1"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("the implementation reports quiescence itself"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(10), "nobody has to wait for a model");
    let (code, text) = tested("testing/dead/lock.play", "python3 testing/dead/dead.py", &["--seed", "1"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("no output came"), "{text}");
    assert!(text.contains("never an output before"), "{text}");
}

#[test]
fn silence_unjudged_blames_nobody() {
    let (code, text) = tested(
        "testing/dead/unjudged.play",
        "model:testing/dead/dead-door.play",
        &["--seed", "1", "--setup", "patient"],
    );
    assert_ne!(code, 1, "{text}");
    assert!(text.contains("no input could be given, and no output came"), "{text}");
}

#[test]
fn a_silence_that_excludes_states_is_looked_at_twice() {
    for seed in ["2", "3"] {
        let (code, text) = tested(
            "testing/midsilence/spec.play",
            &format!("python3 testing/midsilence/sut.py {seed} 0.03"),
            &["--seed", seed, "--setup", "t", "--runs", "12"],
        );
        assert_eq!(code, 0, "{text}");
    }
}

#[test]
fn a_run_that_cannot_end_as_the_setup_wants_is_no_pass() {
    for file in ["testing/nocleanup.play", "testing/zero.play"] {
        let (code, text) = tested(file, "python3 testing/files.py", &["--seed", "1"]);
        assert_eq!(code, 3, "{file}: {text}");
        assert!(text.contains("ended in a state that is not accepting"), "{file}: {text}");
        let steps = text.split(" runs, ").nth(1).and_then(|rest| rest.split(" step").next()?.parse().ok());
        assert!(steps.is_some_and(|steps: u64| steps < 400), "{file}: the cleanup ends when it does not help: {text}");
    }
}

#[test]
fn what_never_comes_in_time_is_reproduced() {
    let (code, text) = tested("judging/in_time.play", "python3 judging/in_time.py", &["--seed", "1"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("failure id: property fast"), "{text}");
    assert!(!text.contains("not reproduced"), "{text}");
}

#[test]
fn a_reactive_system_does_not_idle() {
    let (code, text) =
        tested("blackbox/r5/rreactive.play", "python3 blackbox/r5/r.py", &["--seed", "1", "--setup", "s", "--json"]);
    assert_eq!(code, 0, "{text}");
    let seconds = text.split("\"waiting\"").nth(1).and_then(|rest| rest.split("\"seconds\":").nth(1));
    let seconds: f64 = seconds
        .and_then(|rest| rest.trim_start().split([',', '\n', '}']).next()?.trim().parse().ok())
        .expect("the answer says how long was waited");
    assert!(seconds < 4.0, "1,000 steps, {seconds} s waiting in vain");
}

#[test]
fn a_result_that_the_implementation_supplies_is_checked_and_never_listed() {
    for file in ["testing/ensures.play", "testing/def_result.play"] {
        let (code, text) = tested(file, "python3 testing/bag.py", &["--seed", "1", "--runs", "10"]);
        assert_eq!(code, 0, "{file}: {text}");
        let (code, text) = tested(file, "python3 testing/bag.py wrong", &["--seed", "1", "--runs", "10"]);
        assert!(code == 1 && text.contains("wrong result"), "{file}: {text}");
    }
}
