//! A solver that is missing, dies, is silent, has no memory left, talks nonsense or lies: the answer is `unknown` with what
//! happened, never a wrong one, and never a hang.

use crate::support::{config, example, instance, property, told};
use interplay_prove::{Config, Engine, Outcome, Verdict, prove};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn with(solver: &str, budget: Duration) -> Outcome {
    let countdown = example(&["countdown/countdown.play"]);
    let program: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solvers").join(solver);
    let config = Config { program, budget, ..config(&Engine::ALL) };
    prove(&instance(&countdown, None), &property(&countdown, "omega1"), &config)
}

fn is_unknown(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown)
}

/// What all engines say, in one line.
fn said(outcome: &Outcome) -> String {
    assert!(is_unknown(outcome), "{}", told(outcome));
    let texts: Vec<&str> = outcome.progress.iter().map(|each| each.text.as_str()).collect();
    texts.join("; ")
}

#[test]
fn a_solver_that_is_not_there() {
    let text = said(&with("absent", Duration::from_secs(10)));
    assert!(text.contains("cannot be started"), "{text}");
}

#[test]
fn a_solver_that_dies() {
    let text = said(&with("dies", Duration::from_secs(10)));
    assert!(text.contains("the solver died"), "{text}");
}

#[test]
fn a_solver_without_memory() {
    let text = said(&with("out-of-memory", Duration::from_secs(10)));
    assert!(text.contains("out of memory"), "{text}");
}

#[test]
fn a_solver_that_talks_nonsense() {
    let text = said(&with("nonsense", Duration::from_secs(10)));
    assert!(text.contains("the solver says"), "{text}");
}

/// It is not believed: nothing that it says survives the interpreter.
#[test]
fn a_solver_that_lies() {
    assert!(is_unknown(&with("liar", Duration::from_secs(10))));
}

#[test]
fn a_solver_that_never_answers_is_stopped() {
    let started = Instant::now();
    let text = said(&with("silent", Duration::from_millis(300)));
    assert!(text.contains("nothing yet"), "{text}");
    // Far less than the solver would take.
    assert!(started.elapsed() < Duration::from_secs(60));
}
