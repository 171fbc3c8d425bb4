//! A changed specification: its text, its size, and what there is to say about it.

use crate::Picture;
use std::collections::BTreeSet;

/// The result of an operation on a specification.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The name of the system.
    pub system: String,
    /// `suspend`, `determinise`, ...
    pub operations: Vec<String>,
    /// The specification, ready to be written to a file.
    pub text: String,
    /// Places of the automaton.
    pub places: usize,
    /// Its steps.
    pub steps: usize,
    /// The verdicts that are places, in order.
    pub verdicts: Vec<String>,
    /// What whoever uses the result must know.
    pub remarks: Vec<String>,
    /// Setups of which the result has not every line, so that they may drive it otherwise; `remarks` says which.
    pub setups_cut: BTreeSet<String>,
    /// The automaton, to be drawn.
    pub picture: Picture,
}

/// What a specification leaves open.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// The name of the system.
    pub system: String,
    /// Place, and the inputs that it does not mention, with the condition.
    pub unspecified: Vec<(String, String)>,
    /// A conversation after which a right implementation would be blamed.
    pub false_alarm: Option<Vec<String>>,
    /// Why that was not looked for, or how far.
    pub remark: Option<String>,
}
