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
    /// The questions of a proof, as texts for any solver.
    pub files: Vec<ProofFile>,
    /// What a proof leaves out.
    pub condition: Option<&'static str>,
    pub seconds: f64,
}

/// A question of a proof: a text of SMT-LIB to which the answer is `unsat`.
#[derive(Clone, Debug)]
pub struct ProofFile {
    pub name: String,
    /// What it says, in words.
    pub about: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds,
    Violated,
    Possible,
    Impossible,
    /// It cannot be judged: the model goes wrong where it is asked.
    Wrong,
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
    /// An inductive invariant, over so many steps, and the programs that agree about it: the one that found it, then those that
    /// confirmed it.
    Invariant {
        conjuncts: Vec<String>,
        steps: usize,
        solvers: Vec<&'static str>,
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
        let is = |verdict| self.properties.iter().any(|each| each.verdict == verdict);
        match () {
            () if is(Verdict::Fail) => Verdict::Fail,
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
            Answer::Wrong => "goes wrong",
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

    /// The same with the programs that agreed: `proved (z3, confirmed by cvc5)`.
    pub fn assured(&self) -> Option<String> {
        let Evidence::Invariant { solvers, .. } = self else { return self.assurance().map(String::from) };
        let (first, others) = solvers.split_first()?;
        Some(match others.is_empty() {
            true => format!("proved ({first})"),
            false => format!("proved ({first}, confirmed by {})", others.join(" and ")),
        })
    }
}
