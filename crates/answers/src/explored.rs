//! What an exploration found.
//!
//! States, steps and traces are texts in specification syntax already; whoever explored knows how to say them. A verdict is
//! never alone: its assurance, its evidence and the reason for stopping are beside it.

use crate::words::words;
use interplay_diagnostics::{Diagnostic, Fault, Span};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `explore`.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// Who made the steps, and why not the fast one.
    pub engine: Engine,
    /// With timeouts, of the extended graph.
    pub states: u64,
    /// Steps between the states.
    pub transitions: u64,
    /// Steps to the farthest state; depth-first, of the longest way that was taken.
    pub depth: u64,
    /// Why the search ended.
    pub stop: Stop,
    /// What "all states" is worth, by the way in which states were remembered.
    pub completeness: Completeness,
    /// What it is worth that all was seen: the setup may have removed steps, or grouped states.
    pub whole: Assurance,
    /// No state with a shorter way than this was left out, whatever ended the search.
    pub bounded: Option<u64>,
    /// Each with its verdict.
    pub properties: Vec<Judged>,
    /// Ways to what is wrong, and to what is possible.
    pub findings: Vec<Found>,
    /// What never happened.
    pub remarks: Vec<Remark>,
    /// What seems to have no end.
    pub growth: Option<Grows>,
    /// States in which the system waits, in which it can move by itself, and from which nothing leads on.
    pub active: u64,
    /// States in which it can move by itself.
    pub passive: u64,
    /// States from which nothing leads on.
    pub terminal: u64,
    /// Terminal states that are not accepting.
    pub not_accepting: u64,
    /// Waiting in vain counts as a step.
    pub timeouts: bool,
    /// States that were taken as one.
    pub reduction: Option<Reduction>,
    /// Steps that a reduction left out, because they could wait.
    pub postponed: Option<u64>,
    /// What remembers the states.
    pub bytes: u64,
    /// States without those that timeouts add.
    pub visited: u64,
    /// How long it took.
    pub seconds: f64,
    /// Some states were on disk.
    pub spilled: bool,
    /// What went wrong with the disk.
    pub trouble: Option<String>,
}

/// Who made the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Native code.
    Compiled,
    /// With the reason, and the place in the text if there is one.
    Interpreted {
        /// In words.
        why: String,
        /// What cannot be compiled.
        span: Option<Span>,
    },
}

words! {
    /// Why the search ended.
    Stop {
        /// Nothing was left.
        Exhausted = "exhausted",
        /// The limit of depth.
        Depth = "depth",
        /// The limit of states.
        States = "states",
        /// The limit of time.
        Time = "time",
        /// The limit of memory.
        Memory = "memory",
        /// It could not be written or read.
        Disk = "disk",
        /// A finding, and nobody asked to go on.
        FirstFinding = "first finding",
        /// The user had enough.
        Interrupted = "interrupted",
    }
}

/// What "all states" is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Completeness {
    /// Every state was kept whole.
    Exact,
    /// The probability that any state was left out is at most this.
    Compact {
        /// At most.
        omission: f64,
    },
    /// This part of the states is expected to be visited.
    Bitstate {
        /// Between 0 and 1.
        coverage: f64,
    },
}

words! {
    /// What an answer says about what was asked.
    Verdict {
        /// Met, as far as the assurance says.
        Pass = "pass",
        /// Violated, with evidence.
        Fail = "fail",
        /// Neither can be said.
        Inconclusive = "inconclusive",
    }
}

/// What a verdict is worth.
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
    /// As in the specification.
    pub name: String,
    /// Of this property alone.
    pub verdict: Verdict,
    /// None without a verdict.
    pub assurance: Option<Assurance>,
    /// In words.
    pub because: String,
    /// Nobody followed it, for the reason that `because` tells.
    pub not_judged: bool,
    /// The finding that decides it.
    pub finding: Option<usize>,
    /// Left open although nobody asked for it by its name.
    pub optional: bool,
}

/// Something to show, with the way there.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found.
    pub kind: FoundKind,
    /// `None` if the model goes wrong before the first state.
    pub trace: Option<Walk>,
    /// No shorter way leads there.
    pub shortest: bool,
}

/// The kinds of findings.
#[derive(Clone, Debug)]
pub enum FoundKind {
    /// A property, by its name.
    Violated(String),
    /// A possibility, with an example.
    Satisfied(String),
    /// What the model gets wrong, and the step in which it does.
    Error {
        /// Where in the text, and what is wrong.
        diagnostic: Diagnostic,
        /// None if it is no step that goes wrong.
        step: Option<String>,
    },
    /// Nothing can happen, and the state is not accepting.
    Deadlock,
}

/// A way through the system.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The first state, one line for each variable.
    pub start: Vec<String>,
    /// In order.
    pub steps: Vec<WalkStep>,
    /// The last state.
    pub end: Vec<String>,
    /// The same as a scenario, to be kept and replayed.
    pub scenario: String,
    /// After so many steps begins what repeats for ever.
    pub cycle: Option<usize>,
}

/// One step of a way.
#[derive(Clone, Debug)]
pub struct WalkStep {
    /// In specification syntax.
    pub event: String,
    /// The event in the words of a scenario.
    pub line: String,
    /// What it changes.
    pub changes: Vec<String>,
    /// For charts.
    pub kind: WalkKind,
}

/// Who speaks in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkKind {
    /// The environment.
    Input,
    /// The system.
    Output,
    /// Inputs, and what they are answered with in the same step.
    Exchange,
    /// Nobody outside.
    Internal,
}

/// Nothing happened where something could have.
#[derive(Clone, Debug)]
pub struct Remark {
    /// A sentence.
    pub message: String,
    /// Where it stands.
    pub span: Option<Span>,
}

/// Something without a visible bound.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Grows {
    /// What grows, in words.
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
    pub fn is_open(&self) -> bool {
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

    /// The model itself goes wrong somewhere.
    pub fn goes_wrong(&self) -> bool {
        self.findings.iter().any(|found| matches!(found.kind, FoundKind::Error { .. }))
    }

    /// The search saw all that it was meant to see.
    fn is_conclusive(&self) -> bool {
        let decided = self.stop == Stop::FirstFinding;
        let exact = !matches!(self.completeness, Completeness::Bitstate { .. });
        decided || exact && (self.stop == Stop::Exhausted || self.stop == Stop::Depth && self.bounded.is_some())
    }

    /// Without those that timeouts add.
    pub fn states_per_second(&self) -> f64 {
        self.visited as f64 / self.seconds.max(1e-6)
    }

    /// Of what remembers them.
    pub fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.visited.max(1) as f64
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
