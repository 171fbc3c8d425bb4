//! What became of scenarios that were played on an implementation.

use crate::{Breakdown, Verdict};
use interplay_diagnostics::Span;

/// The answer of `scenario run --sut`.
#[derive(Clone, Debug)]
pub struct Enacted {
    /// The name of the system.
    pub system: String,
    /// As the user named it.
    pub implementation: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// Those that were played, in order.
    pub scenarios: Vec<EnactedScenario>,
    /// The user had enough before all were played.
    pub interrupted: bool,
    /// The implementation or its adapter could not be run.
    pub trouble: Option<Breakdown>,
    /// How long it took.
    pub seconds: f64,
}

/// A scenario and what became of it on the implementation.
#[derive(Clone, Debug)]
pub struct EnactedScenario {
    /// As in the specification.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The values of its parameters: `who = "1"`; the ones that do not pass, if some do not.
    pub parameters: Vec<String>,
    /// With its evidence.
    pub verdict: EnactedVerdict,
}

/// What became of one scenario.
#[derive(Clone, Debug)]
pub enum EnactedVerdict {
    /// It went as the scenario says.
    Passed,
    /// The implementation does not keep to the specification.
    Failed {
        /// A sentence.
        title: String,
        /// What was said, the wrong thing last.
        lines: Vec<String>,
        /// What the specification allows instead.
        expected: Vec<String>,
    },
    /// All that was said is right, but it is not what the scenario says.
    Elsewhere {
        /// The line of the scenario that went another way.
        span: Span,
        /// What it says.
        expected: String,
        /// Nothing came at all.
        came: Option<String>,
        /// What was said.
        lines: Vec<String>,
    },
    /// The specification itself cannot play it: nothing was asked of the implementation.
    NotOfTheModel,
    /// No values of its parameters satisfy its condition.
    Nothing,
    /// The implementation could not go on: why.
    Trouble(Breakdown),
    /// The user had enough.
    Interrupted,
}

impl EnactedVerdict {
    /// Without the evidence.
    pub fn verdict(&self) -> Verdict {
        match self {
            EnactedVerdict::Passed => Verdict::Pass,
            EnactedVerdict::Failed { .. } | EnactedVerdict::NotOfTheModel | EnactedVerdict::Nothing => Verdict::Fail,
            EnactedVerdict::Elsewhere { .. } | EnactedVerdict::Trouble(_) | EnactedVerdict::Interrupted => {
                Verdict::Inconclusive
            }
        }
    }
}

impl Enacted {
    /// The scenarios with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.scenarios.iter().filter(|scenario| scenario.verdict.verdict() == verdict).count()
    }
}
