//! What became of scenarios that were played on the model.

use interplay_diagnostics::{Diagnostic, Span};

/// A scenario and what became of it.
#[derive(Clone, Debug)]
pub struct Played {
    /// As in the text.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// How many lines it has.
    pub lines: usize,
    /// The values of its parameters, in specification syntax: `who = "1234"`.
    pub parameters: Vec<String>,
    /// What happened line by line, as far as it went well.
    pub steps: Vec<String>,
    /// With its evidence.
    pub verdict: PlayVerdict,
}

/// Whether a scenario goes as it says.
#[derive(Clone, Debug)]
pub enum PlayVerdict {
    /// As it says.
    Passed,
    /// The model has no run in which this line goes as it says.
    Failed {
        /// The place of the line.
        span: Span,
        /// What the line says.
        expected: String,
        /// What would have been possible instead, in specification syntax.
        possible: Vec<String>,
        /// The values of the parts of a condition.
        parts: Vec<(Span, String)>,
        /// Where the system may have been, each state as lines.
        before: Vec<Vec<String>>,
    },
    /// The model itself gets something wrong.
    Broken(Diagnostic),
    /// No values of the parameters satisfy the condition, so nothing was played.
    Nothing,
}

impl Played {
    /// It goes as it says.
    pub fn passed(&self) -> bool {
        matches!(self.verdict, PlayVerdict::Passed)
    }
}
