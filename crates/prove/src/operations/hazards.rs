//! What may go wrong while a condition is evaluated, and where it is evaluated at all: a condition is read from left to right and
//! only as far as it is not decided, so what stands in front protects what stands behind.
//!
//! Whoever says a condition in other words asks here whether the new words evaluate anything that the old ones did not. The
//! question is asked of the text alone; the answer "no" is always right.

use super::linear::{Sum, bounds_of};
use super::logic::{all, any, conjuncts, equal_to, implies, not, small, truth};
use super::machine::slots_of;
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, LocalId, Model, Owner, Type, VariableId};
use std::collections::BTreeSet;

/// Something that may have no value, and the condition under which it is looked at.
struct Hazard {
    what: What,
    when: Expr,
}

#[derive(Clone, PartialEq)]
enum What {
    /// A variable that may be unset.
    Unset(VariableId),
    /// A sum or product that may need more than 64 bits.
    Large(Expr),
    /// An unknown that no conjunct gives a value before it is needed, so that its type must be enumerated.
    Open(LocalId),
}

/// Evaluating it may go wrong in some state, though not by what [`is_partial`] knows.
pub(crate) fn is_risky(model: &Model, expr: &Expr) -> bool {
    let mut found = Vec::new();
    look(model, expr, &truth(true), &mut found);
    !found.is_empty()
}

/// Evaluating it can go wrong in some state, so that what stands before it matters.
pub(crate) fn may_fail(model: &Model, expr: &Expr) -> bool {
    is_partial(expr) || is_risky(model, expr)
}

/// An operation in it has no value for some arguments.
pub(crate) fn is_partial(expr: &Expr) -> bool {
    let mut partial = false;
    expr.walk(&mut |part| {
        partial |= match &part.kind {
            ExprKind::Index { .. } | ExprKind::Call { .. } => true,
            // Keys must differ.
            ExprKind::Map(pairs) => pairs.len() > 1,
            ExprKind::Binary { operator: BinaryOperator::Divide | BinaryOperator::Remainder, right, .. } => {
                right.as_int().is_none_or(|divisor| divisor == 0 || divisor == -1)
            }
            ExprKind::Builtin { function, .. } => matches!(
                function,
                Builtin::First
                    | Builtin::Last
                    | Builtin::Rest
                    | Builtin::Front
                    | Builtin::Only
                    | Builtin::OptionGet
                    | Builtin::Min
                    | Builtin::Max
            ),
            _ => false,
        };
    });
    partial
}

/// The variable may be without a value in some state: none is declared, and no `init` speaks of it.
pub(crate) fn may_be_unset(model: &Model, id: VariableId) -> bool {
    // One that an operation has added has a value.
    let Some(variable) = model.variables.get(id.0) else { return false };
    let begun = || {
        let mut found = false;
        for closed in &model.initial {
            crate::property::walk_through(model, &closed.expr, &mut |part| {
                found |= part.kind == ExprKind::Variable(id);
            });
        }
        found
    };
    variable.value.is_none() && (matches!(variable.owner, Owner::Observer(_)) || !begun())
}

/// Wherever the new words are evaluated, they touch nothing that may go wrong and that the old words do not touch there.
pub(crate) fn as_safe(model: &Model, new: &Expr, old: &Expr) -> bool {
    let hazards = of(model, new);
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
            expr.children(&mut |child| look(model, child, when, found));
            let what = match &expr.kind {
                ExprKind::Variable(id) if may_be_unset(model, *id) => What::Unset(*id),
                _ if may_be_large(model, expr) => What::Large(expr.clone().without_places()),
                _ => return,
            };
            found.push(Hazard { what, when: when.clone() });
        }
    }
}

fn may_be_large(model: &Model, expr: &Expr) -> bool {
    use BinaryOperator::{Add, Multiply, Subtract};
    let computed = match &expr.kind {
        ExprKind::Binary { operator: Add | Subtract | Multiply, .. } => {
            matches!(model.types.strip(&expr.ty), Type::Int | Type::Range(_))
        }
        ExprKind::Negate(_) => true,
        ExprKind::Builtin { function, .. } => matches!(function, Builtin::Sum | Builtin::Abs),
        _ => false,
    };
    let fits = |(low, high): (i128, i128)| low >= i64::MIN.into() && high <= i64::MAX.into();
    computed && !bounds_of(model, expr).is_some_and(fits)
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
