//! What `verify --json` prints.

use super::shared::{Place, Told, Trace, seconds};
use super::version::Version;
use crate::{Answer, Attempt, Evidence, Proved, Verdict, Verified};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// What was proved, what was broken, and how far the engines came otherwise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    verdict: Verdict,
    /// Constants without a value: the answers are about all of them.
    symbolic: &'a [String],
    properties: Vec<Property<'a>>,
    /// The solver is missing: what to do.
    missing: Option<&'a str>,
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Property<'a> {
    name: &'a str,
    verdict: Verdict,
    answer: Answer,
    assurance: Option<Assured>,
    /// Who knew it.
    engine: Option<&'static str>,
    /// How long it took.
    seconds: f64,
    /// How far an engine came that does not know the answer.
    progress: Vec<Progress<'a>>,
    /// What a proof leaves out: it holds under this condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace<'a>>,
    /// The values of symbolic constants, as lines of a setup.
    #[serde(skip_serializing_if = "Option::is_none")]
    constants: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostic: Option<Told<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<Invariant<'a>>,
    /// All of them were visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
enum Assured {
    #[serde(rename = "proved")]
    Proved,
    #[serde(rename = "exhaustive")]
    Exhaustive,
    /// In all states that the setup lets happen.
    #[serde(rename = "exhaustive under the setup")]
    UnderSetup,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Progress<'a> {
    engine: &'static str,
    text: &'a str,
    place: Option<Place<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Invariant<'a> {
    conjuncts: &'a [String],
    induction_steps: usize,
    /// The programs that agree: the one that found it, then those that confirmed it.
    solvers: &'a [&'static str],
    /// A program other than the one that found it has confirmed it.
    confirmed: bool,
}

impl Verified {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> VerifyDocument<'a> {
        VerifyDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            verdict: self.verdict(),
            symbolic: &self.symbolic,
            properties: self.properties.iter().map(|each| property(sources, each)).collect(),
            missing: self.missing.as_deref(),
            seconds: seconds(self.seconds),
        }
    }
}

fn property<'a>(sources: &'a Sources, proved: &'a Proved) -> Property<'a> {
    let mut property = Property {
        name: &proved.name,
        verdict: proved.verdict,
        answer: proved.answer,
        assurance: match proved.evidence {
            Evidence::None => None,
            Evidence::Trace { .. } | Evidence::Invariant { .. } => Some(Assured::Proved),
            Evidence::Exhausted { driven: true, .. } => Some(Assured::UnderSetup),
            Evidence::Exhausted { .. } => Some(Assured::Exhaustive),
        },
        engine: proved.engine,
        seconds: seconds(proved.seconds),
        progress: proved.progress.iter().map(|each| progress(sources, each)).collect(),
        condition: proved.condition,
        trace: None,
        constants: None,
        diagnostic: None,
        invariant: None,
        states: None,
    };
    match &proved.evidence {
        Evidence::None => {}
        Evidence::Trace { walk, constants, error } => {
            property.trace = Some(Trace::of(walk));
            property.constants = Some(constants);
            property.diagnostic = error.as_ref().map(|error| Told::of(sources, error));
        }
        Evidence::Invariant { conjuncts, steps, solvers } => {
            let confirmed = solvers.len() > 1;
            property.invariant = Some(Invariant { conjuncts, induction_steps: *steps, solvers, confirmed });
        }
        Evidence::Exhausted { states, .. } => property.states = Some(*states),
    }
    property
}

fn progress<'a>(sources: &'a Sources, attempt: &'a Attempt) -> Progress<'a> {
    let place = attempt.span.map(|span| Place::of(sources, span));
    Progress { engine: attempt.engine, text: &attempt.text, place }
}
