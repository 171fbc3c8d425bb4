//! What `simulate --json` prints: one walk, or with `--script` what became of scenarios. `scenario run` without `--sut`
//! prints the same.

use super::shared::{Place, Told};
use super::version::Version;
use crate::{PlayVerdict, Played, Verdict};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// One walk.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WalkDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The name of the system.
    pub system: &'a str,
    /// The setup that was used.
    pub setup: Option<&'a str>,
    /// Repeats the choices.
    pub seed: u64,
    /// The steps that were taken.
    pub steps: Vec<String>,
    /// Where the system may be now, each state as lines.
    pub states: Vec<Vec<String>>,
    /// Why it ended.
    pub stopped: &'a str,
    /// The way as a scenario.
    pub scenario: String,
}

/// With --script: the scenarios that were played.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlayDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The setup that was used.
    pub setup: Option<&'a str>,
    /// Whether all of them go as they say.
    pub verdict: Verdict,
    /// Each with what became of it.
    pub scenarios: Vec<PlayedDocument<'a>>,
    /// The user had enough before all were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<bool>,
}

/// A scenario and what became of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlayedDocument<'a> {
    name: &'a str,
    file: &'a str,
    parameters: &'a [String],
    /// What was played.
    steps: &'a [String],
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostic: Option<Told<'a>>,
    /// The line that does not go as it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// What the line says.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    /// What would have been possible instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    possible: Option<&'a [String]>,
    /// Where the system may have been, each state as lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<&'a [Vec<String>]>,
}

impl<'a> PlayDocument<'a> {
    /// Of scenarios that were played under a setup; nothing played is no pass.
    pub fn of(sources: &'a Sources, setup: Option<&'a str>, played: &'a [Played]) -> PlayDocument<'a> {
        let passed = played.iter().all(Played::passed) && !played.is_empty();
        PlayDocument {
            schema: Version,
            setup,
            verdict: if passed { Verdict::Pass } else { Verdict::Fail },
            scenarios: played.iter().map(|each| scenario(sources, each)).collect(),
            interrupted: None,
        }
    }
}

fn scenario<'a>(sources: &'a Sources, played: &'a Played) -> PlayedDocument<'a> {
    let mut told = PlayedDocument {
        name: &played.name,
        file: &sources.file(played.span.file).name,
        parameters: &played.parameters,
        steps: &played.steps,
        verdict: if played.passed() { Verdict::Pass } else { Verdict::Fail },
        reason: None,
        diagnostic: None,
        line: None,
        expected: None,
        possible: None,
        states: None,
    };
    match &played.verdict {
        PlayVerdict::Passed => {}
        PlayVerdict::Nothing => told.reason = Some("no values of its parameters satisfy its condition"),
        PlayVerdict::Broken(diagnostic) => told.diagnostic = Some(Told::of(sources, diagnostic)),
        PlayVerdict::Failed { span, expected, possible, before, .. } => {
            told.line = Some(Place::of(sources, *span).line());
            told.expected = Some(expected);
            told.possible = Some(possible);
            told.states = Some(before);
        }
    }
    told
}
