//! What was proved and what was not, as plain data: the input of every format that tells it.

use crate::words::words;
use crate::{Verdict, Walk};
use interplay_diagnostics::{Diagnostic, Span};

/// The answer of `verify`.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// Each with its answer.
    pub properties: Vec<Proved>,
    /// Constants without a value: the answers are about all of them.
    pub symbolic: Vec<String>,
    /// The solver is missing: what to do.
    pub missing: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

/// A property with its answer.
#[derive(Clone, Debug)]
pub struct Proved {
    /// As in the specification.
    pub name: String,
    /// Of this property alone.
    pub verdict: Verdict,
    /// In the words of proofs.
    pub answer: Answer,
    /// Who knew it, or who came how far.
    pub engine: Option<&'static str>,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// How far the engines came.
    pub progress: Vec<Attempt>,
    /// The questions of a proof, as texts for any solver.
    pub files: Vec<ProofFile>,
    /// What a proof leaves out.
    pub condition: Option<&'static str>,
    /// How long it took.
    pub seconds: f64,
}

/// A question of a proof: a text of SMT-LIB to which the answer is `unsat`.
#[derive(Clone, Debug)]
pub struct ProofFile {
    /// Of the file.
    pub name: String,
    /// What it says, in words.
    pub about: String,
    /// In SMT-LIB.
    pub text: String,
}

words! {
    /// What is known about a property.
    Answer {
        /// In every run.
        Holds = "holds",
        /// There is a run that breaks it.
        Violated = "violated",
        /// There is a run that shows it.
        Possible = "possible",
        /// No run shows it.
        Impossible = "impossible",
        /// It cannot be judged: the model goes wrong where it is asked.
        Wrong = "goes wrong",
        /// No engine knows.
        Unknown = "unknown",
    }
}

/// What an answer rests on.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Nothing: there is no answer.
    None,
    /// A run of the interpreter, with the values of symbolic constants as lines of a setup.
    Trace {
        /// As short as was found.
        walk: Walk,
        /// Lines of a setup.
        constants: Vec<String>,
        /// What goes wrong at its end, if something does.
        error: Option<Box<Diagnostic>>,
    },
    /// An inductive invariant, over so many steps, and the programs that agree about it: the one that found it, then those that
    /// confirmed it.
    Invariant {
        /// In specification syntax.
        conjuncts: Vec<String>,
        /// Induction over so many.
        steps: usize,
        /// By name.
        solvers: Vec<&'static str>,
    },
    /// All states were visited.
    Exhausted {
        /// How many there are.
        states: u64,
        /// The setup leaves steps out, so that it is known under the setup only.
        driven: bool,
    },
}

/// How far an engine came that does not know the answer.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its name.
    pub engine: &'static str,
    /// What it can say, in words.
    pub text: String,
    /// What it could not handle, if that has a place.
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

impl Evidence {
    /// What the answer is worth.
    pub fn assurance(&self) -> Option<&'static str> {
        match self {
            Evidence::None => None,
            Evidence::Trace { .. } | Evidence::Invariant { .. } => Some("proved"),
            Evidence::Exhausted { driven: true, .. } => Some("exhaustive under the setup"),
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
