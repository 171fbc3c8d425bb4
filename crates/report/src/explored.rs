//! What an exploration found, as plain data: the input of every format that tells it.
//!
//! States, steps and traces are texts in specification syntax already; whoever explored knows how to say them. A verdict is
//! never alone: its assurance, its evidence and the reason for stopping are beside it.

use interplay_diagnostics::{Diagnostic, Fault, Span};

#[derive(Clone, Debug)]
pub struct Explored {
    pub system: String,
    pub setup: Option<String>,
    pub engine: Engine,
    /// With timeouts, of the extended graph.
    pub states: u64,
    pub transitions: u64,
    /// Steps to the farthest state; depth-first, of the longest way that was taken.
    pub depth: u64,
    pub stop: Stop,
    pub completeness: Completeness,
    /// What it is worth that all was seen: the setup may have removed steps, or grouped states.
    pub whole: Assurance,
    /// No state with a shorter way than this was left out, whatever ended the search.
    pub bounded: Option<u64>,
    pub properties: Vec<Judged>,
    pub findings: Vec<Found>,
    pub remarks: Vec<Remark>,
    pub growth: Option<Grows>,
    /// States in which the system waits, in which it can move by itself, and from which nothing leads on.
    pub active: u64,
    pub passive: u64,
    pub terminal: u64,
    /// Terminal states that are not accepting.
    pub not_accepting: u64,
    pub timeouts: bool,
    pub reduction: Option<Reduction>,
    /// Steps that a reduction left out, because they could wait.
    pub postponed: Option<u64>,
    /// What remembers the states.
    pub bytes: u64,
    /// States without those that timeouts add.
    pub visited: u64,
    pub seconds: f64,
    /// Some states were on disk.
    pub spilled: bool,
    /// What went wrong with the disk.
    pub trouble: Option<String>,
}

/// Who made the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    Compiled,
    /// With the reason, and the place in the text if there is one.
    Interpreted {
        why: String,
        span: Option<Span>,
    },
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
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

/// What "all states" is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Completeness {
    Exact,
    /// The probability that any state was left out is at most this.
    Compact {
        omission: f64,
    },
    /// This part of the states is expected to be visited.
    Bitstate {
        coverage: f64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail,
    Inconclusive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assurance {
    /// There is a trace.
    Proved,
    /// In all states that can happen.
    Exhaustive,
    /// In all states that the setup lets happen.
    UnderSetup,
    /// In one state of each group of the setup.
    Representatives,
    /// For all ways of so many steps.
    Bounded(u64),
}

/// A property with its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    pub name: String,
    pub verdict: Verdict,
    pub assurance: Option<Assurance>,
    /// In words.
    pub because: String,
    /// The finding that decides it.
    pub finding: Option<usize>,
    /// Left open although nobody asked for it by its name.
    pub optional: bool,
}

/// Something to show, with the way there.
#[derive(Clone, Debug)]
pub struct Found {
    pub kind: FoundKind,
    /// `None` if the model goes wrong before the first state.
    pub trace: Option<Walk>,
    /// No shorter way leads there.
    pub shortest: bool,
}

#[derive(Clone, Debug)]
pub enum FoundKind {
    Violated(String),
    /// A possibility, with an example.
    Satisfied(String),
    /// What the model gets wrong, and the step in which it does.
    Error {
        diagnostic: Diagnostic,
        step: Option<String>,
    },
    Deadlock,
}

/// A way through the system.
#[derive(Clone, Debug)]
pub struct Walk {
    pub start: Vec<String>,
    pub steps: Vec<WalkStep>,
    /// The last state.
    pub end: Vec<String>,
    /// The same as a scenario, to be kept and replayed.
    pub scenario: String,
}

#[derive(Clone, Debug)]
pub struct WalkStep {
    pub event: String,
    /// The event in the words of a scenario.
    pub line: String,
    /// What it changes.
    pub changes: Vec<String>,
    pub kind: WalkKind,
}

/// Who speaks in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkKind {
    Input,
    Output,
    /// Inputs, and what they are answered with in the same step.
    Exchange,
    Internal,
}

/// Nothing happened where something could have.
#[derive(Clone, Debug)]
pub struct Remark {
    pub message: String,
    pub span: Option<Span>,
}

/// Something without a visible bound.
#[derive(Clone, Debug)]
pub struct Grows {
    pub measure: String,
    /// The largest of each of the last layers.
    pub sizes: Vec<u64>,
    /// A line for the setup.
    pub proposal: String,
}

/// States that were taken as one.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The types whose values may be renamed.
    pub types: Vec<String>,
    /// How many states the visited ones stand for; not known where groups of states leave some out.
    pub represented: Option<u64>,
    /// So many, and not only at most: objects are numbered as they are made, so that not every renaming of a state happens.
    pub exact: bool,
}

impl Found {
    /// Not a mistake of the model: its setup leaves values without end, or a constant without a value.
    pub(crate) fn is_open(&self) -> bool {
        matches!(&self.kind, FoundKind::Error { diagnostic, .. } if diagnostic.code.fault() == Fault::Setup)
    }
}

impl Explored {
    /// What the whole exploration says: a finding weighs most, then what was left open.
    pub fn verdict(&self) -> Verdict {
        let bad = |found: &Found| !matches!(found.kind, FoundKind::Satisfied(_)) && !found.is_open();
        let is = |verdict: Verdict| self.properties.iter().any(|each| each.verdict == verdict && !each.optional);
        if self.findings.iter().any(bad) || is(Verdict::Fail) {
            return Verdict::Fail;
        }
        if is(Verdict::Inconclusive) || !self.is_conclusive() || self.findings.iter().any(Found::is_open) {
            return Verdict::Inconclusive;
        }
        Verdict::Pass
    }

    pub(crate) fn goes_wrong(&self) -> bool {
        self.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }))
    }

    /// The search saw all that it was meant to see.
    fn is_conclusive(&self) -> bool {
        let decided = self.stop == Stop::FirstFinding;
        let exact = !matches!(self.completeness, Completeness::Bitstate { .. });
        decided || exact && (self.stop == Stop::Exhausted || self.stop == Stop::Depth && self.bounded.is_some())
    }

    pub fn states_per_second(&self) -> f64 {
        self.visited as f64 / self.seconds.max(1e-6)
    }

    pub fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.visited.max(1) as f64
    }
}

impl Stop {
    pub fn word(self) -> &'static str {
        match self {
            Stop::Exhausted => "exhausted",
            Stop::Depth => "depth",
            Stop::States => "states",
            Stop::Time => "time",
            Stop::Memory => "memory",
            Stop::Disk => "disk",
            Stop::FirstFinding => "first finding",
            Stop::Interrupted => "interrupted",
        }
    }
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

impl std::fmt::Display for Assurance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Assurance::Proved => write!(f, "proved"),
            Assurance::Exhaustive => write!(f, "exhaustive"),
            Assurance::UnderSetup => write!(f, "exhaustive under the setup"),
            Assurance::Representatives => write!(f, "representatives"),
            Assurance::Bounded(steps) => write!(f, "bounded({steps})"),
        }
    }
}
