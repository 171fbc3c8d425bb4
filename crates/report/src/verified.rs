//! What was proved and what was not, as plain data: the input of every format that tells it.

use crate::{Verdict, Walk};
use interplay_diagnostics::{Diagnostic, Span};

#[derive(Clone, Debug)]
pub struct Verified {
    pub system: String,
    pub setup: Option<String>,
    pub properties: Vec<Proved>,
    /// Constants without a value: the answers are about all of them.
    pub symbolic: Vec<String>,
    /// The solver is missing: what to do.
    pub missing: Option<String>,
    pub seconds: f64,
}

/// A property with its answer.
#[derive(Clone, Debug)]
pub struct Proved {
    pub name: String,
    pub verdict: Verdict,
    pub answer: Answer,
    /// Who knew it, or who came how far.
    pub engine: Option<&'static str>,
    pub evidence: Evidence,
    pub progress: Vec<Attempt>,
    /// Not asked for by its name, so that not knowing it is no failure.
    pub optional: bool,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds,
    Violated,
    Possible,
    Impossible,
    Unknown,
}

#[derive(Clone, Debug)]
pub enum Evidence {
    None,
    /// A run of the interpreter, with the values of symbolic constants as lines of a setup.
    Trace {
        walk: Walk,
        constants: Vec<String>,
        error: Option<Box<Diagnostic>>,
    },
    /// An inductive invariant, over so many steps.
    Invariant {
        conjuncts: Vec<String>,
        steps: usize,
    },
    /// All states were visited.
    Exhausted {
        states: u64,
    },
}

/// How far an engine came that does not know the answer.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub engine: &'static str,
    pub text: String,
    pub span: Option<Span>,
}

impl Verified {
    /// What all answers together say.
    pub fn verdict(&self) -> Verdict {
        let is = |verdict| self.properties.iter().any(|each| each.verdict == verdict && !each.optional);
        match () {
            () if self.properties.iter().any(|each| each.verdict == Verdict::Fail) => Verdict::Fail,
            () if is(Verdict::Inconclusive) => Verdict::Inconclusive,
            () => Verdict::Pass,
        }
    }
}

impl Answer {
    pub fn word(self) -> &'static str {
        match self {
            Answer::Holds => "holds",
            Answer::Violated => "violated",
            Answer::Possible => "possible",
            Answer::Impossible => "impossible",
            Answer::Unknown => "unknown",
        }
    }
}

impl Evidence {
    /// What the answer is worth.
    pub fn assurance(&self) -> Option<&'static str> {
        match self {
            Evidence::None => None,
            Evidence::Trace { .. } | Evidence::Invariant { .. } => Some("proved"),
            Evidence::Exhausted { .. } => Some("exhaustive"),
        }
    }
}
