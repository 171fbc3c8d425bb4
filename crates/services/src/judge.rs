//! The properties and observers of a specification as judges of a search, and the events that they speak of.

use crate::model::Judge;
use crate::service::LabelId;
use interplay_model::{Direction, Expr, ExprKind, Model, ObserverTrigger};
use interplay_semantics::{Label, ModelError, State};
use interplay_temporal::{Monitor, MonitorState, Monitors, Step, Verdict};
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
    ) -> Result<(Vec<MonitorState>, Vec<String>), ModelError> {
        let mut after = memory.clone();
        Monitors::step(self, &mut after, Step { label: Some(label), state: Some(state), time: None })?;
        let news = |(before, after): (&MonitorState, &MonitorState)| {
            after.verdict == Verdict::Violated && before.verdict != Verdict::Violated
        };
        let pairs = memory.iter().zip(&after).zip(&self.monitors);
        let violated = pairs.filter(|(pair, _)| news(*pair)).map(|(_, monitor)| monitor.name.clone()).collect();
        Ok((after, violated))
    }

    fn violated_at_start(&self, memory: &Vec<MonitorState>) -> Vec<String> {
        let violated = memory.iter().zip(&self.monitors).filter(|(state, _)| state.verdict == Verdict::Violated);
        violated.map(|(_, monitor)| monitor.name.clone()).collect()
    }

    fn owed(&self, memory: &Vec<MonitorState>) -> Vec<String> {
        let owes = |state: &MonitorState, monitor: &Monitor| {
            state.verdict == Verdict::Open && monitor.verdict_at_end(state) == Verdict::Violated
        };
        let owed = memory.iter().zip(&self.monitors).filter(|(state, monitor)| owes(state, monitor));
        owed.map(|(_, monitor)| monitor.name.clone()).collect()
    }
}

/// The inputs whose order matters to these properties and observers: those of which they speak, or all, if one of them counts
/// steps or looks at states.
pub fn observables(monitors: &Monitors) -> BTreeSet<LabelId> {
    let model = monitors.instance().model();
    let mut found = BTreeSet::new();
    for monitor in &monitors.monitors {
        if !monitor.is_blind_to_others() {
            found.extend(0..model.actions.len());
        }
        let property = model.properties.iter().find(|property| property.name == monitor.name);
        if let Some(property) = property {
            mentioned(model, &property.formula.expr, &mut BTreeSet::new(), &mut found);
        }
        let observer = model.observers.iter().filter(|observer| observer.name == monitor.name);
        for rule in observer.flat_map(|observer| &observer.rules) {
            match rule.trigger {
                ObserverTrigger::Action(action) => _ = found.insert(action.0),
                ObserverTrigger::Silence => {}
                ObserverTrigger::Any | ObserverTrigger::Step => found.extend(0..model.actions.len()),
            }
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
