//! What may go wrong while a condition is evaluated, and where it is evaluated at all: a condition is read from left to right and
//! only as far as it is not decided, so what stands in front protects what stands behind.
//!
//! Whoever says a condition in other words asks here whether the new words evaluate anything that the old ones did not. The
//! question is asked of the text alone; the answer "no" is always right. What may go wrong is decided in `semantics`; here is
//! only what protects it.

use super::logic::{all, any, conjuncts, equal_to, implies, not, small, truth};
use super::machine::slots_of;
use interplay_model::{BinaryOperator, Expr, ExprKind, LocalId, Model, Type};
use interplay_prove::linear::Sum;
pub(crate) use interplay_semantics::may_be_unset;
use interplay_semantics::{may_fail_here, may_fail_here_soon, may_fail_soon, operands};
use std::collections::BTreeSet;

/// Something that may have no value, and the condition under which it is looked at.
struct Hazard {
    what: What,
    when: Expr,
}

#[derive(Clone, PartialEq)]
enum What {
    /// An operation that may go wrong.
    Fails(Expr),
    /// A sum or product that needs more than 64 bits only where integers without bounds are large.
    Large(Expr),
    /// An unknown that no conjunct gives a value before it is needed, so that its type must be enumerated.
    Open(LocalId),
}

/// Evaluating it can go wrong in some state, so that what stands before it matters.
pub(crate) fn may_fail(model: &Model, expr: &Expr) -> bool {
    !interplay_semantics::may_fail(model, expr).is_empty()
}

/// The same if integers without bounds stay small: whoever counts in `Int` does not mean to get beyond 64 bits.
pub(crate) fn goes_wrong(model: &Model, expr: &Expr) -> bool {
    !may_fail_soon(model, expr).is_empty()
}

/// It may go wrong by more than reading what is unset, though integers without bounds stay small.
pub(crate) fn is_partial(model: &Model, expr: &Expr) -> bool {
    let own = || !may_fail_here_soon(model, expr).is_empty();
    let mut partial = !matches!(expr.kind, ExprKind::Variable(_)) && own();
    operands(expr, &mut |part| partial = partial || is_partial(model, part));
    partial
}

/// Wherever the new words are evaluated, they touch nothing that may go wrong and that the old words do not touch there.
pub(crate) fn as_safe(model: &Model, new: &Expr, old: &Expr) -> bool {
    are_among(model, of(model, new), old)
}

/// Wherever the old words go wrong, the new ones do, if integers without bounds stay small.
pub(crate) fn loses_nothing(model: &Model, new: &Expr, old: &Expr) -> bool {
    let fails = of(model, old).into_iter().filter(|hazard| matches!(hazard.what, What::Fails(_)));
    are_among(model, fails.collect(), new)
}

fn are_among(model: &Model, hazards: Vec<Hazard>, old: &Expr) -> bool {
    if hazards.is_empty() {
        return true;
    }
    let known = of(model, old);
    hazards.iter().all(|hazard| {
        let same: Vec<&Hazard> = known.iter().filter(|own| covers(&own.what, &hazard.what)).collect();
        let there = || any(same.iter().map(|own| own.when.clone()));
        let open = matches!(hazard.what, What::Open(_));
        !same.is_empty() && (open || implies(model, &hazard.when, &there()))
    })
}

fn of(model: &Model, expr: &Expr) -> Vec<Hazard> {
    let mut found = Vec::new();
    look(model, expr, &truth(true), &mut found);
    open(model, expr, &mut found);
    found
}

/// Where the first has a value, so has the second.
fn covers(known: &What, other: &What) -> bool {
    let (What::Large(known), What::Large(other)) = (known, other) else { return known == other };
    let Some((known, other)) = Sum::of(known).zip(Sum::of(other)) else { return known == other };
    // With `x + 2` also `x + 1`: it lies between it and `x`.
    let between = known.parts.len() == 1
        && known.parts[0].1.abs() == 1
        && known.number.signum() == other.number.signum()
        && known.number.abs() >= other.number.abs();
    known.parts == other.parts && (known.number == other.number || between)
}

fn look(model: &Model, expr: &Expr, when: &Expr, found: &mut Vec<Hazard>) {
    use BinaryOperator::{And, Implies, Or};
    let mut both = |first: &Expr, second: &Expr, behind: Expr| {
        look(model, first, when, found);
        look(model, second, &all([when.clone(), behind]), found);
    };
    match &expr.kind {
        ExprKind::Binary { operator: And | Implies, left, right } => both(left, right, (**left).clone()),
        ExprKind::Binary { operator: Or, left, right } => both(left, right, not((**left).clone())),
        ExprKind::If { condition, then, otherwise } => {
            both(condition, then, (**condition).clone());
            look(model, otherwise, &all([when.clone(), not((**condition).clone())]), found);
        }
        _ => {
            operands(expr, &mut |part| look(model, part, when, found));
            let same = || expr.clone().without_places();
            let soon = may_fail_here_soon(model, expr);
            found.extend(may_fail_here(model, expr).iter().map(|mishap| Hazard {
                what: if soon.contains(mishap) { What::Fails(same()) } else { What::Large(same()) },
                when: when.clone(),
            }));
        }
    }
}

/// The unknowns of a conjunction that are needed before a conjunct gives them a value.
fn open(model: &Model, expr: &Expr, found: &mut Vec<Hazard>) {
    let mut given: BTreeSet<LocalId> = BTreeSet::new();
    let parts = conjuncts(expr.clone());
    let types = local_types(expr);
    for part in &parts {
        let new: Vec<LocalId> = slots_of(part).into_iter().filter(|slot| !given.contains(slot)).collect();
        let gives = match &new[..] {
            [only] => equal_to(part, *only).is_some() || is_element(part, *only),
            _ => false,
        };
        for slot in new {
            let finite = types.iter().any(|(own, ty)| *own == slot && small(model, ty).is_some());
            if !gives && !finite {
                found.push(Hazard { what: What::Open(slot), when: truth(true) });
            }
            given.insert(slot);
        }
    }
}

fn is_element(part: &Expr, unknown: LocalId) -> bool {
    matches!(&part.kind, ExprKind::Binary { operator: BinaryOperator::In, left, right }
        if left.kind == ExprKind::Local(unknown) && !slots_of(right).contains(&unknown))
}

fn local_types(expr: &Expr) -> Vec<(LocalId, Type)> {
    let mut found = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::Local(id) = part.kind {
            found.push((id, part.ty.clone()));
        }
    });
    found
}
