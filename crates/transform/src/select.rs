//! What can still reach a verdict: the states of each place from which the target may be reached, never too few, and what
//! is left of a test when it keeps to them.
//!
//! The rule looks at where a step leads, as corrected on the theory page: an input is given only into states with hope; an
//! output that leads to a verdict stays; any other is split into one that keeps hope and one that ends the test as inconclusive.

use super::Refused;
use super::logic::{all, any, bounds, conjuncts, implies, not, simple, truth};
use super::machine::{Machine, Step, slots_of};
use super::update::after;
use super::watch::{INCONCLUSIVE, place_verdict};
use crate::derive::Target;
use interplay_model::{Direction, Expr, ExprKind};

/// A condition that has grown so often is told by the bounds that it keeps to.
const EXACT: usize = 4;

pub fn select(machine: &Machine, target: Target) -> Result<Machine, Refused> {
    let hope = hope(machine, target)?;
    let mut selected = Machine { steps: Vec::new(), ..machine.clone() };
    let end = selected.verdict(INCONCLUSIVE);
    for step in &machine.steps {
        let keeps = after(&hope[step.to], &step.update);
        let with = |condition: Expr, to: usize| {
            let guard = all([step.guard.clone(), condition]);
            Step { guard, to, ..step.clone() }.simplified(&machine.model)
        };
        match machine.direction(step) {
            Direction::Input => selected.steps.extend(with(keeps, step.to)),
            _ if place_verdict(&machine.places[step.to].name).is_some() => selected.steps.push(step.clone()),
            _ => {
                selected.steps.extend(with(keeps.clone(), step.to));
                selected.steps.extend(with(not(keeps), end).map(|step| Step { update: Default::default(), ..step }));
            }
        }
    }
    Ok(selected.merged().reachable())
}

/// By place: the states from which the target may be reached.
pub fn hope(machine: &Machine, target: Target) -> Result<Vec<Expr>, Refused> {
    let is_target = |name: &str| place_verdict(name).is_some_and(|verdict| target.is_met(verdict));
    let mut hope: Vec<Expr> = machine.places.iter().map(|place| truth(is_target(&place.name))).collect();
    let mut grown = vec![0; hope.len()];
    loop {
        let mut changed = false;
        for place in (0..machine.places.len()).rev() {
            if is_true(&hope[place]) {
                continue;
            }
            let ways: Vec<Expr> = machine.steps_from(place).map(|step| before(machine, step, &hope[step.to])).collect();
            let next = simple(&machine.model, &any(std::iter::once(hope[place].clone()).chain(ways)));
            if next == hope[place] || implies(&machine.model, &next, &hope[place]) {
                continue;
            }
            changed = true;
            grown[place] += 1;
            hope[place] = match grown[place] {
                ..EXACT => next,
                EXACT => kept(machine, bounds(&machine.model, &next), &next),
                _ => kept(machine, conjuncts(hope[place].clone()), &next),
            };
        }
        if !changed {
            return Ok(hope);
        }
    }
}

fn is_true(expr: &Expr) -> bool {
    expr.kind == ExprKind::Bool(true)
}

/// The states from which the step leads into the condition; all of them if that cannot be told.
fn before(machine: &Machine, step: &Step, condition: &Expr) -> Expr {
    if condition.kind == ExprKind::Bool(false) {
        return truth(false);
    }
    let into = Step { guard: all([step.guard.clone(), after(condition, &step.update)]), ..step.clone() };
    let Some(into) = into.simplified(&machine.model) else { return truth(false) };
    // A condition that binds names of its own belongs to the frame of its step.
    let told = machine.enabled(&into).ok().filter(|condition| slots_of(condition).is_empty());
    told.unwrap_or_else(|| truth(true))
}

/// Those claims that still hold; fewer and fewer, so that it comes to an end.
fn kept(machine: &Machine, claims: Vec<Expr>, condition: &Expr) -> Expr {
    simple(&machine.model, &all(claims.into_iter().filter(|claim| implies(&machine.model, condition, claim))))
}
