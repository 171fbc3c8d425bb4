//! A test that aims at a verdict, as plain data, for people, and as JSON.

use crate::Breakdown;
use std::collections::BTreeMap;

/// The answer of `test --case` and `test --target`.
#[derive(Clone, Debug)]
pub struct Targeted {
    /// The name of the system.
    pub system: String,
    /// As the user named it.
    pub implementation: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// What guided the test.
    pub guide: String,
    /// What the test aims at, if that is known.
    pub target: Option<String>,
    /// The weightiest verdict of all runs: `ViolateFail`, `Satisfy`, `Pass`, `Inconclusive`, ...
    pub verdict: String,
    /// What that says about the implementation, the specification and the property.
    pub meaning: Vec<String>,
    /// The run with this verdict, one event per line.
    pub conversation: Vec<String>,
    /// How many were made.
    pub runs: u64,
    /// How many runs ended so.
    pub verdicts: BTreeMap<String, u64>,
    /// Repeats the choices.
    pub seed: u64,
    /// The implementation or the specification could not go on.
    pub trouble: Option<Breakdown>,
    /// What a reader should know before trusting the verdict.
    pub remarks: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}
