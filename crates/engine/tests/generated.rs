//! The compiled engine against the reference interpreter on specifications that nobody wrote: the same successors, errors and
//! violated invariants in the first states of each.
//!
//! `SEEDS=10000 cargo test -p interplay-engine --test all generated` looks at more or fewer of them, `SEED=7` at one alone, whose
//! text it prints.

use crate::common::{Bounds, compare, invariants};
use interplay_diagnostics::{Diagnostics, FileId};
use interplay_engine::Program;
use interplay_model::{Model, SetupId};
use interplay_semantics::Instance;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many specifications are compared.
const SEEDS: u64 = 1_000;
/// A few states of each; large ones are left out, so that the interpreter stays quick.
const BOUNDS: Bounds = Bounds { states: 30, parts: 60 };
/// Differences shown at most.
const SHOWN: usize = 5;

#[test]
fn generated_models_move_the_same_when_compiled() {
    let seeds = match (number("SEED"), number("SEEDS")) {
        (Some(seed), _) => seed..seed + 1,
        (None, count) => 0..count.unwrap_or(SEEDS),
    };
    let count = seeds.end - seeds.start;
    let tally = all(seeds);
    println!("{tally}");
    assert!(tally.differences.is_empty(), "{} differences", tally.differences.len());
    assert!(count < 100 || tally.compiled * 100 >= count * 90, "only {} of {count} compile", tally.compiled);
}

/// Generated models are too small for it: one more element is right here, and two are not; sixteen doublings are too many.
#[test]
fn what_becomes_too_long_is_an_error_in_compiled_code_too() {
    let long =
        "system S var s: Seq<Int> = [x for x in 1..999999] input one { s = s + [1] } input two { s = s + [1, 2] }";
    let text = r#"system S var t: String = "sixteen letters." input double { t = t + t }"#;
    for (text, states) in [(long, 2), (text, 16)] {
        let outcome = one(text, &Bounds { states: 100, parts: usize::MAX });
        assert!(matches!(outcome, Outcome::Same(same) if same == states), "{outcome:?}");
    }
}

/// What came out of all specifications.
#[derive(Default)]
struct Tally {
    compiled: u64,
    states: u64,
    /// Why others were not compiled, how many, and an example.
    reasons: BTreeMap<String, (u64, String)>,
    differences: BTreeMap<u64, String>,
}

/// Compares on all cores.
fn all(seeds: std::ops::Range<u64>) -> Tally {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return tally;
            }
            tally.add(seed);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker ends")).fold(Tally::default(), Tally::join)
    })
}

impl Tally {
    fn add(&mut self, seed: u64) {
        // Every fifth is synchronous.
        let size = 1 + (seed % 8) as u32;
        let text = match seed % 5 {
            4 => interplay_testkit::generate_synchronous(seed, size),
            _ => interplay_testkit::generate(seed, size),
        };
        if number("SEED").is_some() {
            println!("{text}");
        }
        // A panic is a difference too, with the seed that provokes it.
        let outcome = std::panic::catch_unwind(|| one(&text, &BOUNDS)).unwrap_or(Outcome::Different("a panic".into()));
        match outcome {
            Outcome::Same(states) => (self.compiled, self.states) = (self.compiled + 1, self.states + states as u64),
            Outcome::NotCompiled(why, example) => {
                self.reasons.entry(why).or_insert_with(|| (0, format!("seed {seed}: {example}"))).0 += 1;
            }
            Outcome::Different(found) => drop(self.differences.insert(seed, format!("{text}\n{found}"))),
        }
    }

    fn join(mut self, other: Tally) -> Tally {
        self.compiled += other.compiled;
        self.states += other.states;
        for (why, (count, example)) in other.reasons {
            self.reasons.entry(why).or_insert((0, example)).0 += count;
        }
        self.differences.extend(other.differences);
        self
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:6} compiled, {} states compared", self.compiled, self.states)?;
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (why, (count, example)) in reasons {
            writeln!(f, "{count:6} not compiled: {why} ({example})")?;
        }
        for (seed, found) in self.differences.iter().take(SHOWN) {
            writeln!(f, "\nseed {seed}:\n{found}")?;
        }
        if !self.differences.is_empty() {
            writeln!(f, "\nall differences: {:?}", self.differences.keys().collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

#[derive(Debug)]
enum Outcome {
    /// So many states were compared.
    Same(usize),
    /// Why, and the part of the text that is to blame.
    NotCompiled(String, String),
    Different(String),
}

/// One specification, under its setup if it has one.
fn one(text: &str, bounds: &Bounds) -> Outcome {
    let model = Arc::new(model(text));
    let setup = (!model.setups.is_empty()).then_some(SetupId(0));
    let instance = match Instance::new(model.clone(), setup) {
        Ok(instance) => instance,
        Err(error) => return Outcome::NotCompiled(format!("the setup is wrong: {}", error.code), error.message),
    };
    if let Err(error) = instance.initial() {
        return Outcome::NotCompiled(format!("no initial state: {}", error.code), error.message);
    }
    let invariants = invariants(&model);
    let program = match Program::compile(&instance, invariants.clone()) {
        Ok(program) => program,
        Err(unsupported) => {
            let example = unsupported.span.map_or("", |span| &text[span.range()]);
            let one_line = example.split_whitespace().collect::<Vec<_>>().join(" ");
            return Outcome::NotCompiled(without_names(&unsupported.why), one_line.chars().take(120).collect());
        }
    };
    compare(&instance, program, &invariants, bounds).map_or_else(Outcome::Different, Outcome::Same)
}

/// The reason without the names and types of this specification, so that equal reasons are counted together.
fn without_names(why: &str) -> String {
    match why.split_once(" may be any ") {
        Some((_, rest)) => {
            format!("a name may be any value, {}", rest.split_once(", which").map_or("", |(_, end)| end))
        }
        None => why.to_string(),
    }
}

fn model(text: &str) -> Model {
    let mut found = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut found);
    interplay_lower::check(&[tree], &mut found).expect("generated specifications are right")
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
