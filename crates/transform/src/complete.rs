//! What a specification does not say: outputs that it does not allow lead to `Fail`, inputs that it does not mention are ignored.

use super::logic::{all, any, not, simple};
use super::machine::{Machine, Step, append, moved};
use super::write::needs_its_guard;
use super::{Refused, refused};
use interplay_diagnostics::Span;
use interplay_model::{ActionId, Direction, Expr};

/// Every output that is not allowed leads to `Fail`. Of a deterministic machine with visible silence this is the canonical
/// tester: what it calls `Fail` is what an implementation must not do.
pub fn complete(mut machine: Machine) -> Result<Machine, Refused> {
    if let Some(step) = machine.steps.iter().find(|step| machine.direction(step) == Direction::Internal) {
        return refused(step.span, "internal actions must be removed first (`remove-internal`)");
    }
    let places = machine.places.len();
    let fail = machine.verdict("Fail");
    for place in (0..places).filter(|place| *place != fail) {
        for action in with_direction(&machine, Direction::Output) {
            let step = missing(&machine, place, action)?;
            machine.steps.extend(step.map(|step| Step { to: fail, ..step }));
        }
    }
    Ok(machine.reachable())
}

/// Every input that is not mentioned is taken and ignored.
pub fn complete_inputs(mut machine: Machine) -> Result<Machine, Refused> {
    // Offered everywhere, an input is asked for its limit and its weight everywhere.
    if let Some(span) = needs_its_guard(&machine.model) {
        return refused(
            span,
            "not supported: a `limit` or `weight` with a possible model error where its input is not specified",
        );
    }
    for place in 0..machine.places.len() {
        for action in with_direction(&machine, Direction::Input) {
            let step = missing(&machine, place, action)?;
            machine.steps.extend(step);
        }
    }
    Ok(machine)
}

/// For which inputs the specification says nothing, place by place.
pub fn unspecified(machine: &Machine) -> Result<Vec<Step>, Refused> {
    let mut found = Vec::new();
    for place in 0..machine.places.len() {
        for action in with_direction(machine, Direction::Input) {
            found.extend(missing(machine, place, action)?);
        }
    }
    Ok(found)
}

fn with_direction(machine: &Machine, direction: Direction) -> Vec<ActionId> {
    let actions = machine.model.actions.iter().enumerate();
    actions.filter(|(_, action)| action.direction == direction).map(|(index, _)| ActionId(index)).collect()
}

/// The events of an action that no step from a place takes, as a step that stays there.
fn missing(machine: &Machine, place: usize, action: ActionId) -> Result<Option<Step>, Refused> {
    let mut locals = machine.frame(action);
    let (mut guards, mut span): (Vec<Expr>, Span) = (Vec::new(), Span::default());
    for step in machine.steps_from(place).filter(|step| step.action == action) {
        let slots = append(&mut locals, &step.locals, machine.params(action));
        guards.push(moved(&machine.seen_guard(step)?, &slots));
        span = step.span;
    }
    let guard = simple(&machine.model, &all([not(any(guards))]));
    let step =
        Step { from: place, action, locals, chosen: Vec::new(), guard, update: Default::default(), to: place, span };
    Ok(step.simplified(&machine.model))
}
