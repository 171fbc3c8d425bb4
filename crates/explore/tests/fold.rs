//! Rows of several words are searched as single words: the same states, steps and traces.

use crate::support::{agree, counts, instance, text};
use interplay_explore::{Compiled, Config, Findings, Stop, System, explore};
use std::path::Path;

/// A model of the benchmark; the numbers of its states are known from the interpreter and from four other tools.
fn compiled(setup: &str, more: &str) -> Compiled {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models/paxos.play");
    let model = text(&(std::fs::read_to_string(path).expect("the benchmark is there") + more));
    Compiled::new(instance(&model, setup), None).expect("it is understood")
}

#[test]
fn every_order_and_number_of_threads_finds_the_same() {
    let wide = compiled("b3", "");
    assert!(wide.width() > 1, "this is about rows of several words");
    assert_eq!(agree(|| compiled("b3", "")), (185_369, 1_316_583));
}

#[test]
fn traces_are_those_of_the_rows() {
    let system = compiled("b3", "\nproperty silent: never (accepted(2, 1, 0) in said)\n");
    for threads in [1, 2] {
        let config = Config { threads, findings: Findings::Continue, ..Config::default() };
        let outcome = explore(&system, &config);
        assert_eq!(counts(&outcome), (185_369, 1_316_583));
        let trace = outcome.findings[0].trace.as_ref().expect("it was found");
        // Prepared, promised by two, proposed, accepted.
        assert_eq!(trace.steps.len(), 5);
    }
}

#[test]
fn memory_is_counted_and_limited() {
    let config = Config { bytes: Some(1 << 20), ..Config::default() };
    let outcome = explore(&compiled("b3", ""), &config);
    assert_eq!(outcome.stop, Stop::Memory);
    assert!(outcome.states > 1_000, "{} states", outcome.states);
    let outcome = explore(&compiled("b3", ""), &Config::default());
    assert!(outcome.bytes > 8 * outcome.states, "words and what they point to, not only {} bytes", outcome.bytes);
}
