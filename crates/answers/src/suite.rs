//! A test suite: few and short runs, as data that scenarios and test files of other languages are written from.

use interplay_diagnostics::Diagnostic;
use serde_json::Value;

/// The answer of `interplay suite`.
#[derive(Clone, Debug)]
pub struct Suited {
    /// The name of the system.
    pub system: String,
    /// The setup that was used, if one was.
    pub setup: Option<String>,
    /// Few and short, in the order in which they cover.
    pub cases: Vec<SuiteCase>,
    /// What is covered, what no run can do, and what was not decided: in words.
    pub covered: Vec<String>,
    /// What no run can do.
    pub infeasible: Vec<String>,
    /// What was not decided.
    pub open: Vec<String>,
    /// States that were visited.
    pub states: usize,
    /// These were all states.
    pub exhausted: bool,
    /// What the model gets wrong; runs that go wrong are no tests.
    pub wrong: Option<Box<Diagnostic>>,
}

/// One test.
#[derive(Clone, Debug)]
pub struct SuiteCase {
    /// Of the scenario and of the test.
    pub name: String,
    /// What it does that no case before it does.
    pub covers: Vec<String>,
    /// As a scenario, with its name.
    pub scenario: String,
    /// Events.
    pub steps: usize,
    /// What the adapter is told: the setup and the constants.
    pub settings: Value,
    /// What is given and what must be seen, for the test files.
    pub items: Vec<Value>,
}

/// The languages of test files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteLanguage {
    /// Specification syntax.
    Scenarios,
    /// For unittest and pytest.
    Python,
    /// For `node --test`.
    JavaScript,
    /// For `cargo test`.
    Rust,
}

impl SuiteLanguage {
    /// The end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            SuiteLanguage::Scenarios => "play",
            SuiteLanguage::Python => "py",
            SuiteLanguage::JavaScript => "mjs",
            SuiteLanguage::Rust => "rs",
        }
    }
}
