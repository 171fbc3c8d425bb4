//! The one search loop: take rows, expand and judge them, keep what was not seen before, until nothing is left or
//! something says stop. The order is the strategy's, the memory the visited set's, the meaning the system's.
//!
//! Parents of states are not stored. Breadth-first, the rows of a layer are written down anyway while they wait; keeping
//! them afterwards costs one copy of each row and no slow access to memory, and a trace is found by
//! searching the layers backwards, which costs at most as much as the search did, and only if there is something to show.
//! Where that copy is too much, layers are forgotten and the search is repeated for the trace ([`crate::Layers`]).
//! Depth-first, the way is on the stack.
//!
//! Counts of a search that ends by itself do not depend on the strategy or on the number of threads. If it ends
//! before, those of one thread are reproducible; of several equally short traces, several threads show any.

use crate::config::{Config, Findings, Layers, Progress, Strategy as Order};
use crate::found::{Found, Kind};
use crate::outcome::{FindingKind, Outcome, Stop};
use crate::strategy::{BreadthFirst, DepthFirst, Strategy};
use crate::visited::{Assurance, Full, Room, Visited, visited};
use crate::{Expanded, Rows, System};
use interplay_semantics::ModelError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows to add to the visited set at once.
const FLUSH: usize = 512;
/// Budgets are looked at after so many rows.
const LOOK: u64 = 256;
/// Progress is told after so many more states.
const TELL: u64 = 1 << 16;
/// So many states in which the model goes wrong are looked at more closely.
const ERRORS: u64 = 1000;

/// Visits the states of a system.
pub fn explore<Y: System>(system: &Y, config: &Config) -> Outcome<Y::State, Y::Label> {
    let (search, layers) = run(system, config);
    search.outcome(layers)
}

/// The layers up to a depth, once more.
pub(crate) fn layers<Y: System>(system: &Y, config: &Config, depth: u64) -> Vec<Rows> {
    let again = Config {
        strategy: Order::BreadthFirst,
        layers: Layers::Keep,
        depth: Some(depth),
        states: None,
        deadline: &|| false,
        progress: &|_| {},
        findings: Findings::Continue,
        ..config.clone()
    };
    run(system, &again).1
}

fn run<'s, Y: System>(system: &'s Y, config: &'s Config<'s>) -> (Search<'s, Y>, Vec<Rows>) {
    let threads = if system.sequential() { 1 } else { config.threads.max(1) };
    let room = Room { limit: config.bytes.unwrap_or(u64::MAX), alone: threads == 1 };
    let mut search = Search::new(system, config, visited(config.memory, system.width(), room));
    let initial = search.initial();
    match config.strategy {
        Order::BreadthFirst => {
            let keep = config.layers == Layers::Keep;
            let mut strategy = BreadthFirst::new(initial, system.width(), threads, keep);
            search.rounds(&mut strategy, threads);
            (search, strategy.into_layers())
        }
        Order::DepthFirst => {
            let mut strategy = DepthFirst::new(initial, system.width(), threads);
            search.rounds(&mut strategy, threads);
            (search, Vec::new())
        }
    }
}

pub(crate) struct Search<'s, Y: System> {
    pub(crate) system: &'s Y,
    pub(crate) config: &'s Config<'s>,
    width: usize,
    visited: Option<Box<dyn Visited>>,
    stop: Mutex<Option<Stop>>,
    stopped: std::sync::atomic::AtomicBool,
    /// Nothing could be started.
    pub(crate) failed: Option<ModelError>,
    found: Mutex<Vec<Found>>,
    /// Properties that need no more judging, by bit.
    decided: AtomicU64,
    properties: u64,
    errors: AtomicU64,
    states: AtomicU64,
    transitions: AtomicU64,
    counts: Mutex<Counts>,
}

/// What the threads count for themselves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) depth: u64,
    pub(crate) terminal: u64,
    pub(crate) not_accepting: u64,
    pub(crate) active: u64,
    pub(crate) passive: u64,
    pub(crate) largest_frontier: u64,
    /// A state was not expanded because of the depth.
    pub(crate) cut: bool,
}

/// What one thread works with.
struct Desk<W> {
    worker: W,
    targets: Rows,
    fresh: Rows,
    counts: Counts,
    /// Since the shared numbers were last brought up to date.
    rows: u64,
    transitions: usize,
}

impl<'s, Y: System> Search<'s, Y> {
    fn new(system: &'s Y, config: &'s Config<'s>, visited: Result<Box<dyn Visited>, Full>) -> Search<'s, Y> {
        let count = system.properties().len() as u32;
        let properties = u64::MAX.checked_shr(64 - count.min(64)).unwrap_or(0);
        let search = Search {
            system,
            config,
            width: system.width(),
            visited: visited.ok(),
            stop: Mutex::default(),
            stopped: Default::default(),
            failed: None,
            found: Mutex::default(),
            decided: AtomicU64::new(0),
            properties,
            errors: AtomicU64::new(0),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            counts: Mutex::default(),
        };
        if search.visited.is_none() {
            search.halt(Stop::Memory);
        }
        search
    }

    fn initial(&mut self) -> Rows {
        let (mut rows, mut fresh) = (Rows::default(), Rows::default());
        if let Err(error) = self.system.initial(&mut self.system.worker(), &mut rows) {
            self.failed = Some(error);
            self.halt(Stop::FirstFinding);
            return Rows::default();
        }
        self.add(&rows, &mut fresh);
        fresh
    }

    fn rounds(&self, strategy: &mut dyn Strategy, threads: usize) {
        let mut workers: Vec<Y::Worker> = (0..threads).map(|_| self.system.worker()).collect();
        while !self.is_stopped() && strategy.begin() {
            let strategy: &dyn Strategy = strategy;
            self.note_frontier(strategy);
            if threads == 1 || !strategy.is_wide() {
                self.round(strategy, 0, &mut workers[0]);
            } else {
                std::thread::scope(|scope| {
                    for (thread, worker) in workers.iter_mut().enumerate() {
                        scope.spawn(move || {
                            let leaving = Leaving(self);
                            self.round(strategy, thread, worker);
                            std::mem::forget(leaving);
                        });
                    }
                });
            }
            self.look(strategy);
            self.tell(strategy);
        }
        if self.counts.lock().expect(POISONED).cut {
            self.halt(Stop::Depth);
        }
    }

    /// What one thread does in one round.
    fn round(&self, strategy: &dyn Strategy, thread: usize, worker: &mut Y::Worker) {
        let mut batch = Rows::default();
        let (targets, fresh, counts) = Default::default();
        let mut desk = Desk { worker, targets, fresh, counts, rows: 0, transitions: 0 };
        let mut told = self.states.load(Ordering::Relaxed) / TELL;
        while let Some(depth) = strategy.take(thread, &mut batch, &|| self.is_stopped()) {
            desk.counts.depth = desk.counts.depth.max(depth);
            for row in batch.iter(self.width) {
                self.visit(&mut desk, strategy, (thread, depth), row);
            }
            self.flush(&mut desk, strategy, (thread, depth));
            desk.rows += batch.count(self.width) as u64;
            self.transitions.fetch_add(std::mem::take(&mut desk.transitions) as u64, Ordering::Relaxed);
            if desk.rows >= LOOK {
                desk.rows = 0;
                self.look(strategy);
                if thread == 0 && self.states.load(Ordering::Relaxed) / TELL > told {
                    told = self.states.load(Ordering::Relaxed) / TELL;
                    self.note_frontier(strategy);
                    self.tell(strategy);
                }
            }
        }
        self.counts.lock().expect(POISONED).add(&desk.counts);
    }

    #[inline]
    fn visit(&self, desk: &mut Desk<&mut Y::Worker>, strategy: &dyn Strategy, at: (usize, u64), row: &[u64]) {
        let before = desk.targets.words.len();
        let expanded = self.system.expand(desk.worker, row, &mut desk.targets);
        let (violated, satisfied) = (expanded.violated & self.properties, expanded.satisfied & self.properties);
        if (violated | satisfied) & !self.decided.load(Ordering::Relaxed) != 0 {
            self.decide(strategy, at, row, violated, satisfied);
        }
        if self.config.depth.is_some_and(|most| at.1 >= most) {
            // Only judged: what it leads to lies beyond the bound.
            desk.targets.words.truncate(before);
            desk.counts.cut |= !expanded.is_terminal();
            return;
        }
        desk.transitions += (desk.targets.words.len() - before) / self.width;
        match expanded.others {
            true => desk.counts.passive += 1,
            false => desk.counts.active += 1,
        }
        if expanded.error || expanded.is_terminal() {
            self.odd(desk, strategy, at, row, expanded);
        }
        if desk.targets.words.len() >= FLUSH * self.width {
            self.flush(desk, strategy, at);
        }
    }

    /// Adds what the rows lead to.
    fn flush(&self, desk: &mut Desk<&mut Y::Worker>, strategy: &dyn Strategy, (thread, depth): (usize, u64)) {
        if desk.targets.words.is_empty() {
            return;
        }
        desk.fresh.clear();
        self.add(&desk.targets, &mut desk.fresh);
        desk.targets.clear();
        if !desk.fresh.words.is_empty() {
            strategy.give(thread, depth + 1, &desk.fresh);
        }
    }

    fn add(&self, rows: &Rows, fresh: &mut Rows) {
        let Some(visited) = &self.visited else { return };
        if visited.insert(&rows.words, fresh) == Err(Full) {
            self.halt(Stop::Memory);
        }
        self.states.fetch_add(fresh.count(self.width) as u64, Ordering::Relaxed);
    }

    #[cold]
    fn decide(&self, strategy: &dyn Strategy, at: (usize, u64), row: &[u64], violated: u64, satisfied: u64) {
        let before = self.decided.fetch_or(violated | satisfied, Ordering::Relaxed);
        for bit in 0..64 {
            let now = 1 << bit & !before;
            if violated & now != 0 {
                self.record(Kind::Violated(bit), strategy, at, row);
            }
            if satisfied & now != 0 {
                self.record(Kind::Satisfied(bit), strategy, at, row);
            }
        }
        let all = before | violated | satisfied == self.properties;
        if all && self.config.findings == Findings::StopAtFirst {
            self.halt(Stop::FirstFinding);
        }
    }

    /// A state in which the model goes wrong, or from which nothing leads on.
    #[cold]
    fn odd<W>(
        &self,
        desk: &mut Desk<&mut W>,
        strategy: &dyn Strategy,
        at: (usize, u64),
        row: &[u64],
        expanded: Expanded,
    ) where
        Y: System<Worker = W>,
    {
        if expanded.error && self.errors.fetch_add(1, Ordering::Relaxed) < ERRORS {
            for error in self.system.steps(desk.worker, row).into_iter().filter_map(Result::err) {
                self.record(Kind::Error(error), strategy, at, row);
            }
        }
        if !expanded.is_terminal() {
            return;
        }
        desk.counts.terminal += 1;
        match self.system.ending(row) {
            Ok(ending) => {
                desk.counts.not_accepting += u64::from(!ending.accepting);
                if self.config.deadlocks && !ending.meant {
                    self.record(Kind::Deadlock, strategy, at, row);
                }
            }
            Err(error) => self.record(Kind::Error(error), strategy, at, row),
        }
    }

    /// Writes a finding down, unless the same one was found by a way that is not longer.
    fn record(&self, kind: Kind, strategy: &dyn Strategy, (thread, depth): (usize, u64), row: &[u64]) {
        let good = matches!(kind, Kind::Satisfied(_));
        let mut found = self.found.lock().expect(POISONED);
        if found.iter().all(|known| !known.kind.is_same(&kind)) {
            found.push(Found { kind, row: row.into(), depth, path: strategy.path(thread) });
        }
        if self.config.findings == Findings::StopAtFirst && !good {
            self.halt(Stop::FirstFinding);
        }
    }

    /// Is there a reason to stop?
    fn look(&self, strategy: &dyn Strategy) {
        if self.config.interrupted.load(Ordering::Relaxed) {
            self.halt(Stop::Interrupted);
        } else if self.config.states.is_some_and(|most| self.states.load(Ordering::Relaxed) >= most) {
            if strategy.waiting() > 0 {
                self.halt(Stop::States);
            }
        } else if self.config.bytes.is_some_and(|most| self.bytes() + strategy.bytes() > most) {
            self.halt(Stop::Memory);
        } else if (self.config.deadline)() {
            self.halt(Stop::Time);
        }
    }

    fn tell(&self, strategy: &dyn Strategy) {
        let counts = self.counts.lock().expect(POISONED);
        (self.config.progress)(Progress {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: counts.depth,
            frontier: strategy.waiting(),
        });
    }

    fn note_frontier(&self, strategy: &dyn Strategy) {
        let mut counts = self.counts.lock().expect(POISONED);
        counts.largest_frontier = counts.largest_frontier.max(strategy.waiting());
    }

    fn bytes(&self) -> u64 {
        self.visited.as_ref().map_or(0, |visited| visited.bytes())
    }

    /// The first reason is the one that is told.
    fn halt(&self, reason: Stop) {
        self.stop.lock().expect(POISONED).get_or_insert(reason);
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn outcome(self, layers: Vec<Rows>) -> Outcome<Y::State, Y::Label> {
        let states = self.states.load(Ordering::Relaxed);
        let counts = *self.counts.lock().expect(POISONED);
        let stop = self.stop.lock().expect(POISONED).unwrap_or(Stop::Exhausted);
        let mut outcome = Outcome {
            states,
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: counts.depth,
            stop,
            assurance: self.visited.as_ref().map_or(Assurance::Exact, |visited| visited.assurance(states)),
            findings: Vec::new(),
            verdicts: Vec::new(),
            terminal: counts.terminal,
            not_accepting: counts.not_accepting,
            active: counts.active,
            passive: counts.passive,
            largest_frontier: counts.largest_frontier,
            bytes: self.bytes(),
            growth: None,
        };
        let found = std::mem::take(&mut *self.found.lock().expect(POISONED));
        // Its memory may be needed for traces.
        let Search { system, config, failed, visited, .. } = self;
        drop(visited);
        if !matches!(stop, Stop::Exhausted | Stop::FirstFinding) {
            outcome.growth = crate::growth::growth(system, &layers);
        }
        outcome.verdicts = crate::found::verdicts(system, &found, stop);
        outcome.findings = crate::found::findings(system, config, found, layers);
        outcome.findings.extend(failed.map(|error| crate::Finding {
            kind: FindingKind::Error(error),
            trace: None,
            shortest: true,
        }));
        outcome
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.depth = self.depth.max(other.depth);
        self.terminal += other.terminal;
        self.not_accepting += other.not_accepting;
        self.active += other.active;
        self.passive += other.passive;
        self.cut |= other.cut;
    }
}

/// A thread that panics tells the others, which would wait for it otherwise.
struct Leaving<'a, 's, Y: System>(&'a Search<'s, Y>);

impl<Y: System> Drop for Leaving<'_, '_, Y> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }
}

const POISONED: &str = "a thread panicked while it wrote down what it found";
