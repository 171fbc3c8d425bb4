//! What `oracle --json` prints.

use super::shared::Told;
use super::version::Version;
use crate::{Against, OracleOf, OraclePart, OracleRemark, Oracles, Trial, TrialConformance};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// The automaton of each property, and what the properties say about each other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OracleDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The properties that all others may rely on.
    assuming: &'a [String],
    properties: Vec<Property<'a>>,
    remarks: &'a [OracleRemark],
    /// What has no oracle, and why.
    refused: Vec<Told<'a>>,
    /// With --against.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Tried<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Property<'a> {
    name: &'a str,
    doc: &'a str,
    /// Of the largest automaton.
    states: usize,
    /// One for each conjunct.
    oracles: &'a [OraclePart],
    /// Parts that are watched without an automaton.
    without_automaton: usize,
    kind: PropertyKind,
    /// The variables of `for every`, each of whose values is watched by itself.
    instances: &'a [String],
    timed: bool,
    /// Steps of the shortest violation; nothing if no run breaks it.
    shortest: Option<u32>,
}

/// What a property asks for.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PropertyKind {
    /// A run that shows it.
    Possible,
    /// No run that breaks it.
    Never,
}

/// Whether an implementation does what the specification allows.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Keeping {
    /// The specification has no rules, or does not judge by them.
    #[serde(rename = "not judged")]
    NotJudged,
    /// Nothing else was seen.
    Kept,
    /// The trace shows what it does not allow.
    Broken,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Against")]
struct Tried<'a> {
    implementations: Vec<Implementation<'a>>,
    broken_by_none: Vec<&'a str>,
    /// Inputs that no property promises an answer to.
    unanswered: &'a [String],
    runs: u64,
    seed: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Implementation<'a> {
    name: &'a str,
    /// The properties that it breaks.
    breaks: &'a [String],
    /// A relation between signals that a step of it breaks, as a sentence; nothing if it keeps them. The properties say
    /// nothing about such a step.
    relation: Option<&'a str>,
    steps: u64,
    specification: Keeping,
    /// A short conversation whose last line the specification does not allow.
    trace: Option<&'a [String]>,
    /// It is wrong, and no property says so.
    survives: bool,
    unanswered: &'a [String],
    trouble: Option<&'a str>,
}

impl Oracles {
    /// For programs; with the implementations that were tried, if some were.
    pub fn document<'a>(&'a self, sources: &'a Sources, against: Option<&'a Against>) -> OracleDocument<'a> {
        OracleDocument {
            schema: Version,
            system: &self.system,
            assuming: &self.assuming,
            properties: self.properties.iter().map(property).collect(),
            remarks: &self.remarks,
            refused: self.refused.iter().map(|each| Told::of(sources, each)).collect(),
            against: against.map(tried),
        }
    }
}

fn property(property: &OracleOf) -> Property<'_> {
    Property {
        name: &property.name,
        doc: &property.doc,
        states: property.states(),
        oracles: &property.parts,
        without_automaton: property.without_automaton,
        kind: if property.possible { PropertyKind::Possible } else { PropertyKind::Never },
        instances: &property.instances,
        timed: property.timed,
        shortest: property.shortest(),
    }
}

fn tried(against: &Against) -> Tried<'_> {
    Tried {
        implementations: against.trials.iter().map(implementation).collect(),
        broken_by_none: against.idle(),
        unanswered: &against.unanswered,
        runs: against.runs,
        seed: against.seed,
    }
}

fn implementation(trial: &Trial) -> Implementation<'_> {
    let (specification, trace, unanswered): (_, _, &[String]) = match &trial.conformance {
        TrialConformance::NotJudged => (Keeping::NotJudged, None, &[]),
        TrialConformance::Kept => (Keeping::Kept, None, &[]),
        TrialConformance::Differs { lines, unanswered } => (Keeping::Broken, Some(lines.as_slice()), unanswered),
    };
    Implementation {
        name: &trial.name,
        breaks: &trial.broken,
        relation: trial.outside.as_deref(),
        steps: trial.steps,
        specification,
        trace,
        survives: trial.survives(),
        unanswered: if trial.survives() { unanswered } else { &[] },
        trouble: trial.trouble.as_ref().map(|trouble| trouble.message.as_str()),
    }
}
