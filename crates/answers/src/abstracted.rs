//! Generalised scenarios: how a goal is reached whatever the values are.

use crate::SoughtGoal;

/// Generalised scenarios: the answer of `scenario generalise`.
#[derive(Clone, Debug)]
pub struct Abstracted {
    /// The name of the system.
    pub system: String,
    /// In the order in which they were asked for.
    pub goals: Vec<AbstractedGoal>,
    /// The user had enough before all were asked.
    pub interrupted: bool,
}

/// A goal, and how it is reached whatever the values are.
#[derive(Clone, Debug)]
pub struct AbstractedGoal {
    /// What became of the goal itself.
    pub sought: SoughtGoal,
    /// Only if it was reached.
    pub general: Option<AbstractedScenario>,
}

/// A scenario with parameters.
#[derive(Clone, Debug)]
pub struct AbstractedScenario {
    /// Name and type.
    pub params: Vec<(String, String)>,
    /// For all values for which these hold, the scenario leads to the goal.
    pub constraint: Vec<String>,
    /// In specification syntax.
    pub scenario: String,
    /// Why some of the events keep their values.
    pub fixed: Option<String>,
}
