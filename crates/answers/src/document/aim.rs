//! What `test --case --json` and `test --target --json` print.

use super::version::Version;
use crate::Targeted;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A test that aims at a verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestCaseDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    implementation: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    /// What guided the test.
    guide: &'a str,
    /// What it aims at, if that is known.
    target: Option<&'a str>,
    /// The weightiest verdict of all runs: `ViolateFail`, `Satisfy`, `Pass`, `Inconclusive`, ...
    verdict: &'a str,
    /// What that says about the implementation, the specification and the property.
    meaning: &'a [String],
    /// The run with this verdict, one event per line.
    conversation: &'a [String],
    runs: u64,
    /// How many runs ended so.
    verdicts: &'a BTreeMap<String, u64>,
    seed: u64,
    /// The implementation or the specification could not go on.
    trouble: Option<&'a str>,
    remarks: &'a [String],
    /// How long it took.
    seconds: f64,
}

impl Targeted {
    /// For programs.
    pub fn document(&self) -> TestCaseDocument<'_> {
        TestCaseDocument {
            schema: Version,
            system: &self.system,
            implementation: &self.implementation,
            setup: self.setup.as_deref(),
            guide: &self.guide,
            target: self.target.as_deref(),
            verdict: &self.verdict,
            meaning: &self.meaning,
            conversation: &self.conversation,
            runs: self.runs,
            verdicts: &self.verdicts,
            seed: self.seed,
            trouble: self.trouble.as_ref().map(|trouble| trouble.message.as_str()),
            remarks: &self.remarks,
            seconds: self.seconds,
        }
    }
}
