//! What `scenario find --json` prints.

use super::shared::{Nullable, Told, Trace, rounded};
use super::version::Version;
use crate::{Sought, SoughtAnswer, SoughtGoal, SoughtNear, SoughtWord};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// What became of the search for goals.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The user had enough before all goals were asked for.
    interrupted: bool,
    goals: Vec<Goal<'a>>,
    /// How long it took.
    seconds: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Goal<'a> {
    name: &'a str,
    answer: SoughtWord,
    assurance: Option<&'static str>,
    events: Option<usize>,
    /// Who found the answer.
    method: Option<&'static str>,
    /// The setups that it is about; none is the specification as it is.
    setups: &'a [String],
    /// How long it took.
    seconds: f64,
    /// Scenarios of the library that were of no use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut<'a>>,
    /// Why a method could not be asked.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    /// The values of the parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    achieved: Option<Vec<Achieved<'a>>>,
    /// The model goes wrong before it starts if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Nullable<Trace<'a>>>,
    /// What goes wrong, or what stood in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostic: Option<Nullable<Told<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    /// What is always true and excludes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<Nullable<&'a [String]>>,
    /// Conjuncts that cannot hold together.
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<&'a [String]>,
    /// What came nearest to the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<Nullable<&'a SoughtNear>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LeftOut<'a> {
    scenario: &'a str,
    why: &'a str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Achieved<'a> {
    /// None if it holds from the start.
    step: Option<usize>,
    conjunct: &'a str,
}

impl Sought {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> FindDocument<'a> {
        FindDocument {
            schema: Version,
            system: &self.system,
            interrupted: self.interrupted,
            goals: self.goals.iter().map(|each| goal(sources, each)).collect(),
            seconds: rounded(self.seconds, 1e3),
        }
    }
}

fn goal<'a>(sources: &'a Sources, goal: &'a SoughtGoal) -> Goal<'a> {
    let mut said = Goal {
        name: &goal.name,
        answer: goal.answer.kind(),
        assurance: goal.answer.assurance(),
        events: goal.answer.events(),
        method: goal.method,
        setups: &goal.setups,
        seconds: rounded(goal.seconds, 1e3),
        left_out: goal.left_out.iter().map(|(scenario, why)| LeftOut { scenario, why }).collect(),
        notes: &goal.notes,
        values: None,
        shortest: None,
        achieved: None,
        trace: None,
        diagnostic: None,
        states: None,
        invariant: None,
        core: None,
        nearest: None,
    };
    match &goal.answer {
        SoughtAnswer::Reached { way, values, achieved, shortest } => {
            said.values = Some(values);
            said.shortest = Some(*shortest);
            said.achieved = Some(achieved.iter().map(|(step, conjunct)| Achieved { step: *step, conjunct }).collect());
            said.trace = Some(Nullable(Some(Trace::of(way))));
        }
        SoughtAnswer::Wrong { error, way } => {
            said.diagnostic = Some(Nullable(Some(Told::of(sources, error))));
            said.trace = Some(Nullable(way.as_ref().map(Trace::of)));
        }
        SoughtAnswer::Unreachable { states, invariant, .. } => {
            said.states = Some(*states);
            said.invariant = Some(Nullable(invariant.as_deref()));
        }
        SoughtAnswer::Contradictory { core } => said.core = Some(core),
        SoughtAnswer::Unknown { states, nearest, obstacle } => {
            said.states = Some(*states);
            said.diagnostic = Some(Nullable(obstacle.as_deref().map(|obstacle| Told::of(sources, obstacle))));
            said.nearest = Some(Nullable(nearest.as_ref()));
        }
    }
    said
}
