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

mod judging;
mod keeping;

use crate::checkpoint::Kept;
use crate::config::{Config, Findings, Layers as Keeping, Progress, Strategy as Order};
use crate::fold::Folded;
use crate::found::Found;
use crate::outcome::{FindingKind, Outcome, Stop};
use crate::strategy::{BreadthFirst, DepthFirst, Strategy};
use crate::{Rows, System};
use interplay_semantics::ModelError;
use interplay_visited::Layers;
use interplay_visited::{Assurance, Full, Memory, Room, Visited, visited};
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Rows to add to the visited set at once.
const FLUSH: usize = 512;
/// So many rows that a thread met lately are recognised without a look at the visited set; a power of two.
const RECENT: usize = 1 << 13;
/// The values of a row may take so many times the memory of those of the row before it.
const SWELLING: u64 = 4;
/// Budgets are looked at after so many rows.
const LOOK: u64 = 256;
/// Progress is told after so many more states.
const TELL: u64 = 1 << 16;
/// Of a layer on disk, this part of the memory is loaded at once.
const LOADED: u64 = 16;

/// Visits the states of a system.
pub fn explore<Y: System>(system: &Y, config: &Config) -> Outcome<Y::State, Y::Label> {
    let alone = config.threads <= 1 || system.sequential();
    let folded = is_folded(system, config).then(|| Folded::new(system, alone));
    match folded {
        Some(Ok(folded)) => searched(&folded, config),
        _ => searched(system, config),
    }
}

/// Rows that may go to disk stay as they are, because what folded rows point to stays in memory.
fn is_folded<Y: System>(system: &Y, config: &Config) -> bool {
    let spills = config.disk.is_some() && config.bytes.is_some();
    system.width() > 1 && config.memory == Memory::Exact && !spills
}

fn searched<Y: System>(system: &Y, config: &Config) -> Outcome<Y::State, Y::Label> {
    let (search, layers) = run(system, config);
    search.outcome(layers)
}

/// The layers up to a depth, once more.
pub(crate) fn layers<'c, Y: System>(system: &Y, config: &Config<'c>, depth: u64) -> Layers<'c> {
    let again = Config {
        strategy: Order::BreadthFirst,
        layers: Keeping::Keep,
        depth: Some(depth),
        states: None,
        deadline: &|| false,
        progress: &|_| {},
        findings: Findings::Continue,
        keep: None,
        ..config.clone()
    };
    run(system, &again).1
}

fn run<'s, 'c, Y: System>(system: &'s Y, config: &'s Config<'c>) -> (Search<'s, Y>, Layers<'c>) {
    let threads = if system.sequential() { 1 } else { config.threads.max(1) };
    let mut search = Search::new(system, config, threads);
    let breadth_first = config.strategy == Order::BreadthFirst;
    let disk = config.disk.filter(|_| breadth_first && config.memory == Memory::Exact);
    // On disk they cost no memory, and without them there is nothing to go on from.
    let forget = config.layers == Keeping::Forget && disk.is_none() && config.keep.is_none();
    let layers = Layers::new(disk, system.width(), forget);
    if !breadth_first {
        let initial = search.initial();
        let mut strategy = DepthFirst::new(initial, system.width(), threads);
        search.rounds(&mut strategy, threads);
        return (search, layers);
    }
    search.spills = disk.is_some() && config.bytes.is_some();
    let kept = search.kept();
    let initial = if kept.is_some() { Rows::default() } else { search.initial() };
    let mut strategy = BreadthFirst::new(layers, initial, system.width(), threads);
    if let (Some(disk), Some(bytes)) = (disk, config.bytes) {
        strategy = strategy.with_disk(disk, bytes / LOADED);
    }
    if let Some(kept) = kept {
        search.take_up(kept, &mut strategy);
    }
    search.rounds(&mut strategy, threads);
    (search, strategy.into_layers())
}

pub(crate) struct Search<'s, Y: System> {
    pub(crate) system: &'s Y,
    pub(crate) config: &'s Config<'s>,
    width: usize,
    reach_width: usize,
    visited: Option<Box<dyn Visited>>,
    stop: Mutex<Option<Stop>>,
    stopped: AtomicBool,
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
    /// Memory is used up: the round is to end, so that something can be done about it.
    pressed: AtomicBool,
    /// The visited set is full.
    full: AtomicBool,
    /// Rows may go to disk.
    spills: bool,
    /// They did: the visited set only filters.
    spilled: bool,
    trouble: Option<String>,
    alone: bool,
    kept: Kept,
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
    recent: Vec<u64>,
    counts: Counts,
    /// Since the shared numbers were last brought up to date.
    rows: u64,
    transitions: usize,
    /// Rows since somebody looked at the time.
    untimed: u64,
}

impl<W> Desk<W> {
    /// Leaves out targets that were met lately: they are in the visited set. Zero may be a row and is never left out.
    fn forget_recent(&mut self) {
        let recent = &mut self.recent[..];
        if recent.is_empty() {
            return;
        }
        self.targets.words.retain(|row| {
            let place = (row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - RECENT.ilog2())) as usize;
            *row == 0 || std::mem::replace(&mut recent[place], *row) != *row
        });
    }
}

impl<'s, Y: System> Search<'s, Y> {
    fn new(system: &'s Y, config: &'s Config<'s>, threads: usize) -> Search<'s, Y> {
        let count = system.properties().len() as u32;
        let properties = u64::MAX.checked_shr(64 - count.min(64)).unwrap_or(0);
        let mut search = Search {
            system,
            config,
            width: system.width(),
            reach_width: system.reach_width(),
            visited: None,
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
            pressed: Default::default(),
            full: Default::default(),
            spills: false,
            spilled: false,
            trouble: None,
            alone: threads == 1,
            kept: Kept::new(system.notes()),
        };
        search.remember(config.bytes.unwrap_or(u64::MAX));
        search
    }

    /// An empty visited set with this much room.
    fn remember(&mut self, limit: u64) {
        // The old one goes first, because there may be no room for two.
        self.visited = None;
        self.visited = visited(self.config.memory, self.width, Room { limit, alone: self.alone }).ok();
        if self.visited.is_none() {
            self.halt(Stop::Memory);
        }
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

    fn rounds(&mut self, strategy: &mut dyn Strategy, threads: usize) {
        let mut workers: Vec<Y::Worker> = (0..threads).map(|_| self.system.worker()).collect();
        while !self.is_stopped() && self.begin(strategy) {
            let (search, strategy): (&Search<'s, Y>, &dyn Strategy) = (self, strategy);
            search.note_frontier(strategy);
            if threads == 1 || !strategy.is_wide() {
                search.round(strategy, 0, &mut workers[0]);
            } else {
                std::thread::scope(|scope| {
                    for (thread, worker) in workers.iter_mut().enumerate() {
                        scope.spawn(move || {
                            let leaving = Leaving(search);
                            search.round(strategy, thread, worker);
                            std::mem::forget(leaving);
                        });
                    }
                });
            }
            search.look(strategy);
            search.tell(strategy);
        }
        if self.spilled {
            // What is still a candidate may count.
            self.put_away(strategy);
        }
        if self.system.bytes().is_err() {
            self.halt(Stop::Memory);
        }
        if self.counts.lock().expect(POISONED).cut {
            self.halt(Stop::Depth);
        }
    }

    /// Makes room if there is too little, and prepares the next round.
    fn begin(&mut self, strategy: &mut dyn Strategy) -> bool {
        if self.pressed.swap(false, Ordering::Relaxed) && !self.put_away(strategy) {
            return false;
        }
        match strategy.begin() {
            Ok(more) => {
                strategy.settled().into_iter().for_each(|states| self.states.store(states, Ordering::Relaxed));
                more && self.keep(strategy)
            }
            Err(error) => self.give_up(&error),
        }
    }

    fn put_away(&mut self, strategy: &mut dyn Strategy) -> bool {
        match strategy.put_away() {
            Ok(true) => {
                let full = self.full.swap(false, Ordering::Relaxed);
                if full || !std::mem::replace(&mut self.spilled, true) {
                    self.remember(self.limit() / 2);
                }
                strategy.settled().into_iter().for_each(|states| self.states.store(states, Ordering::Relaxed));
                true
            }
            Ok(false) => {
                self.halt(Stop::Memory);
                false
            }
            Err(error) => self.give_up(&error),
        }
    }

    /// The disk cannot be used; what is known by then is told.
    fn give_up(&mut self, error: &io::Error) -> bool {
        self.trouble.get_or_insert(error.to_string());
        self.halt(Stop::Disk);
        false
    }

    /// What one thread does in one round.
    fn round(&self, strategy: &dyn Strategy, thread: usize, worker: &mut Y::Worker) {
        let mut batch = Rows::default();
        let (targets, fresh, counts) = Default::default();
        let recent = if self.width == 1 { vec![0; RECENT] } else { Vec::new() };
        let mut desk = Desk { worker, targets, fresh, recent, counts, rows: 0, transitions: 0, untimed: 0 };
        let patience = self.system.patience();
        let mut told = self.states.load(Ordering::Relaxed) / TELL;
        while let Some(depth) = strategy.take(thread, &mut batch, &|| self.is_stopped() || self.is_pressed()) {
            desk.counts.depth = desk.counts.depth.max(depth);
            self.system.coming(desk.worker, &batch);
            for row in batch.iter(self.width) {
                let before = self.system.values();
                self.visit(&mut desk, strategy, (thread, depth), row);
                // Values cannot go to disk, and the next row may make some that are several times as large.
                let values = self.system.values();
                let soon = values.saturating_add((values - before.min(values)).saturating_mul(SWELLING));
                if self.config.bytes.is_some_and(|most| soon > most) {
                    self.halt(Stop::Memory);
                    break;
                }
                desk.untimed += 1;
                if desk.untimed >= patience {
                    desk.untimed = 0;
                    if self.is_late() {
                        break;
                    }
                }
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
        let expanded = self.system.reach(desk.worker, row, &mut desk.targets);
        let decided = (expanded.violated | expanded.satisfied) & self.properties;
        if decided & !self.decided.load(Ordering::Relaxed) != 0 {
            self.decide(strategy, at, row, expanded);
        }
        if self.config.depth.is_some_and(|most| at.1 >= most) {
            // Only judged: what it leads to lies beyond the bound.
            // Silence is none of its steps, and may lead somebody who watches on.
            desk.counts.cut |= !expanded.is_terminal() || desk.targets.words.len() > before;
            desk.targets.words.truncate(before);
            if expanded.error || expanded.is_terminal() {
                self.odd(desk, strategy, at, row, expanded);
            }
            return;
        }
        desk.transitions += (desk.targets.words.len() - before) / self.reach_width;
        match expanded.others {
            true => desk.counts.passive += 1,
            false => desk.counts.active += 1,
        }
        if expanded.error || expanded.is_terminal() {
            self.odd(desk, strategy, at, row, expanded);
        }
        if desk.targets.words.len() >= FLUSH * self.reach_width {
            self.flush(desk, strategy, at);
        }
    }

    /// Adds what the rows lead to.
    fn flush(&self, desk: &mut Desk<&mut Y::Worker>, strategy: &dyn Strategy, (thread, depth): (usize, u64)) {
        if desk.targets.words.is_empty() {
            return;
        }
        desk.fresh.clear();
        self.system.settle(desk.worker, &mut desk.targets);
        desk.forget_recent();
        self.add(&desk.targets, &mut desk.fresh);
        desk.targets.clear();
        if !desk.fresh.words.is_empty() {
            strategy.give(thread, depth + 1, &desk.fresh);
        }
    }

    fn add(&self, rows: &Rows, fresh: &mut Rows) {
        let Some(visited) = &self.visited else { return };
        let before = fresh.words.len();
        if visited.insert(&rows.words, fresh) == Err(Full) {
            if self.spills {
                // Nothing may be lost: whatever is too much will be found out when it is put away.
                fresh.words.truncate(before);
                fresh.words.extend_from_slice(&rows.words);
            }
            self.full.store(true, Ordering::Relaxed);
            self.pressed.store(true, Ordering::Relaxed);
        }
        if self.spilled {
            return;
        }
        self.states.fetch_add(fresh.count(self.width) as u64, Ordering::Relaxed);
    }

    /// Is there a reason to stop?
    fn look(&self, strategy: &dyn Strategy) {
        let reached = |states: u64| self.config.states.is_some_and(|most| states >= most);
        if reached(self.states.load(Ordering::Relaxed)) && strategy.waiting() > 0 {
            self.halt(Stop::States);
        } else if !self.is_late() && self.system.bytes().is_err() {
            self.halt(Stop::Memory);
        }
        if strategy.candidates() > 0 && reached(self.found_so_far(strategy)) {
            // Some of them may be known.
            self.pressed.store(true, Ordering::Relaxed);
        }
        self.press(self.bytes() + strategy.bytes());
    }

    fn press(&self, bytes: u64) {
        // Sorting candidates needs room, too.
        let limit = if self.spilled { self.limit() / 4 * 3 } else { self.limit() };
        if bytes > limit {
            self.pressed.store(true, Ordering::Relaxed);
        }
    }

    fn limit(&self) -> u64 {
        self.config.bytes.unwrap_or(u64::MAX)
    }

    fn found_so_far(&self, strategy: &dyn Strategy) -> u64 {
        self.states.load(Ordering::Relaxed) + strategy.candidates()
    }

    fn tell(&self, strategy: &dyn Strategy) {
        let counts = self.counts.lock().expect(POISONED);
        (self.config.progress)(Progress {
            states: self.found_so_far(strategy),
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
        // What is pointed to cannot go to disk, so it is no reason to put rows there.
        let pointed_to = if self.spills { 0 } else { self.system.bytes().unwrap_or(0) };
        self.visited.as_ref().map_or(0, |visited| visited.bytes()) + pointed_to
    }

    /// The first reason is the one that is told.
    fn halt(&self, reason: Stop) {
        self.stop.lock().expect(POISONED).get_or_insert(reason);
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Somebody does not want to wait any longer.
    fn is_late(&self) -> bool {
        if self.config.interrupted.load(Ordering::Relaxed) {
            self.halt(Stop::Interrupted);
        } else if (self.config.deadline)() {
            self.halt(Stop::Time);
        } else {
            return false;
        }
        true
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    fn outcome(self, layers: Layers<'_>) -> Outcome<Y::State, Y::Label> {
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
            endless: Vec::new(),
            terminal: counts.terminal,
            not_accepting: counts.not_accepting,
            active: counts.active,
            passive: counts.passive,
            largest_frontier: counts.largest_frontier,
            bytes: self.visited.as_ref().map_or(0, |visited| visited.bytes()) + self.system.bytes().unwrap_or(0),
            growth: None,
            spilled: self.spilled,
            trouble: self.trouble.clone(),
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
            cycle: None,
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
