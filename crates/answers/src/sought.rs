//! What became of the search for goals.

use crate::words::words;
use crate::{Verdict, Walk};
use interplay_diagnostics::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

/// The answers to all goals that were asked for.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The name of the system.
    pub system: String,
    /// In the order in which they were asked for.
    pub goals: Vec<SoughtGoal>,
    /// The user had enough before all were asked.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// A goal and what became of it.
#[derive(Clone, Debug)]
pub struct SoughtGoal {
    /// As in the specification.
    pub name: String,
    /// With its evidence.
    pub answer: SoughtAnswer,
    /// Who found the answer.
    pub method: Option<&'static str>,
    /// The setups that it is about; none is the specification as it is.
    pub setups: Vec<String>,
    /// Scenarios of the library that could not be used, and why.
    pub left_out: Vec<(String, String)>,
    /// Why a method could not be asked.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// What became of a goal, with the evidence.
#[derive(Clone, Debug)]
pub enum SoughtAnswer {
    /// There is a way.
    Reached {
        /// As short as was found.
        way: Walk,
        /// The values of the parameters: `x = "1"`.
        values: Vec<String>,
        /// Each conjunct with the number of the step that achieves it for good; none if it holds from the start.
        achieved: Vec<(Option<usize>, String)>,
        /// No shorter way leads there.
        shortest: bool,
    },
    /// Nobody found a way, and the model or the goal itself goes wrong on this one; nothing leads there if it does not start.
    Wrong {
        /// What is wrong.
        error: Box<Diagnostic>,
        /// As short as was found.
        way: Option<Walk>,
    },
    /// All states were visited, or a solver has proved it with an invariant.
    Unreachable {
        /// States that were visited; 0 if a solver has proved it.
        states: u64,
        /// What is always true and excludes the goal.
        invariant: Option<Vec<String>>,
        /// The setup leaves steps out, so that it is known under the setup only.
        driven: bool,
    },
    /// These conjuncts cannot hold together.
    Contradictory {
        /// As few as were found.
        core: Vec<String>,
    },
    /// Nobody found a way, and nobody showed that there is none.
    Unknown {
        /// States that were visited.
        states: u64,
        /// What came nearest.
        nearest: Option<SoughtNear>,
        /// What stood in the way, if it was not the time.
        obstacle: Option<Box<Diagnostic>>,
    },
}

/// What came nearest to a goal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SoughtNear {
    /// The way there, in specification syntax.
    pub events: Vec<String>,
    /// The conjuncts that do not hold after them.
    pub lacks: Vec<String>,
    /// The scenario of the library that these are the beginning of.
    pub scenario: Option<String>,
}

impl Sought {
    /// Whether every goal has an answer, and nothing goes wrong.
    pub fn verdict(&self) -> Verdict {
        let is = |verdict: Verdict| self.goals.iter().any(|goal| goal.answer.verdict() == verdict);
        match () {
            () if is(Verdict::Fail) => Verdict::Fail,
            () if is(Verdict::Inconclusive) || self.interrupted => Verdict::Inconclusive,
            () => Verdict::Pass,
        }
    }
}

words! {
    /// What became of a goal, in a word.
    SoughtWord {
        /// There is a way.
        Reached = "reached",
        /// The model or the goal goes wrong on the way.
        Wrong = "wrong",
        /// There is no way.
        Unreachable = "unreachable",
        /// Its conjuncts cannot hold together.
        Contradictory = "contradictory",
        /// Nobody found a way, and nobody showed that there is none.
        Unknown = "unknown",
    }
}

impl SoughtAnswer {
    /// Without the evidence.
    pub fn kind(&self) -> SoughtWord {
        match self {
            SoughtAnswer::Reached { .. } => SoughtWord::Reached,
            SoughtAnswer::Wrong { .. } => SoughtWord::Wrong,
            SoughtAnswer::Unreachable { .. } => SoughtWord::Unreachable,
            SoughtAnswer::Contradictory { .. } => SoughtWord::Contradictory,
            SoughtAnswer::Unknown { .. } => SoughtWord::Unknown,
        }
    }

    /// As people and programs read it.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// An answer passes, whatever it is; a model that goes wrong does not.
    pub fn verdict(&self) -> Verdict {
        match self {
            SoughtAnswer::Wrong { .. } => Verdict::Fail,
            SoughtAnswer::Unknown { .. } => Verdict::Inconclusive,
            _ => Verdict::Pass,
        }
    }

    /// What goes wrong, or what stood in the way.
    pub fn problem(&self) -> Option<&Diagnostic> {
        match self {
            SoughtAnswer::Wrong { error, .. } => Some(error),
            SoughtAnswer::Unknown { obstacle, .. } => obstacle.as_deref(),
            _ => None,
        }
    }

    /// What the answer is worth.
    pub fn assurance(&self) -> Option<&'static str> {
        match self {
            SoughtAnswer::Reached { .. } | SoughtAnswer::Contradictory { .. } | SoughtAnswer::Wrong { .. } => {
                Some("proved")
            }
            SoughtAnswer::Unreachable { invariant: Some(_), .. } => Some("proved"),
            SoughtAnswer::Unreachable { driven: true, .. } => Some("exhaustive under the setup"),
            SoughtAnswer::Unreachable { .. } => Some("exhaustive"),
            SoughtAnswer::Unknown { .. } => None,
        }
    }

    /// How many events the way has.
    pub fn events(&self) -> Option<usize> {
        match self {
            SoughtAnswer::Reached { way, .. } | SoughtAnswer::Wrong { way: Some(way), .. } => Some(way.steps.len()),
            _ => None,
        }
    }
}
