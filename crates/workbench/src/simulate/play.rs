//! Playing scenarios, and telling what became of them in plain data.

use crate::setup;
use interplay_diagnostics::{Diagnostic, Span};
use interplay_model::{Model, Scenario, ScenarioId};
use interplay_semantics::{Instance, ScenarioFailure, ScenarioVerdict, show_label, show_state, show_value};
use std::sync::Arc;

/// A scenario and what became of it.
pub struct Played {
    pub name: String,
    pub span: Span,
    /// How many lines it has.
    pub lines: usize,
    /// The values of its parameters, in specification syntax: `who = "1234"`.
    pub parameters: Vec<String>,
    /// What happened line by line, as far as it went well.
    pub steps: Vec<String>,
    pub verdict: PlayVerdict,
}

pub enum PlayVerdict {
    Passed,
    /// The model has no run in which this line goes as it says.
    Failed {
        /// The place of the line.
        span: Span,
        expected: String,
        /// What would have been possible instead, in specification syntax.
        possible: Vec<String>,
        /// The values of the parts of a condition.
        parts: Vec<(Span, String)>,
        /// Where the system may have been, each state as lines.
        before: Vec<Vec<String>>,
    },
    /// The model itself gets something wrong.
    Broken(Diagnostic),
    /// No values of the parameters satisfy the condition, so nothing was played.
    Nothing,
}

impl Played {
    pub fn passed(&self) -> bool {
        matches!(self.verdict, PlayVerdict::Passed)
    }
}

/// Plays the scenarios that are wanted, in the order of the text.
pub fn play(
    model: &Arc<Model>,
    setup: Option<&str>,
    wanted: impl Fn(&Scenario) -> bool,
) -> Result<Vec<Played>, Box<Diagnostic>> {
    let instance = setup::instance(model, setup)?;
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
