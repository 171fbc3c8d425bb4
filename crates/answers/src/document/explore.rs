//! What `explore --json` prints.

use super::shared::{Nullable, Place, Remarked, Told, Trace, rounded, seconds};
use super::version::Version;
use crate::{Completeness, Engine, Explored, Found, FoundKind, Grows, Judged, Stop, Verdict};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// All states under a setup, as far as they were visited.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExploreDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    verdict: Verdict,
    states: u64,
    transitions: u64,
    /// Steps to the farthest state.
    depth: u64,
    /// Why it ended.
    stop: Stop,
    /// No state with a shorter way was left out.
    bounded: Option<u64>,
    /// How long it took.
    seconds: f64,
    states_per_second: f64,
    bytes_per_state: f64,
    engine: EngineWord,
    interpreted_because: Option<Because<'a>>,
    visited_set: VisitedSet,
    /// Steps that a reduction left out, because they could wait.
    postponed: Option<u64>,
    on_disk: bool,
    disk_trouble: Option<&'a str>,
    /// States in which the system waits.
    active: u64,
    /// States in which it can move by itself.
    passive: u64,
    /// States from which nothing leads on.
    terminal: u64,
    not_accepting: u64,
    timeouts: bool,
    properties: Vec<Property<'a>>,
    findings: Vec<Finding<'a>>,
    warnings: Vec<Remarked<'a>>,
    growth: Option<&'a Grows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<Symmetry<'a>>,
}

/// Who made the steps.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EngineWord {
    Compiled,
    Interpreted,
}

/// What was found.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FindingWord {
    Violated,
    Satisfied,
    Deadlock,
    #[serde(rename = "model error")]
    ModelError,
}

/// Why it was interpreted, if it was.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Because<'a> {
    why: &'a str,
    place: Option<Place<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum VisitedSet {
    Exact,
    Compact {
        /// Probability that any state was left out, at most.
        omission: f64,
    },
    Bitstate {
        /// Part of the states expected to be visited.
        coverage: f64,
    },
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Property<'a> {
    name: &'a str,
    verdict: Verdict,
    /// `proved`, `exhaustive`, `exhaustive under the setup`, `representatives` (of the groups of the setup) or `bounded(k)`.
    assurance: Option<String>,
    because: &'a str,
    trace: Option<Trace<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Finding<'a> {
    kind: FindingWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'a str>,
    /// The step that goes wrong, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<Nullable<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostic: Option<Told<'a>>,
    /// No way there is shorter.
    shortest: bool,
    trace: Option<Trace<'a>>,
}

/// States that are equal up to a renaming were taken as one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Symmetry<'a> {
    types: &'a [String],
    represented: Option<u64>,
}

impl Explored {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> ExploreDocument<'a> {
        let because = match &self.engine {
            Engine::Compiled => None,
            Engine::Interpreted { why, span } => {
                Some(Because { why, place: span.map(|span| Place::of(sources, span)) })
            }
        };
        ExploreDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            verdict: self.verdict(),
            states: self.states,
            transitions: self.transitions,
            depth: self.depth,
            stop: self.stop,
            bounded: self.bounded,
            seconds: seconds(self.seconds),
            states_per_second: self.states_per_second().round(),
            bytes_per_state: rounded(self.bytes_per_state(), 10.0),
            engine: if because.is_none() { EngineWord::Compiled } else { EngineWord::Interpreted },
            interpreted_because: because,
            visited_set: match self.completeness {
                Completeness::Exact => VisitedSet::Exact,
                Completeness::Compact { omission } => VisitedSet::Compact { omission },
                Completeness::Bitstate { coverage } => VisitedSet::Bitstate { coverage },
            },
            postponed: self.postponed,
            on_disk: self.spilled,
            disk_trouble: self.trouble.as_deref(),
            active: self.active,
            passive: self.passive,
            terminal: self.terminal,
            not_accepting: self.not_accepting,
            timeouts: self.timeouts,
            properties: self.properties.iter().map(|each| property(self, each)).collect(),
            findings: self.findings.iter().map(|each| finding(sources, each)).collect(),
            warnings: Remarked::all(sources, &self.remarks),
            growth: self.growth.as_ref(),
            symmetry: self.reduction.as_ref().map(|all| Symmetry { types: &all.types, represented: all.represented }),
        }
    }
}

fn property<'a>(explored: &'a Explored, judged: &'a Judged) -> Property<'a> {
    let found = judged.finding.map(|index| &explored.findings[index]);
    Property {
        name: &judged.name,
        verdict: judged.verdict,
        assurance: judged.assurance.map(|assurance| assurance.to_string()),
        because: &judged.because,
        trace: found.and_then(|found| found.trace.as_ref()).map(Trace::of),
    }
}

fn finding<'a>(sources: &'a Sources, found: &'a Found) -> Finding<'a> {
    let (kind, property, step, diagnostic) = match &found.kind {
        FoundKind::Violated(name) => (FindingWord::Violated, Some(name.as_str()), None, None),
        FoundKind::Satisfied(name) => (FindingWord::Satisfied, Some(name.as_str()), None, None),
        FoundKind::Deadlock => (FindingWord::Deadlock, None, None, None),
        FoundKind::Error { diagnostic, step } => {
            (FindingWord::ModelError, None, Some(Nullable(step.as_deref())), Some(Told::of(sources, diagnostic)))
        }
    };
    let trace = found.trace.as_ref().map(Trace::of);
    Finding { kind, property, step, diagnostic, shortest: found.shortest, trace }
}
