//! What `conform --json` prints.

use super::shared::Told;
use super::version::Version;
use crate::{ConformAssurance, ConformDifference, ConformKind, ConformRelation, ConformWrong, Conformed, Verdict};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// Whether an implementation, given as a specification, conforms to its specification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConformDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The name of the system that is taken as the implementation.
    implementation: &'a str,
    /// The setup of the specification.
    setup: Option<&'a str>,
    /// The setup of the implementation.
    implementation_setup: Option<&'a str>,
    relation: ConformRelation,
    verdict: Verdict,
    /// Only if it conforms.
    assurance: Option<ConformAssurance>,
    /// The depth that ended the walk.
    bound: Option<u64>,
    /// The shortest one.
    difference: Option<Difference<'a>>,
    /// Where one of the two goes wrong; what lies behind was not compared.
    wrong: Option<Wrong<'a>>,
    /// What was not compared, a sentence each.
    left: &'a [String],
    /// Inputs of the specification that the relation never gave.
    never_given: &'a [String],
    /// Actions that the implementation does not have.
    only_in_specification: &'a [String],
    /// Actions that the specification does not have.
    only_in_implementation: &'a [String],
    /// Pairs of sets of states.
    pairs: usize,
    /// Sets of states of the specification.
    specification_sets: usize,
    /// Sets of states of the implementation.
    implementation_sets: usize,
    /// Observations on the longest way.
    depth: u64,
    /// How long it took.
    seconds: f64,
}

/// Observations that one of them makes and the other one does not.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Difference<'a> {
    by: Side,
    /// Of the last observation.
    kind: ConformKind,
    /// The last observation.
    observed: &'a str,
    /// What the other one does instead.
    allowed: &'a [String],
    /// All observations.
    steps: &'a [String],
    /// To be played.
    scenario: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Wrong<'a> {
    of: Side,
    diagnostic: Told<'a>,
    /// What was observed before.
    scenario: &'a str,
}

/// One of the two.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Specification,
    Implementation,
}

impl Side {
    fn of(implementation: bool) -> Side {
        if implementation { Side::Implementation } else { Side::Specification }
    }
}

impl Conformed {
    /// For programs; the sources are those of the specification and of the implementation.
    pub fn document<'a>(&'a self, sources: [&'a Sources; 2]) -> ConformDocument<'a> {
        let seconds = (self.seconds * 1e3).round() / 1e3;
        ConformDocument {
            schema: Version,
            system: &self.system,
            implementation: &self.implementation,
            setup: self.setup.as_deref(),
            implementation_setup: self.implementation_setup.as_deref(),
            relation: self.relation,
            verdict: self.verdict(),
            assurance: self.assurance(),
            bound: self.bounded,
            difference: self.difference.as_ref().map(difference),
            wrong: self.wrong.as_ref().map(|wrong| told(wrong, sources)),
            left: &self.left,
            never_given: &self.never_given,
            only_in_specification: &self.unshared[0],
            only_in_implementation: &self.unshared[1],
            pairs: self.pairs,
            specification_sets: self.sets[0],
            implementation_sets: self.sets[1],
            depth: self.depth,
            seconds,
        }
    }
}

fn difference(found: &ConformDifference) -> Difference<'_> {
    Difference {
        by: Side::of(found.by_implementation),
        kind: found.kind,
        observed: &found.observed,
        allowed: &found.allowed,
        steps: &found.steps,
        scenario: &found.scenario,
    }
}

fn told<'a>(wrong: &'a ConformWrong, sources: [&'a Sources; 2]) -> Wrong<'a> {
    let sources = sources[usize::from(wrong.in_implementation)];
    Wrong {
        of: Side::of(wrong.in_implementation),
        diagnostic: Told::of(sources, &wrong.diagnostic),
        scenario: &wrong.scenario,
    }
}
