//! The properties and observers of a specification as judges of a search, and the events that they speak of.

use crate::model::Judge;
use crate::service::LabelId;
use interplay_model::{Direction, Expr, ExprKind, Model, ObserverTrigger};
use interplay_semantics::{Label, ModelError, State};
use interplay_temporal::{MonitorState, Monitors, Step, Verdict};
use std::collections::BTreeSet;

impl Judge for Monitors {
    type Memory = Vec<MonitorState>;

    fn start(&self, state: &State) -> Result<Vec<MonitorState>, ModelError> {
        Monitors::start(self, Some(state))
    }

    fn step(
        &self,
        memory: &Vec<MonitorState>,
        label: &Label,
        state: &State,
    ) -> Result<(Vec<MonitorState>, Option<String>), ModelError> {
        let mut memory = memory.clone();
        let news = Monitors::step(self, &mut memory, Step { label: Some(label), state: Some(state), time: None })?;
        let violated = if news { self.violated_at_start(&memory) } else { None };
        Ok((memory, violated))
    }

    fn violated_at_start(&self, memory: &Vec<MonitorState>) -> Option<String> {
        let violated = memory.iter().position(|state| state.verdict == Verdict::Violated);
        violated.map(|index| self.monitors[index].name.clone())
    }
}

/// The inputs of which the chosen properties and observers speak: the order of the others does not matter to them.
pub fn observables(model: &Model, chosen: Option<&[String]>) -> BTreeSet<LabelId> {
    let wanted = |name: &String| chosen.is_none_or(|chosen| chosen.contains(name));
    let mut found = BTreeSet::new();
    for property in model.properties.iter().filter(|property| wanted(&property.name)) {
        mentioned(model, &property.formula.expr, &mut BTreeSet::new(), &mut found);
    }
    for rule in model.observers.iter().filter(|observer| wanted(&observer.name)).flat_map(|observer| &observer.rules) {
        match rule.trigger {
            ObserverTrigger::Action(action) => _ = found.insert(action.0),
            ObserverTrigger::Silence => {}
            ObserverTrigger::Any | ObserverTrigger::Step => found.extend(0..model.actions.len()),
        }
    }
    let input = |action: &usize| model.actions[*action].direction == Direction::Input;
    found.into_iter().filter(input).map(|action| LabelId(action as u32)).collect()
}

/// Also through the definitions that the expression calls; each is entered once.
fn mentioned(model: &Model, expr: &Expr, entered: &mut BTreeSet<usize>, found: &mut BTreeSet<usize>) {
    let mut calls = Vec::new();
    expr.walk(&mut |part| match part.kind {
        ExprKind::Happens { action, .. } | ExprKind::SignalValue { action, .. } => _ = found.insert(action.0),
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    for definition in calls {
        if entered.insert(definition) {
            mentioned(model, &model.definitions[definition].body, entered, found);
        }
    }
}
