//! What happens inside is put before what is seen after it: no step is internal any more, and the same is seen.

use super::logic::{all, conjuncts, equal_to, implies, put, truth, without};
use super::machine::{Machine, Step, append, moved};
use super::update::{after, then};
use super::{Refused, refused};
use interplay_model::{Direction, Expr, LocalId, Model};

/// More internal steps in a row are taken for a circle.
const LONGEST: usize = 12;
/// More ways inside, or larger ones, are not put before anything.
const MOST_WAYS: usize = 60;
const MOST_PARTS: usize = 3_000;

/// Internal steps one after the other, as one.
struct Inside {
    step: Step,
    trail: Vec<usize>,
}

pub fn hide(machine: Machine) -> Result<Machine, Refused> {
    let mut steps = Vec::new();
    for place in 0..machine.places.len() {
        for inside in insides(&machine, place)? {
            let seen = machine.steps_from(inside.step.to).filter(|step| machine.direction(step) != Direction::Internal);
            steps.extend(seen.filter_map(|step| joined(&machine.model, &inside.step, step)));
        }
    }
    Ok(Machine { steps, ..machine }.merged().reachable())
}

/// All ways to go on inside, doing nothing first.
fn insides(machine: &Machine, place: usize) -> Result<Vec<Inside>, Refused> {
    let none = machine.model.actions.iter().position(|action| action.direction == Direction::Internal);
    let nothing = Step {
        from: place,
        action: interplay_model::ActionId(none.unwrap_or(0)),
        locals: Vec::new(),
        chosen: Vec::new(),
        guard: truth(true),
        update: Default::default(),
        to: place,
        span: Default::default(),
    };
    let mut found = vec![Inside { step: nothing, trail: vec![place] }];
    let mut next = 0;
    while next < found.len() {
        let at = found[next].step.to;
        for step in machine.steps_from(at).filter(|step| machine.direction(step) == Direction::Internal) {
            let Some(mut longer) = joined(&machine.model, &found[next].step, step) else { continue };
            // Nobody sees the parameters of what happens inside.
            longer.chosen.extend((0..machine.params(step.action)).map(LocalId));
            let Some(longer) = settled(&machine.model, longer) else { continue };
            let known = |own: &Inside| {
                own.step.to == longer.to
                    && own.step.update == longer.update
                    && implies(&machine.model, &longer.guard, &own.step.guard)
            };
            if found.iter().any(known) {
                continue;
            }
            let mut trail = found[next].trail.clone();
            trail.push(longer.to);
            if trail.len() > LONGEST {
                let names: Vec<&str> =
                    trail.iter().rev().take(3).rev().map(|at| machine.places[*at].name.as_str()).collect();
                return refused(
                    step.span,
                    format!("internal steps may follow each other without end ({} ...)", names.join(" -> ")),
                );
            }
            if found.len() >= MOST_WAYS || size(&longer) > MOST_PARTS {
                return refused(step.span, "what internal steps do together becomes too large to be told");
            }
            found.push(Inside { step: longer, trail });
        }
        next += 1;
    }
    Ok(found)
}

fn size(step: &Step) -> usize {
    let mut parts = 0;
    step.update.values().chain([&step.guard]).for_each(|expr| expr.walk(&mut |_| parts += 1));
    parts
}

/// The first, then the second; the frame begins with what the second begins with. `None` if that can never be.
fn joined(model: &Model, first: &Step, second: &Step) -> Option<Step> {
    let mut locals = second.locals.clone();
    let slots = append(&mut locals, &first.locals, 0);
    let update = first.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))).collect();
    let step = Step {
        from: first.from,
        action: second.action,
        guard: all([moved(&first.guard, &slots), after(&second.guard, &update)]),
        chosen: second.chosen.iter().copied().chain(first.chosen.iter().map(|id| slots[id.0])).collect(),
        update: then(&update, &second.update),
        locals,
        to: second.to,
        span: second.span,
    };
    settled(model, step)
}

/// Choices that nobody sees are dropped where they have no effect, and replaced where they are fixed.
pub(crate) fn settled(model: &Model, mut step: Step) -> Option<Step> {
    for local in std::mem::take(&mut step.chosen) {
        let mentioned = |expr: &Expr| {
            let mut found = false;
            expr.walk(&mut |part| found |= part.kind == interplay_model::ExprKind::Local(local));
            found
        };
        if !step.update.values().any(mentioned) {
            match without(model, &step.guard, local, &step.locals[local.0].ty) {
                Some(guard) => step.guard = guard,
                None => step.chosen.push(local),
            }
            continue;
        }
        let parts = conjuncts(step.guard.clone());
        match parts.iter().find_map(|part| equal_to(part, local)) {
            Some(value) => {
                step.guard = put(&step.guard, local, &value);
                step.update = step.update.iter().map(|(variable, new)| (*variable, put(new, local, &value))).collect();
            }
            None => step.chosen.push(local),
        }
    }
    step.simplified(model)
}
