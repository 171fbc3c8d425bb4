//! Silence made visible: where no output and nothing inside can happen, silence is seen, and nothing changes.

use super::logic::{all, not, simple};
use super::machine::{Machine, SILENCE, Step, append, moved};
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{Action, ActionId, ComponentId, Direction, ExprKind};

/// Adds an output for silence to every place, with the states in which it is seen as its guard.
pub fn suspend(mut machine: Machine) -> Result<Machine, Refused> {
    if let Some(action) = machine.silence() {
        return refused(machine.model.actions[action.0].span, "silence is visible here already: `delta` is an action");
    }
    let action = ActionId(machine.model.actions.len());
    machine.model.actions.push(Action {
        name: SILENCE.into(),
        doc: String::new(),
        direction: Direction::Output,
        signal: false,
        params: Vec::new(),
        result: None,
        component: ComponentId(0),
        span: Span::default(),
    });
    for place in 0..machine.places.len() {
        // Names that are bound inside the guards stay in the frame.
        let (mut stopped, mut locals) = (Vec::new(), Vec::new());
        for step in machine.steps_from(place).filter(|step| machine.direction(step) != Direction::Input) {
            let slots = append(&mut locals, &step.locals, 0);
            stopped.push(not(moved(&machine.enabled(step)?, &slots)));
        }
        let guard = simple(&machine.model, &all(stopped));
        if guard.kind != ExprKind::Bool(false) {
            machine.steps.push(Step {
                from: place,
                action,
                locals,
                chosen: Vec::new(),
                guard,
                update: Default::default(),
                to: place,
                span: Span::default(),
            });
        }
    }
    Ok(machine)
}
