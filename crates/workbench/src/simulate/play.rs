//! Playing scenarios, and telling what became of them in plain data.

use crate::{ChosenSetup, Context, Refusal};
use interplay_answers::{PlayVerdict, Played};
use interplay_diagnostics::{Diagnostic, Span};
use interplay_model::{Model, Scenario, ScenarioId};
use interplay_semantics::{Instance, ScenarioFailure, ScenarioVerdict, show_label, show_state, show_value};
use std::sync::Arc;

/// Plays the scenarios that are wanted, in the order of the text. The model is that of the context, or of a script in it.
pub fn play(
    context: &Context,
    model: &Arc<Model>,
    setup: &ChosenSetup,
    wanted: impl Fn(&Scenario) -> bool,
) -> Result<Vec<Played>, Refusal> {
    let instance = Instance::new(model.clone(), setup.id(model)).map_err(|error| context.broken(error))?;
    let scenarios = instance.model().scenarios.iter().enumerate().filter(|(_, scenario)| wanted(scenario));
    Ok(scenarios.map(|(id, scenario)| play_one(&instance, ScenarioId(id), scenario)).collect())
}

fn play_one(instance: &Instance, id: ScenarioId, scenario: &Scenario) -> Played {
    let model = instance.model();
    let outcome = instance.play(id, None);
    let parameters = scenario.locals.iter().zip(&outcome.parameters);
    let steps = outcome.steps.iter().flat_map(|step| step.labels.first()).map(|label| show_label(model, label));
    Played {
        name: scenario.name.clone(),
        span: scenario.span,
        lines: scenario.lines.len(),
        parameters: parameters
            .map(|(local, value)| format!("{} = {}", local.name, show_value(model, &local.ty, value)))
            .collect(),
        steps: steps.collect(),
        verdict: match outcome.verdict {
            ScenarioVerdict::Passed => PlayVerdict::Passed,
            ScenarioVerdict::Failed(failure) => failed(model, *failure),
            ScenarioVerdict::Broken { line, error } => {
                let line = line.map(|line| scenario.lines[line].span);
                PlayVerdict::Broken(broken(error.diagnostic(), line))
            }
            ScenarioVerdict::NoInstance => PlayVerdict::Nothing,
        },
    }
}

fn failed(model: &Model, failure: ScenarioFailure) -> PlayVerdict {
    PlayVerdict::Failed {
        span: failure.span,
        expected: failure.expected,
        possible: failure.possible.iter().map(|label| show_label(model, label)).collect(),
        parts: failure.parts,
        before: failure.before.iter().map(|state| show_state(model, state)).collect(),
    }
}

/// The diagnostic with the line of the scenario that led to it.
fn broken(diagnostic: Diagnostic, line: Option<Span>) -> Diagnostic {
    match (diagnostic.span, line) {
        (Some(_), Some(line)) => diagnostic.note(line, "when this line was played"),
        (None, Some(line)) => Diagnostic { span: Some(line), ..diagnostic },
        _ => diagnostic,
    }
}
