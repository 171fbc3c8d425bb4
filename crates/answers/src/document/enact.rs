//! What `scenario run --sut --json` prints.

use super::shared::{Nullable, Place, rounded};
use super::version::Version;
use crate::{Enacted, EnactedScenario, EnactedVerdict, Verdict};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// What became of scenarios that were played on an implementation. Without --sut: the document of `simulate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EnactDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    implementation: &'a str,
    passed: usize,
    failed: usize,
    inconclusive: usize,
    /// The user had enough before all were played.
    interrupted: bool,
    /// The implementation or its adapter could not be run.
    trouble: Option<&'a str>,
    scenarios: Vec<Scenario<'a>>,
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Scenario<'a> {
    name: &'a str,
    place: Place<'a>,
    parameters: &'a [String],
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// The line of the scenario that went another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Vec<&'a str>>,
    /// What came instead; nothing at all if null.
    #[serde(skip_serializing_if = "Option::is_none")]
    came: Option<Nullable<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<&'a [String]>,
}

impl Enacted {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> EnactDocument<'a> {
        EnactDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            implementation: &self.implementation,
            passed: self.count(Verdict::Pass),
            failed: self.count(Verdict::Fail),
            inconclusive: self.count(Verdict::Inconclusive),
            interrupted: self.interrupted,
            trouble: self.trouble.as_ref().map(|trouble| trouble.message.as_str()),
            scenarios: self.scenarios.iter().map(|each| scenario(sources, each)).collect(),
            seconds: rounded(self.seconds, 1e3),
        }
    }
}

fn scenario<'a>(sources: &'a Sources, scenario: &'a EnactedScenario) -> Scenario<'a> {
    let mut told = Scenario {
        name: &scenario.name,
        place: Place::of(sources, scenario.span),
        parameters: &scenario.parameters,
        verdict: scenario.verdict.verdict(),
        reason: None,
        line: None,
        expected: None,
        came: None,
        conversation: None,
    };
    told.reason = match &scenario.verdict {
        EnactedVerdict::Passed => None,
        EnactedVerdict::Failed { title, lines, expected } => {
            told.conversation = Some(lines);
            told.expected = Some(expected.iter().map(String::as_str).collect());
            Some(title)
        }
        EnactedVerdict::Elsewhere { span, expected, came, lines } => {
            told.line = Some(Place::of(sources, *span).line());
            told.expected = Some(vec![expected]);
            told.came = Some(Nullable(came.as_deref()));
            told.conversation = Some(lines);
            Some("the implementation took another allowed path")
        }
        EnactedVerdict::NotOfTheModel => Some("the specification does not allow this scenario"),
        EnactedVerdict::Nothing => Some("no values of its parameters satisfy its condition"),
        EnactedVerdict::Trouble(trouble) => Some(&trouble.message),
        EnactedVerdict::Interrupted => Some("interrupted"),
    };
    told
}
