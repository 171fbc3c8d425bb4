//! What `scenario generalise --json` prints.

use super::shared::Told;
use super::version::Version;
use crate::{Abstracted, AbstractedGoal, AbstractedScenario, SoughtWord};
use interplay_diagnostics::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// How goals are reached whatever the values are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GeneraliseDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The user had enough before all goals were asked for.
    interrupted: bool,
    goals: Vec<Goal<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Goal<'a> {
    name: &'a str,
    answer: SoughtWord,
    /// Who found the answer.
    method: Option<&'static str>,
    /// The setups that it is about; none is the specification as it is.
    setups: &'a [String],
    general: Option<General<'a>>,
    /// What goes wrong, or what stood in the way.
    diagnostic: Option<Told<'a>>,
}

/// A scenario with parameters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct General<'a> {
    params: Vec<Param<'a>>,
    /// For all values that satisfy these, the scenario leads to the goal.
    constraint: &'a [String],
    /// In specification syntax.
    scenario: &'a str,
    /// Why some events keep their values.
    fixed: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Param<'a> {
    name: &'a str,
    r#type: &'a str,
}

impl Abstracted {
    /// For programs.
    pub fn document<'a>(&'a self, sources: &'a Sources) -> GeneraliseDocument<'a> {
        GeneraliseDocument {
            schema: Version,
            system: &self.system,
            interrupted: self.interrupted,
            goals: self.goals.iter().map(|each| goal(sources, each)).collect(),
        }
    }
}

fn goal<'a>(sources: &'a Sources, goal: &'a AbstractedGoal) -> Goal<'a> {
    Goal {
        name: &goal.sought.name,
        answer: goal.sought.answer.kind(),
        method: goal.sought.method,
        setups: &goal.sought.setups,
        general: goal.general.as_ref().map(general),
        diagnostic: goal.sought.answer.problem().map(|problem| Told::of(sources, problem)),
    }
}

fn general(general: &AbstractedScenario) -> General<'_> {
    General {
        params: general.params.iter().map(|(name, r#type)| Param { name, r#type }).collect(),
        constraint: &general.constraint,
        scenario: &general.scenario,
        fixed: general.fixed.as_deref(),
    }
}
