//! Data for an input, found by solving its guard in a known state; and whether something may come.

use super::logic::{never, pick};
use super::machine::{Machine, Step};
use super::unfolded::literal;
use super::update::replace;
use super::watch::place_verdict;
use interplay_model::{ComponentId, Direction, Expr, ExprKind, Type};
use interplay_semantics::{Event, Instance, State, Value};

/// A number below the given one.
pub type Toss<'t> = &'t mut dyn FnMut(usize) -> usize;

/// Inputs that the machine takes in this state of its specification, one for each step that has some.
pub fn inputs(machine: &Machine, instance: &Instance, state: &State, toss: Toss<'_>) -> Vec<Event> {
    let here = place(machine, state);
    let given =
        machine.steps.iter().filter(|step| Some(step.from) == here && machine.direction(step) == Direction::Input);
    given.filter_map(|step| input(machine, instance, state, step, toss)).collect()
}

fn input(machine: &Machine, instance: &Instance, state: &State, step: &Step, toss: Toss<'_>) -> Option<Event> {
    let params = &machine.model.actions[step.action.0].params;
    let types: Vec<Type> = params.iter().map(|param| param.ty.clone()).collect();
    let guard = concrete(machine, instance, state, &machine.seen_guard(step).ok()?);
    let values = pick(&machine.model, &guard, &types, toss)?;
    let blank = State::blank(instance.model());
    let value = |expr: &Expr| instance.evaluate_with(expr, &[], &[], &blank, None).ok();
    Some(Event::new(step.action, values.iter().map(value).collect::<Option<Vec<Value>>>()?))
}

/// An output may come that leads on, not to a failure.
pub fn expects(machine: &Machine, instance: &Instance, state: &State) -> bool {
    let here = place(machine, state);
    machine.steps.iter().any(|step| {
        let fails = place_verdict(&machine.places[step.to].name).is_some_and(|verdict| verdict.fail);
        Some(step.from) == here
            && machine.direction(step) == Direction::Output
            && Some(step.action) != machine.silence()
            && !fails
            && !never(&machine.model, &concrete(machine, instance, state, &step.guard))
    })
}

/// The place of the first component, by its name.
fn place(machine: &Machine, state: &State) -> Option<usize> {
    let location = state.location(ComponentId(0))?;
    let name = &machine.model.locations.get(location.0)?.name;
    machine.places.iter().position(|place| place.name == *name)
}

/// With the values of variables and constants, as far as they have a text.
fn concrete(machine: &Machine, instance: &Instance, state: &State, expr: &Expr) -> Expr {
    replace(expr, &|part| {
        let value = match part.kind {
            ExprKind::Variable(id) => state.variable(id)?.clone(),
            ExprKind::Constant(id) => instance.constant(id).ok()?,
            // Without anything unknown inside it has a value, too.
            ExprKind::Builtin { .. } | ExprKind::Index { .. } if !has_locals(part) => {
                instance.evaluate_with(part, &[], &[], state, None).ok()?
            }
            _ => return None,
        };
        literal(&machine.model, &part.ty, &value)
    })
}

fn has_locals(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(_)));
    found
}
