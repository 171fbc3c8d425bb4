//! All pairs over a range of seeds, on all cores.

use crate::guard::{self, HANGS};
use crate::pairs::{PAIRS, Pair};
use crate::shrink::shrink;
use crate::subject::{Known, opened};
use crate::summary::{Found, Summary};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What to compare, and how long.
#[derive(Clone, Debug)]
pub struct Plan {
    pub from: u64,
    pub seeds: u64,
    pub time: Option<Duration>,
    /// Pairs whose names begin so; several are divided by commas.
    pub only: Option<String>,
    /// Make what disagrees smaller.
    pub shrink: bool,
    pub threads: usize,
    /// A specification that was not generated.
    pub text: Option<String>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { from: 0, seeds: 100, time: None, only: None, shrink: true, threads: 1, text: None }
    }
}

/// What happens on the way, for whoever waits.
#[derive(Debug)]
pub enum Event<'e> {
    /// So many specifications are done.
    Done(u64),
    /// Two contradict each other; it is being made smaller.
    Disagree(&'e Found),
    /// As small as it becomes.
    Shrunk(&'e Found),
}

/// With more threads that do not end nothing can be measured any more.
const MOST_HUNG: usize = 4;
/// Of one kind so many are made smaller; the others are counted.
const MOST_OF_A_KIND: usize = 2;
/// Hanging is not repeated again and again to make it smaller.
const SHRINKING: Duration = Duration::from_secs(60);

pub fn run(plan: &Plan, tell: &(dyn Fn(Event<'_>) + Sync)) -> Summary {
    let machine = Machine {
        plan,
        tell,
        started: Instant::now(),
        next: AtomicU64::new(plan.from),
        stop: AtomicBool::new(false),
        summary: Mutex::default(),
        kinds: Mutex::default(),
    };
    let seeds = plan.from..plan.from.saturating_add(plan.seeds);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| machine.work(seeds.clone()));
        }
    });
    let mut summary = machine.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.seconds = machine.started.elapsed().as_secs_f64();
    summary.disagreements.sort_by_key(|found| (found.pair, found.seed));
    summary
}

struct Machine<'m> {
    plan: &'m Plan,
    tell: &'m (dyn Fn(Event<'_>) + Sync),
    started: Instant,
    next: AtomicU64,
    stop: AtomicBool,
    summary: Mutex<Summary>,
    /// Pairs and what they disagreed about, each time.
    kinds: Mutex<Vec<(&'static str, String)>>,
}

impl Machine<'_> {
    fn work(&self, seeds: Range<u64>) {
        loop {
            let late = self.plan.time.is_some_and(|most| self.started.elapsed() >= most);
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || self.stop.load(Ordering::Relaxed) {
                return;
            }
            if late {
                self.summary().cut_short = true;
                return;
            }
            self.specification(seed);
        }
    }

    fn specification(&self, seed: u64) {
        let text = self.plan.text.clone().unwrap_or_else(|| interplay_testkit::generate_any(seed));
        if opened(&text).is_none() {
            self.summary().malformed.push(seed);
            return;
        }
        let known = Known::default();
        for pair in PAIRS.iter().filter(|pair| self.wants(pair)) {
            self.pair(pair, seed, &text, &known);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
        let done = {
            let mut summary = self.summary();
            summary.specifications += 1;
            summary.specifications
        };
        (self.tell)(Event::Done(done));
    }

    fn wants(&self, pair: &Pair) -> bool {
        self.plan.only.as_ref().is_none_or(|only| only.split(',').any(|only| pair.name.starts_with(only)))
    }

    fn pair(&self, pair: &'static Pair, seed: u64, text: &str, known: &Known) {
        let started = Instant::now();
        let Some(tally) = guard::compare(pair, seed, text, known) else { return };
        let hung = tally.disagreements.iter().any(|each| each.what == HANGS);
        {
            let mut summary = self.summary();
            summary.pairs.entry(pair.name).or_default().add(&tally, started.elapsed().as_secs_f64());
            summary.hung += usize::from(hung);
            if summary.hung >= MOST_HUNG {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        let mut told = BTreeSet::new();
        for disagreement in tally.disagreements {
            if told.insert(disagreement.what.clone()) {
                self.found(Found { pair: pair.name, seed, text: text.into(), disagreement }, pair);
            }
        }
    }

    fn found(&self, found: Found, pair: &'static Pair) {
        (self.tell)(Event::Disagree(&found));
        let kind = (pair.name, found.disagreement.what.clone());
        let before = {
            let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
            kinds.push(kind.clone());
            kinds.iter().filter(|other| **other == kind).count()
        };
        if before > MOST_OF_A_KIND && self.plan.shrink {
            return self.summary().disagreements.push(found);
        }
        let small = match self.plan.shrink && found.disagreement.what != HANGS {
            true => shrink(&found, pair, SHRINKING),
            false => found,
        };
        (self.tell)(Event::Shrunk(&small));
        self.summary().disagreements.push(small);
    }

    fn summary(&self) -> MutexGuard<'_, Summary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
