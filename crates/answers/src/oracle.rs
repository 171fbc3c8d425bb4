//! What `oracle` tells: the automaton of each property, and what the properties say about each other.

use interplay_diagnostics::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `oracle`.
#[derive(Clone, Debug)]
pub struct Oracles {
    /// The name of the system.
    pub system: String,
    /// The properties that all others may rely on.
    pub assuming: Vec<String>,
    /// Those that have an oracle.
    pub properties: Vec<OracleOf>,
    /// What has no oracle, and why.
    pub refused: Vec<Diagnostic>,
    /// What the properties say about each other.
    pub remarks: Vec<OracleRemark>,
}

/// A property and its automata.
#[derive(Clone, Debug)]
pub struct OracleOf {
    /// As in the specification.
    pub name: String,
    /// Its comment.
    pub doc: String,
    /// Asks for a run that shows it.
    pub possible: bool,
    /// The variables of `for every` in front, each of whose values is watched by itself.
    pub instances: Vec<String>,
    /// What decides it: `safety`, `guarantee`, `liveness` or `mixed`.
    pub class: &'static str,
    /// It speaks of time.
    pub timed: bool,
    /// Conjuncts with an automaton of their own.
    pub parts: Vec<OraclePart>,
    /// Conjuncts about the past whose automaton would be too large; they run in constant memory without one.
    pub without_automaton: usize,
}

/// The automaton of one conjunct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OraclePart {
    /// With the violation.
    pub states: usize,
    /// Its edges.
    pub edges: usize,
    /// States from which no violation can be reached.
    pub safe: usize,
    /// The number of steps of the shortest violation; `None` if no run breaks it.
    pub shortest: Option<u32>,
}

/// Something about a property that its author should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OracleRemark {
    /// Its name.
    pub property: String,
    /// A word for programs.
    pub kind: &'static str,
    /// A sentence.
    pub message: String,
}

impl OracleOf {
    /// The states of the largest automaton.
    pub fn states(&self) -> usize {
        self.parts.iter().map(|part| part.states).max().unwrap_or(0)
    }

    /// Steps of the shortest violation of any part; `None` if no run breaks it.
    pub fn shortest(&self) -> Option<u32> {
        self.parts.iter().filter_map(|part| part.shortest).min()
    }
}
