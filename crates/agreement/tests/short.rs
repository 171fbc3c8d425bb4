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
const FLOORS: [(&str, u64); 30] = [
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
    ("verify", 60),
    ("verify-engine", 30),
    ("driven", 40),
    ("driven-test", 10),
    ("goals", 30),
    ("systematic", 100),
    ("reflexive", 60),
    ("test-properties", 100),
    ("mutants", 25),
    ("simulate", 300),
    ("monitor", 200),
    ("timeline", 400),
    ("hide", 15),
    ("determinise", 2),
    ("suspend", 12),
    ("complete", 25),
    ("product", 1),
    ("join", 20),
    ("exchange", 40),
    ("suite", 150),
];

/// Disagreements that are known and not mended yet, by pair and what is said; what is mended is taken out.
const KNOWN: [(&str, &str); 1] = [
    // A reaction that an internal action begins has no line in a scenario.
    ("suite", "is not an input"),
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
    let new: Vec<String> = summary
        .disagreements
        .iter()
        .map(|found| (found.pair, found.to_string()))
        .filter(|(pair, told)| !KNOWN.iter().any(|(known, said)| known == pair && told.contains(said)))
        .map(|(_, told)| told)
        .collect();
    assert!(new.is_empty(), "{} disagreements, the first:\n{}", new.len(), new[0]);
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
