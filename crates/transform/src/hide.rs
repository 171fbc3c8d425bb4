//! What happens inside is put before what is seen after it, and the same is seen.
//!
//! No step is internal any more where silence is an output already. Where it is not, silence must stay observable as it was, at
//! rest and along internal steps without end: there an internal step [`INSIDE`] is left, to where the system rests or back to
//! where it is, and the result says so.

use super::Refused;
use super::inside::{Insides, at_rest, insides, joined};
use super::logic::{all, never, not};
use super::machine::{Machine, Step, append, moved, slots_of};
use super::update::after;
use interplay_diagnostics::Span;
use interplay_model::{Action, ActionId, ComponentId, Direction, Expr, ExprKind};

/// The name of an internal step that is left.
const INSIDE: &str = "tau";

pub fn hide(machine: Machine) -> Result<Machine, Refused> {
    let mut result = Machine { steps: Vec::new(), ..machine.clone() };
    let mut left = None;
    for place in 0..machine.places.len() {
        let ways = insides(&machine, place)?;
        for inside in &ways.ways {
            for step in machine.steps_from(inside.step.to) {
                if machine.direction(step) != Direction::Internal {
                    result.steps.extend(joined(&machine.model, &inside.step, step)?);
                }
            }
        }
        if ways.ways.len() == 1 && !has_inside(&machine, place) {
            continue;
        }
        for inside in &ways.ways {
            result.hidden.variables.extend(inside.step.update.keys());
            result.hidden.moves |= inside.step.to != place;
        }
        divergence(&machine, &mut result, place, &ways, &mut left)?;
        if machine.silence().is_none() {
            rests(&machine, &mut result, place, &ways, &mut left)?;
        }
    }
    Ok(result.merged().reachable())
}

fn has_inside(machine: &Machine, place: usize) -> bool {
    machine.steps_from(place).any(|step| machine.direction(step) == Direction::Internal)
}

/// Internal steps without end are told; silence along them stays observable.
fn divergence(
    machine: &Machine,
    result: &mut Machine,
    place: usize,
    ways: &Insides,
    left: &mut Option<ActionId>,
) -> Result<(), Refused> {
    let diverges = ways.divergence(&machine.model)?;
    if diverges.condition.kind == ExprKind::Bool(false) {
        return Ok(());
    }
    let speaks = result.steps_from(place).any(|step| result.direction(step) == Direction::Output);
    let stays = machine.silence().is_none() && speaks;
    result.remarks.push(format!(
        "divergence at `{}`: internal steps may go on for ever, so silence is observable there{}",
        machine.places[place].name,
        if stays { ", so an internal step stays" } else { "" },
    ));
    if stays {
        let action = inside_action(result, left);
        result.steps.push(Step {
            from: place,
            action,
            locals: diverges.locals,
            chosen: Vec::new(),
            guard: diverges.condition,
            update: Default::default(),
            to: place,
            span: Span::default(),
        });
    }
    Ok(())
}

/// Where the system may come to rest inside, and something else could be seen before.
fn rests(
    machine: &Machine,
    result: &mut Machine,
    place: usize,
    ways: &Insides,
    left: &mut Option<ActionId>,
) -> Result<(), Refused> {
    let model = &machine.model;
    let (mut resting, mut before) = (Vec::new(), Vec::new());
    for (index, inside) in ways.ways.iter().enumerate() {
        let rest = at_rest(machine, inside.step.to)?;
        let mut step = inside.step.clone();
        let slots = append(&mut step.locals, &rest.locals, 0);
        let rest = after(&moved(&rest.condition, &slots), &step.update);
        // What can be seen from here though the system does not rest here yet.
        let moves = machine.steps_from(step.to).filter(|own| machine.direction(own) != Direction::Internal);
        let early = all([step.guard.clone(), not(rest.clone())]);
        if moves.count() > 0 && !never(model, &early) {
            before.push(early);
        }
        if index > 0 {
            step.guard = all([step.guard, rest]);
            resting.extend(step.simplified(model));
        }
    }
    // In which frame the names of a condition are is not known here: one that has some may hold together with any other.
    let apart = |one: &Expr, two: &Expr| {
        slots_of(one).is_empty() && slots_of(two).is_empty() && never(model, &all([one.clone(), two.clone()]))
    };
    resting.retain(|step: &Step| before.iter().any(|early| !apart(early, &step.guard)));
    if resting.is_empty() {
        return Ok(());
    }
    let action = inside_action(result, left);
    for step in resting {
        result.steps.push(Step { action, ..step });
    }
    result.remarks.push(format!(
        "removing an internal step at `{}` would change quiescence, so it stays; run `suspend` first to remove it",
        machine.places[place].name
    ));
    Ok(())
}

fn inside_action(result: &mut Machine, left: &mut Option<ActionId>) -> ActionId {
    *left.get_or_insert_with(|| {
        let mut name = INSIDE.to_string();
        while result.model.actions.iter().any(|action| action.name == name) {
            name.push('_');
        }
        result.model.actions.push(Action {
            name,
            doc: String::new(),
            direction: Direction::Internal,
            optional: false,
            signal: false,
            params: Vec::new(),
            result: None,
            component: ComponentId(0),
            span: Span::default(),
        });
        ActionId(result.model.actions.len() - 1)
    })
}
