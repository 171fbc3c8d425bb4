//! A test that passed: what the verdict is worth.

use interplay_answers::Tested;
use std::fmt::{Display, Formatter};

/// What was run, what it covered, and what a reader should know before trusting it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Conversations.
    pub runs: u64,
    /// Inputs and outputs of all of them.
    pub steps: u64,
    /// Parts of the specification that were used.
    pub coverage: Coverage,
    /// Rules that never fired, inputs that were never given, properties that were never put to the test.
    pub warnings: Vec<String>,
    text: String,
}

/// How much of the specification a test used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Rules that fired.
    pub rules: Share,
    /// Locations that were reached.
    pub locations: Share,
    /// Branches of `if`, cases of `match`, bodies of loops.
    pub branches: Share,
    /// Outputs that came.
    pub outputs: Share,
    /// States of the model that were possible at some time.
    pub states: usize,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Used.
    pub covered: usize,
    /// In all.
    pub of: usize,
}

impl Report {
    pub(crate) fn new(tested: &Tested, text: String) -> Report {
        let covered = &tested.coverage;
        let share = |(covered, of): (usize, usize)| Share { covered, of };
        let given = covered.never_given.iter().map(|input| format!("never given: {input}"));
        let missed = covered.missed.iter().map(|missed| missed.message.clone());
        let coverage = Coverage {
            rules: share(covered.rules),
            locations: share(covered.locations),
            branches: share(covered.branches),
            outputs: share(covered.outputs),
            states: covered.states,
        };
        let warnings = tested.remarks.iter().cloned().chain(given).chain(missed).collect();
        Report { runs: tested.runs, steps: tested.steps, coverage, warnings, text }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
