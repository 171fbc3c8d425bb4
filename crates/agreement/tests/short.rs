//! A short run of the agreement machine: nobody contradicts anybody, and enough was compared to mean something.
//!
//! `cargo run -p xtask -- agree --seeds 10000` looks at more of them, and makes what disagrees smaller.

use interplay_agreement::{PAIRS, Plan, note_panics, run};
use std::time::Duration;

const SEEDS: u64 = 60;
/// On a machine that is busy with other things fewer specifications are looked at, but not too few.
const TIME: Duration = Duration::from_secs(200);
const LEAST: u64 = 20;

/// Of a hundred specifications so many answers are compared at least.
const FLOORS: [(&str, u64); 33] = [
    ("compiled", 200),
    ("spelling", 120),
    ("threads", 200),
    ("depth-first", 200),
    ("compact", 200),
    ("spill", 150),
    ("limits", 900),
    ("symmetry", 100),
    ("reduce", 100),
    ("verify-explicit", 100),
    ("verify", 110),
    ("verify-engine", 60),
    ("driven", 40),
    ("driven-test", 15),
    ("goals", 100),
    ("systematic", 180),
    ("reflexive", 80),
    ("test-properties", 160),
    ("mutants", 100),
    ("simulate", 500),
    ("monitor", 350),
    ("timeline", 600),
    ("hide", 15),
    ("determinise", 2),
    ("suspend", 12),
    ("complete", 35),
    ("product", 1),
    ("join", 15),
    ("exchange", 50),
    ("suite", 350),
    ("derive", 5),
    ("monitor-rules", 100),
    ("weights", 3),
];

#[test]
fn whoever_answers_the_same_question_gives_the_same_answer() {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let plan = Plan { seeds: SEEDS, time: Some(TIME), shrink: false, threads, ..Plan::default() };
    note_panics();
    let summary = run(&plan, &|_| {});
    println!("{summary}");
    assert!(summary.malformed.is_empty(), "generated with errors: {:?}", summary.malformed);
    assert!(summary.specifications >= LEAST, "only {} specifications in {TIME:?}", summary.specifications);
    let found = &summary.disagreements;
    assert!(found.is_empty(), "{} disagreements, the first:\n{}", found.len(), found[0]);
    for (pair, floor) in FLOORS {
        let compared = summary.pairs.get(pair).map_or(0, |counted| counted.compared());
        let least = floor * summary.specifications / 100;
        assert!(compared >= least, "{pair}: {compared} answers compared, at least {least} are wanted\n{summary}");
    }
}

#[test]
fn every_pair_has_a_name_of_its_own() {
    let mut names: Vec<&str> = PAIRS.iter().map(|pair| pair.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PAIRS.len());
}
