//! The library of scenarios: played on an implementation, added to, measured, and the features that get in each other's way.

pub mod add;
pub mod conflicts;
pub mod coverage;
pub mod enact;
mod script;

use crate::Refusal;
use interplay_diagnostics::did_you_mean;
use interplay_model::{Model, ScenarioId};

/// The scenarios of these names, or all.
fn named(model: &Model, names: &[String]) -> Result<Vec<ScenarioId>, Refusal> {
    if let Some(unknown) = names.iter().find(|name| model.scenario_named(name).is_none()) {
        let known: Vec<&str> = model.scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
        let help = did_you_mean(unknown, known.iter().copied()).unwrap_or_else(|| match &known[..] {
            [] => "the specification has no scenarios".into(),
            known => format!("the scenarios are: {}", known.join(", ")),
        });
        return Err(Refusal::request(format!("unknown scenario `{unknown}`"), help));
    }
    let all = model.scenarios.iter().enumerate();
    let wanted = all.filter(|(_, scenario)| names.is_empty() || names.contains(&scenario.name));
    Ok(wanted.map(|(index, _)| ScenarioId(index)).collect())
}
