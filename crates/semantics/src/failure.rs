//! Why a line of a scenario fails: what it expected, where the system was, and what would have been possible there.

use crate::bind::conjuncts;
use crate::context::Context;
use crate::explain::explain;
use crate::scenario::{Worlds, arguments};
use crate::show::{show_call, show_value};
use crate::{Instance, Label, Result, State};
use interplay_diagnostics::Span;
use interplay_model::{EventTerm, Outputs, Scenario, ScenarioLineKind, ScenarioResult};
use std::collections::BTreeSet;

/// Why a scenario does not pass: what it wants, and what the system does instead.
#[derive(Clone, Debug)]
pub struct ScenarioFailure {
    /// The number of the line, counted from zero.
    pub line: usize,
    /// The line of the scenario.
    pub span: Span,
    /// What the line says, with the values of its names.
    pub expected: String,
    /// Where the system may have been.
    pub before: BTreeSet<State>,
    /// What would have been possible: the same event with other outputs or results if there are such, otherwise any step.
    pub possible: BTreeSet<Label>,
    /// For a condition: the places of its parts with their values in specification syntax, in one of the states before.
    pub parts: Vec<(Span, String)>,
}

impl Instance {
    pub(crate) fn scenario_failure(
        &self,
        scenario: &Scenario,
        line: usize,
        worlds: &Worlds,
    ) -> Result<ScenarioFailure> {
        let written = &scenario.lines[line];
        let before: BTreeSet<State> = worlds.values().flatten().cloned().collect();
        let (frame, states) = worlds.first_key_value().expect("the line before left a run");
        let mut context = Context::new(self, states.first().expect("a world has a state"), &scenario.locals);
        context.frame.clone_from(frame);
        let parts = match &written.kind {
            ScenarioLineKind::Expect(condition) => {
                let broken = conjuncts(condition).into_iter().find(|part| context.holds(part) != Ok(true));
                explain(&mut context, broken.unwrap_or(condition))
            }
            _ => Vec::new(),
        };
        let possible = match &written.kind {
            ScenarioLineKind::Expect(_) | ScenarioLineKind::Wait(_) => BTreeSet::new(),
            kind => self.possible_instead(scenario, kind, worlds),
        };
        let expected = self.expected(&mut context, &written.kind)?;
        Ok(ScenarioFailure { line, span: written.span, expected, before, possible, parts })
    }

    /// Errors are left out: they are for whoever drives the system there.
    fn possible_instead(&self, scenario: &Scenario, kind: &ScenarioLineKind, worlds: &Worlds) -> BTreeSet<Label> {
        let mut same_event = BTreeSet::new();
        let mut any = BTreeSet::new();
        let asked = without_result(kind);
        for (frame, states) in worlds {
            for state in states {
                let mut context = Context::new(self, state, &scenario.locals);
                context.frame.clone_from(frame);
                let steps = self.steps_of_line(&mut context, &asked);
                same_event.extend(steps.into_iter().flatten().map(|step| step.label));
                any.extend(self.transitions(state).into_iter().flatten().map(|step| step.label));
            }
        }
        if same_event.is_empty() { any } else { same_event }
    }

    fn expected(&self, context: &mut Context, kind: &ScenarioLineKind) -> Result<String> {
        Ok(match kind {
            ScenarioLineKind::Expect(_) => "this condition holds".into(),
            ScenarioLineKind::Silence => "silence".into(),
            ScenarioLineKind::Wait(_) => "time passes".into(),
            ScenarioLineKind::Event { event, result, outputs } => {
                let result = match result {
                    Some(ScenarioResult::Equal(expr)) => {
                        let value = context.evaluate(expr)?;
                        Some(show_value(self.model(), &expr.ty, &value))
                    }
                    Some(ScenarioResult::Bind(local)) => Some(context.locals[local.0].name.clone()),
                    None => None,
                };
                self.expected_event(context, event, result)? + &self.expected_outputs(context, outputs.as_ref())?
            }
            ScenarioLineKind::Step { inputs, outputs } => {
                let inputs = self.expected_events(context, inputs)?.join(", ");
                format!("step {inputs}").trim_end().to_string() + &self.expected_outputs(context, outputs.as_ref())?
            }
        })
    }

    fn expected_event(&self, context: &mut Context, term: &EventTerm, result: Option<String>) -> Result<String> {
        let action = &self.model().actions[term.action.0];
        let values = arguments(context, term)?.into_iter().zip(&action.params);
        let args =
            values.map(|(value, param)| value.map(|value| show_value(self.model(), &param.ty, &value))).collect();
        Ok(show_call(action, args, result))
    }

    fn expected_events(&self, context: &mut Context, terms: &[EventTerm]) -> Result<Vec<String>> {
        terms.iter().map(|term| self.expected_event(context, term, None)).collect()
    }

    fn expected_outputs(&self, context: &mut Context, outputs: Option<&Outputs>) -> Result<String> {
        let Some(Outputs { events, more }) = outputs else { return Ok(String::new()) };
        let mut texts = self.expected_events(context, events)?;
        texts.extend(more.then(|| "...".to_string()));
        Ok(if texts.is_empty() { " / nothing".into() } else { format!(" / {}", texts.join(", ")) })
    }
}

/// The same line, whatever comes back.
fn without_result(kind: &ScenarioLineKind) -> ScenarioLineKind {
    match kind {
        ScenarioLineKind::Event { event, .. } => {
            ScenarioLineKind::Event { event: event.clone(), result: None, outputs: None }
        }
        ScenarioLineKind::Step { inputs, .. } => ScenarioLineKind::Step { inputs: inputs.clone(), outputs: None },
        other => other.clone(),
    }
}
