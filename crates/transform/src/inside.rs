//! What happens inside before something is seen: all ways to go on by internal steps, each as one step, and where they lead
//! back to themselves.
//!
//! Two ways that lead to the same place and do the same are one, so the ways are the nodes of a graph whose circles are
//! internal steps without end: the system diverges in exactly the states in which all steps of a circle are possible.

use super::hazards::{goes_wrong, loses_nothing};
use super::logic::{all, any, conjuncts, fixed, implies, put, simple, truth, without};
use super::machine::{Machine, Step, append, moved};
use super::update::{Update, after, loses, then};
use super::{Refused, refused};
use interplay_model::{ActionId, Direction, Expr, Local, LocalId, Model};

/// More internal steps in a row are taken for a circle that never comes back to the same state.
const LONGEST: usize = 12;
/// More ways inside, or larger ones, are not put before anything.
const MOST_WAYS: usize = 60;
const MOST_PARTS: usize = 3_000;
const MOST_CIRCLES: usize = 24;

/// All ways inside from a place, doing nothing first.
pub(crate) struct Insides {
    pub(crate) ways: Vec<Inside>,
    arrows: Vec<Arrow>,
}

/// Internal steps one after the other, as one.
pub(crate) struct Inside {
    pub(crate) step: Step,
    trail: Vec<usize>,
}

/// One more internal step leads from one way to another.
struct Arrow {
    from: usize,
    to: usize,
    step: Step,
}

/// A condition in a frame of its own: for the names that it binds itself.
pub(crate) struct Framed {
    pub(crate) condition: Expr,
    pub(crate) locals: Vec<Local>,
}

pub(crate) fn insides(machine: &Machine, place: usize) -> Result<Insides, Refused> {
    let none = machine.model.actions.iter().position(|action| action.direction == Direction::Internal);
    let nothing = Step {
        from: place,
        action: ActionId(none.unwrap_or(0)),
        locals: Vec::new(),
        chosen: Vec::new(),
        guard: truth(true),
        update: Default::default(),
        to: place,
        span: Default::default(),
    };
    let mut found = Insides { ways: vec![Inside { step: nothing, trail: vec![place] }], arrows: Vec::new() };
    let mut next = 0;
    while next < found.ways.len() {
        let at = found.ways[next].step.to;
        for step in machine.steps_from(at).filter(|step| machine.direction(step) == Direction::Internal) {
            found.longer(machine, next, step)?;
        }
        next += 1;
    }
    Ok(found)
}

impl Insides {
    /// One more internal step.
    fn longer(&mut self, machine: &Machine, from: usize, step: &Step) -> Result<(), Refused> {
        let Some(mut longer) = joined(&machine.model, &self.ways[from].step, step)? else { return Ok(()) };
        // Nobody sees the parameters of what happens inside.
        longer.chosen.extend((0..machine.params(step.action)).map(LocalId));
        let Some(longer) = settled(&machine.model, longer) else { return Ok(()) };
        let known = self.ways.iter().position(|own| covers(&machine.model, &own.step, &longer));
        if let Some(known) = known
            && goes_wrong(&machine.model, &step.guard)
        {
            // The way that is kept does the same, but what goes wrong in this condition goes wrong nowhere else.
            let kept = all([self.ways[known].step.guard.clone(), self.ways[from].step.guard.clone()]);
            if !loses_nothing(&machine.model, &kept, &longer.guard) {
                return refused(
                    step.span,
                    "not supported: a possible model error in the condition of an internal step without a new effect",
                );
            }
        }
        let to = known.unwrap_or(self.ways.len());
        if known.is_none() {
            let mut trail = self.ways[from].trail.clone();
            trail.push(longer.to);
            if trail.len() > LONGEST {
                let names: Vec<&str> =
                    trail.iter().rev().take(3).rev().map(|at| machine.places[*at].name.as_str()).collect();
                return refused(
                    step.span,
                    format!("divergence: internal steps may go on for ever ({} ...)", names.join(" -> ")),
                );
            }
            if self.ways.len() >= MOST_WAYS || size(&longer) > MOST_PARTS {
                return refused(step.span, "the composition of internal steps is too large");
            }
            self.ways.push(Inside { step: longer.clone(), trail });
        }
        self.arrows.push(Arrow { from, to, step: longer });
        Ok(())
    }

    /// The states from which internal steps may go on for ever.
    pub(crate) fn divergence(&self, model: &Model) -> Result<Framed, Refused> {
        let mut circles = Vec::new();
        for start in 0..self.ways.len() {
            self.circles(start, start, &mut Vec::new(), &mut circles)?;
        }
        let (mut conditions, mut locals) = (Vec::new(), Vec::new());
        for circle in circles {
            let mut parts = Vec::new();
            for arrow in circle {
                let step = &self.arrows[arrow].step;
                if !step.chosen.is_empty() {
                    return refused(step.span, "unknown whether internal steps diverge: it depends on hidden choices");
                }
                let slots = append(&mut locals, &step.locals, 0);
                parts.push(moved(&step.guard, &slots));
            }
            conditions.push(all(parts));
        }
        Ok(Framed { condition: simple(model, &any(conditions)), locals })
    }

    /// Every circle once: from the smallest of its ways.
    fn circles(
        &self,
        start: usize,
        at: usize,
        path: &mut Vec<usize>,
        found: &mut Vec<Vec<usize>>,
    ) -> Result<(), Refused> {
        for (index, arrow) in self.arrows.iter().enumerate().filter(|(_, arrow)| arrow.from == at && arrow.to >= start)
        {
            path.push(index);
            let seen = path.iter().any(|own| self.arrows[*own].from == arrow.to);
            if arrow.to == start {
                found.push(path.clone());
            } else if !seen {
                self.circles(start, arrow.to, path, found)?;
            }
            path.pop();
            if found.len() > MOST_CIRCLES {
                return refused(arrow.step.span, "too many cycles of internal steps");
            }
        }
        Ok(())
    }
}

/// Whatever the second does, the first does too.
fn covers(model: &Model, first: &Step, second: &Step) -> bool {
    let types = |step: &Step| step.chosen.iter().map(|id| step.locals[id.0].ty.clone()).collect::<Vec<_>>();
    first.to == second.to
        && first.update == second.update
        && first.chosen == second.chosen
        && types(first) == types(second)
        && implies(model, &second.guard, &first.guard)
}

/// No internal steps lead from a place back to one where they have been.
pub(crate) fn is_acyclic(machine: &Machine, place: usize) -> bool {
    fn walk(machine: &Machine, at: usize, path: &mut Vec<usize>) -> bool {
        if path.contains(&at) {
            return false;
        }
        path.push(at);
        let mut inside = machine.steps_from(at).filter(|step| machine.direction(step) == Direction::Internal);
        let fine = inside.all(|step| walk(machine, step.to, path));
        path.pop();
        fine
    }
    walk(machine, place, &mut Vec::new())
}

/// Neither outputs that are owed nor internal steps are possible.
pub(crate) fn at_rest(machine: &Machine, place: usize) -> Result<Framed, Refused> {
    let (mut stopped, mut locals) = (Vec::new(), Vec::new());
    for step in machine.steps_from(place).filter(|step| machine.model.actions[step.action.0].is_owed()) {
        // Names that are bound inside the guards stay in the frame.
        let slots = append(&mut locals, &step.locals, 0);
        stopped.push(super::logic::not(moved(&machine.enabled(step)?, &slots)));
    }
    Ok(Framed { condition: simple(&machine.model, &all(stopped)), locals })
}

fn size(step: &Step) -> usize {
    let mut parts = 0;
    step.update.values().chain([&step.guard]).for_each(|expr| expr.walk(&mut |_| parts += 1));
    parts
}

/// The first, then the second; the frame begins with what the second begins with. `None` if that can never be.
pub(crate) fn joined(model: &Model, first: &Step, second: &Step) -> Result<Option<Step>, Refused> {
    let mut locals = second.locals.clone();
    let slots = append(&mut locals, &first.locals, 0);
    let update: Update = first.update.iter().map(|(variable, value)| (*variable, moved(value, &slots))).collect();
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
    if loses(model, &update, &step.guard, &step.update) {
        return refused(
            first.span,
            "not supported: a possible model error in an internal step whose effect is overwritten",
        );
    }
    Ok(settled(model, step))
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
                Some(guard) if loses_nothing(model, &guard, &step.guard) => step.guard = guard,
                _ => step.chosen.push(local),
            }
            continue;
        }
        let parts = conjuncts(step.guard.clone());
        match fixed(model, &parts, local, &step.locals[local.0].ty) {
            Some((said, value)) => {
                step.guard = all(said);
                step.update = step.update.iter().map(|(variable, new)| (*variable, put(new, local, &value))).collect();
            }
            None => step.chosen.push(local),
        }
    }
    step.simplified(model)
}
