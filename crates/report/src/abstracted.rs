//! Generalised scenarios: how a goal is reached whatever the values are, as plain data, for people and as JSON.

use crate::sought::sought_line;
use crate::{Colour, Findings, SoughtGoal, escape};
use interplay_diagnostics::Sources;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Abstracted {
    pub system: String,
    pub goals: Vec<AbstractedGoal>,
    /// The user had enough before all were asked.
    pub interrupted: bool,
}

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

pub fn abstracted_json(sources: &Sources, abstracted: &Abstracted) -> Value {
    let goal = |goal: &AbstractedGoal| {
        let general = goal.general.as_ref().map(|general| {
            let params: Vec<Value> =
                general.params.iter().map(|(name, ty)| json!({ "name": name, "type": ty })).collect();
            json!({
                "params": params,
                "constraint": general.constraint,
                "scenario": general.scenario,
                "fixed": general.fixed,
            })
        });
        let problem = goal.sought.answer.problem().map(|problem| {
            let findings = Findings::new(sources, std::slice::from_ref(problem));
            crate::json(&findings)["diagnostics"][0].take()
        });
        json!({
            "name": goal.sought.name,
            "answer": goal.sought.answer.word(),
            "method": goal.sought.method,
            "setups": goal.sought.setups,
            "general": general,
            "diagnostic": problem,
        })
    };
    json!({
        "schema": 1,
        "system": abstracted.system,
        "interrupted": abstracted.interrupted,
        "goals": abstracted.goals.iter().map(goal).collect::<Vec<_>>(),
    })
}

pub fn abstracted_text(sources: &Sources, abstracted: &Abstracted) -> String {
    let mut text = String::new();
    for goal in &abstracted.goals {
        text += &format!("{}  {}\n", escape(&goal.sought.name), sought_line(&goal.sought));
        let Some(general) = &goal.general else {
            if goal.sought.answer.word() == "reached" {
                text += "  it cannot be followed backwards, so nothing can be said about other values\n";
            }
            if let Some(problem) = goal.sought.answer.problem() {
                let findings = Findings::new(sources, std::slice::from_ref(problem));
                text += &format!("\n{}", crate::diagnostics(&findings, Colour::Always));
            }
            continue;
        };
        text += match general.constraint.is_empty() {
            true => "  whatever the values are\n\n",
            false => "  for all values that satisfy its condition\n\n",
        };
        text += &escape(&general.scenario);
        if let Some(why) = &general.fixed {
            text += &format!("\nSome events keep their values: {} cannot be followed backwards.\n", escape(why));
        }
        text += "\n";
    }
    if abstracted.interrupted {
        text += "interrupted: the goals after these were not asked for\n";
    }
    text
}
