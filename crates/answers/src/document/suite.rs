//! What `suite --json` prints.

use super::version::Version;
use crate::{SuiteCase, Suited};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Few and short runs that cover what can be covered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SuiteDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    tests: Vec<Test<'a>>,
    /// What is covered, in words.
    covered: &'a [String],
    /// What no run can do.
    infeasible: &'a [String],
    /// What was not decided.
    open: &'a [String],
    states: usize,
    /// These were all states.
    exhausted: bool,
    /// What the model gets wrong, if the search met it.
    wrong: Option<Wrong<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Test<'a> {
    name: &'a str,
    steps: usize,
    /// What it does that no test before it does.
    covers: &'a [String],
    scenario: &'a str,
    /// What is given and what must be seen, as the test files have it.
    #[schemars(with = "Vec<BTreeMap<String, SpecificationValue>>")]
    items: &'a [Value],
}

/// A value of the specification: anything.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct SpecificationValue(Value);

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Wrong<'a> {
    code: &'static str,
    message: &'a str,
}

impl Suited {
    /// For programs.
    pub fn document(&self) -> SuiteDocument<'_> {
        SuiteDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            tests: self.cases.iter().map(test).collect(),
            covered: &self.covered,
            infeasible: &self.infeasible,
            open: &self.open,
            states: self.states,
            exhausted: self.exhausted,
            wrong: self.wrong.as_ref().map(|error| Wrong { code: error.code.name(), message: &error.message }),
        }
    }
}

fn test(case: &SuiteCase) -> Test<'_> {
    Test { name: &case.name, steps: case.steps, covers: &case.covers, scenario: &case.scenario, items: &case.items }
}
