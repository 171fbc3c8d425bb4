//! What a search found out, why it ended, and what that is worth.

use crate::{Growth, Property};
use interplay_semantics::ModelError;
use interplay_visited::Assurance;

#[derive(Clone, Debug)]
pub struct Outcome<S, L> {
    pub states: u64,
    pub transitions: u64,
    /// Steps to the farthest state; depth-first, of the longest way that was taken.
    pub depth: u64,
    pub stop: Stop,
    pub assurance: Assurance,
    pub findings: Vec<Finding<S, L>>,
    /// In the order of the system's properties; those that it cannot judge last.
    pub verdicts: Vec<(String, Verdict)>,
    /// The properties that only endless runs decide, and that fair runs were asked about.
    pub endless: Vec<String>,
    /// States without steps.
    pub terminal: u64,
    /// Terminal states that are not accepting.
    pub not_accepting: u64,
    /// Expanded states in which the system can do nothing by itself, and those in which it can.
    pub active: u64,
    pub passive: u64,
    pub largest_frontier: u64,
    /// Of the visited set.
    pub bytes: u64,
    /// What grows, if the search did not come to an end by itself.
    pub growth: Option<Growth>,
    /// Rows had to go to disk.
    pub spilled: bool,
    /// What went wrong with the disk.
    pub trouble: Option<String>,
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing more to visit.
    Exhausted,
    Depth,
    States,
    Time,
    Memory,
    /// It could not be written or read.
    Disk,
    FirstFinding,
    Interrupted,
}

#[derive(Clone, Debug)]
pub struct Finding<S, L> {
    pub kind: FindingKind,
    /// `None` if the model goes wrong before the first state.
    pub trace: Option<Trace<S, L>>,
    /// No shorter way leads there.
    pub shortest: bool,
    /// After so many steps of the trace begins what repeats for ever.
    pub cycle: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum FindingKind {
    Violated(Property),
    /// A possibility, with an example.
    Satisfied(Property),
    /// The step that goes wrong is not part of the trace; the error knows it.
    Error(ModelError),
    Deadlock,
}

/// A way through the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<S, L> {
    pub start: S,
    pub steps: Vec<(L, S)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All states were visited and none violates it.
    Holds,
    /// No visited state violates it, but not all were visited.
    HoldsSoFar(Stop),
    Violated,
    Satisfied,
    /// A possibility that no state satisfies, and all were visited.
    Impossible,
    /// A possibility that no visited state satisfies, but not all were visited.
    NotReached(Stop),
    NotJudged(String),
}

impl<S, L> Outcome<S, L> {
    pub fn verdict(&self, property: &str) -> Option<&Verdict> {
        self.verdicts.iter().find(|(name, _)| name == property).map(|(_, verdict)| verdict)
    }
}
