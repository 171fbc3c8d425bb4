//! How to search: one value, made by the caller. Clocks and signals come in as functions, so that the search itself has none.

use crate::checkpoint::Keep;
use interplay_visited::Disk;
use interplay_visited::Memory;
use std::sync::atomic::AtomicBool;

#[derive(Clone)]
pub struct Config<'c> {
    pub strategy: Strategy,
    pub threads: usize,
    pub memory: Memory,
    /// Steps from the initial states. Depth-first, it is the length of the way by which a state was first reached.
    pub depth: Option<u64>,
    /// Stops when so many states were found; several threads may find a few more.
    pub states: Option<u64>,
    /// In bytes: the visited set, and the rows that wait or are kept.
    pub bytes: Option<u64>,
    /// Time is up. Asked every few hundred states.
    pub deadline: &'c (dyn Fn() -> bool + Sync),
    /// The user has had enough.
    pub interrupted: &'c AtomicBool,
    /// Told after every layer, and now and then inside large ones.
    pub progress: &'c (dyn Fn(Progress) + Sync),
    pub findings: Findings,
    /// A state without steps is a finding, unless its end is meant.
    pub deadlocks: bool,
    pub layers: Layers,
    /// Where rows go when the bytes are used up; breadth-first with exact memory only. Without it the search ends there.
    pub disk: Option<&'c dyn Disk>,
    /// Where the search is kept, breadth-first only; what is there already is taken up.
    pub keep: Option<&'c dyn Keep>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Layer by layer: every state is first reached by a shortest way.
    #[default]
    BreadthFirst,
    /// As far as possible first: few states wait at a time.
    DepthFirst,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Findings {
    #[default]
    StopAtFirst,
    /// Each property, and each place where the model goes wrong, is reported once.
    Continue,
}

/// What to do with a layer after it was expanded; breadth-first only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layers {
    /// Kept, for traces and for what grows: one more copy of each row.
    #[default]
    Keep,
    /// Forgotten. If there is something to trace, the search is done once more with its layers kept.
    Forget,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    /// States that wait to be expanded.
    pub frontier: u64,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Config<'_> {
    fn default() -> Self {
        Config {
            strategy: Strategy::default(),
            threads: 1,
            memory: Memory::default(),
            depth: None,
            states: None,
            bytes: None,
            deadline: &|| false,
            interrupted: &NEVER,
            progress: &|_| {},
            findings: Findings::default(),
            deadlocks: false,
            layers: Layers::default(),
            disk: None,
            keep: None,
        }
    }
}
