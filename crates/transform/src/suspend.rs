//! Silence made visible: where no output and nothing inside can happen, and where internal steps may go on without end, silence is
//! seen, and nothing changes.

use super::inside::{at_rest, insides, is_acyclic};
use super::logic::{any, simple};
use super::machine::{Machine, SILENCE, Step, append, moved};
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{Action, ActionId, ComponentId, Direction, ExprKind};

/// Adds an output for silence to every place, with the states in which it is seen as its guard.
pub fn suspend(mut machine: Machine) -> Result<Machine, Refused> {
    if let Some(action) = machine.silence() {
        return refused(machine.model.actions[action.0].span, "`delta` is already an action");
    }
    let action = ActionId(machine.model.actions.len());
    machine.model.actions.push(Action {
        name: SILENCE.into(),
        doc: String::new(),
        direction: Direction::Output,
        optional: false,
        signal: false,
        params: Vec::new(),
        result: None,
        component: ComponentId(0),
        span: Span::default(),
    });
    for place in 0..machine.places.len() {
        let mut rest = at_rest(&machine, place)?;
        if !is_acyclic(&machine, place) {
            let diverges = insides(&machine, place)?.divergence(&machine.model)?;
            if diverges.condition.kind != ExprKind::Bool(false) {
                let name = &machine.places[place].name;
                machine.remarks.push(format!(
                    "divergence at `{name}`: internal steps may go on for ever, so silence is observable there"
                ));
            }
            let slots = append(&mut rest.locals, &diverges.locals, 0);
            let both = any([rest.condition, moved(&diverges.condition, &slots)]);
            rest.condition = simple(&machine.model, &both);
        }
        if rest.condition.kind != ExprKind::Bool(false) {
            machine.steps.push(Step {
                from: place,
                action,
                locals: rest.locals,
                chosen: Vec::new(),
                guard: rest.condition,
                update: Default::default(),
                to: place,
                span: Span::default(),
            });
        }
    }
    Ok(machine)
}
