//! What is always true at a place: claims that the guards make, and bounds of the initial values, as far as every step keeps
//! them. With these, steps that can never be taken are seen and left out.

use super::logic::{all, bounds, conjuncts, implies, never, not, opposites};
use super::machine::{Machine, Step, slots_of};
use super::update::{Update, after, replace};
use interplay_model::{BinaryOperator, Expr, ExprKind, Model, Type, VariableId};
use interplay_prove::linear::{binary, int};
use std::collections::BTreeSet;

/// More claims are not tried.
const MOST_CLAIMS: usize = 32;

/// By place.
pub(crate) fn invariants(machine: &Machine) -> Vec<Expr> {
    let model = &machine.model;
    let assumed = assumptions(model);
    let start = initial(model);
    let claims = claims(machine);
    let at_start = |claim: &&Expr| implies(model, &assumed, &after(claim, &start));
    let mut held: Vec<Option<Vec<Expr>>> = vec![None; machine.places.len()];
    held[machine.start] = Some(claims.iter().filter(at_start).cloned().collect());
    let mut waiting = vec![machine.start];
    while let Some(place) = waiting.pop() {
        let here = all([assumed.clone()].into_iter().chain(held[place].clone().unwrap_or_default()));
        for step in machine.steps_from(place) {
            let taken = all([here.clone(), step.guard.clone()]);
            if never(model, &taken) {
                continue;
            }
            let stays = |claim: &&Expr| implies(model, &taken, &after(claim, &step.update));
            let candidates = held[step.to].as_ref().unwrap_or(&claims);
            let left: Vec<Expr> = candidates.iter().filter(stays).cloned().collect();
            if held[step.to].as_ref().is_none_or(|held| held.len() != left.len()) {
                held[step.to] = Some(left);
                if !waiting.contains(&step.to) {
                    waiting.push(step.to);
                }
            }
        }
    }
    // What is never reached keeps nothing, so that nothing is said about it.
    held.into_iter().map(|held| all([assumed.clone()].into_iter().chain(held.unwrap_or_default()))).collect()
}

impl Machine {
    /// Without the steps that can never be taken, and with those that do the same as one.
    pub(crate) fn pruned(mut self) -> Machine {
        let invariants = invariants(&self);
        self.steps.retain(|step| !never(&self.model, &all([invariants[step.from].clone(), step.guard.clone()])));
        self.merged().reachable()
    }

    /// Steps that lead to the same with the same effect are one.
    pub(crate) fn merged(mut self) -> Machine {
        let mut steps: Vec<Step> = Vec::new();
        for step in std::mem::take(&mut self.steps) {
            let params = self.params(step.action);
            let simple = |step: &Step| step.chosen.is_empty() && plain(step, params);
            let same = |own: &Step| {
                (own.from, own.action, own.to) == (step.from, step.action, step.to)
                    && own.update == step.update
                    && simple(own)
                    && simple(&step)
            };
            match steps.iter_mut().find(|own| same(own)) {
                Some(own) => {
                    let either = super::logic::any([own.guard.clone(), step.guard.clone()]);
                    own.guard = super::logic::simple(&self.model, &either);
                }
                None => steps.push(step),
            }
        }
        self.steps = steps;
        self
    }
}

/// Only parameters are named.
fn plain(step: &Step, params: usize) -> bool {
    let mut all = step.update.values().chain([&step.guard]);
    all.all(|expr| slots_of(expr).iter().all(|slot| slot.0 < params))
}

/// What `init` says about constants alone.
fn assumptions(model: &Model) -> Expr {
    let about_constants = |expr: &Expr| {
        let mut only = true;
        expr.walk(&mut |part| only &= !matches!(part.kind, ExprKind::Variable(_) | ExprKind::Local(_)));
        only
    };
    all(model.initial.iter().map(|closed| closed.expr.clone()).filter(about_constants))
}

fn initial(model: &Model) -> Update {
    let mut initial = Update::new();
    for (index, variable) in model.variables.iter().enumerate() {
        if let Some(closed) = &variable.value {
            // Earlier variables may be read.
            let value = replace(&closed.expr, &|part| match part.kind {
                ExprKind::Variable(id) => initial.get(&id).cloned(),
                _ => None,
            });
            initial.insert(VariableId(index), value);
        }
    }
    initial
}

/// What the guards claim about variables, the opposite of it, and bounds by the initial values.
fn claims(machine: &Machine) -> Vec<Expr> {
    let model = &machine.model;
    let mut found: Vec<Expr> = Vec::new();
    let mut add = |claim: Expr| {
        let mut about_state = false;
        claim.walk(&mut |part| about_state |= matches!(part.kind, ExprKind::Variable(_)));
        if about_state && slots_of(&claim).is_empty() && !found.contains(&claim) && found.len() < MOST_CLAIMS {
            found.push(claim);
        }
    };
    let used: BTreeSet<VariableId> = machine.steps.iter().flat_map(|step| step.update.keys().copied()).collect();
    let variable =
        |id: VariableId| Expr::new(ExprKind::Variable(id), model.variables[id.0].ty.clone(), Default::default());
    for id in &used {
        let value = model.variables[id.0].value.as_ref().and_then(|closed| closed.expr.as_int());
        if let Some(value) = value.and_then(|value| int(i128::from(value))) {
            for operator in [BinaryOperator::GreaterEqual, BinaryOperator::Greater, BinaryOperator::LessEqual] {
                add(binary(operator, variable(*id), value.clone(), Type::Bool));
            }
        }
    }
    // Variables of one small type are often kept equal, or apart.
    for left in &used {
        for right in used.iter().filter(|right| right > &left) {
            let ty = |id: &VariableId| model.types.strip(&model.variables[id.0].ty);
            if matches!(ty(left), Type::Range(_)) && ty(left) == ty(right) {
                add(binary(BinaryOperator::Equal, variable(*left), variable(*right), Type::Bool));
                add(binary(BinaryOperator::NotEqual, variable(*left), variable(*right), Type::Bool));
            }
        }
    }
    for step in &machine.steps {
        for claim in conjuncts(step.guard.clone()).iter().flat_map(|part| bounds(model, part)) {
            for opposite in opposites(model, &not(claim.clone())) {
                add(opposite);
            }
            add(claim);
        }
    }
    found
}
