//! What a block evaluates on its way and may go wrong: the one assignment that tells the block must evaluate it, too, or it
//! would go on where the block goes wrong.
//!
//! A value that is written must also lie in the type of its variable, even if it is overwritten afterwards.

use super::super::hazards::{goes_wrong, is_partial};
use super::super::logic::{all, conjuncts, implies, truth};
use super::super::{Refused, refused};
use super::Path;
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Model, RangeId, Shared, Type, VariableId};
use interplay_prove::linear::binary;
use interplay_semantics::integer_bounds;

#[derive(Clone)]
pub(super) struct Owed {
    value: Expr,
    /// The variable that it was written to, if it may lie outside its type.
    outside: Option<VariableId>,
    fails: bool,
    span: Span,
}

impl Path {
    /// The expression is evaluated here.
    pub(super) fn owe(&mut self, model: &Model, value: &Expr, span: Span) {
        if goes_wrong(model, value) {
            self.owed.push(Owed { value: value.clone(), outside: None, fails: true, span });
        }
    }

    /// The expression is evaluated here, and written.
    pub(super) fn owe_written(&mut self, model: &Model, variable: VariableId, value: &Expr, span: Span) {
        let given = all(self.given.iter().chain(&self.condition).cloned());
        let fits = fits(model, &given, value, &model.variables[variable.0].ty);
        let fails = goes_wrong(model, value);
        if fails || !fits {
            let outside = (!fits).then_some(variable);
            self.owed.push(Owed { value: value.clone(), outside, fails, span });
        }
    }

    /// The result evaluates everything that was owed since there were `known`.
    pub(super) fn settled(&self, known: usize) -> Result<(), Refused> {
        let done = || self.update.values().chain(&self.condition).chain(&self.given);
        for owed in &self.owed[known..] {
            let stored = owed.outside.is_none_or(|variable| self.update.get(&variable) == Some(&owed.value));
            if !stored || owed.fails && !done().any(|value| evaluates(value, &owed.value)) {
                return refused(owed.span, "not supported: a possible model error that is not part of an assignment");
            }
        }
        Ok(())
    }
}

/// Whoever evaluates the whole evaluates the part, too, whatever the state.
pub(crate) fn evaluates(whole: &Expr, part: &Expr) -> bool {
    asks(&whole.clone().without_places(), &part.clone().without_places())
}

fn asks(whole: &Expr, part: &Expr) -> bool {
    if whole == part {
        return true;
    }
    let inside = |of: &Expr| asks(of, part);
    match &whole.kind {
        ExprKind::Binary {
            operator: BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies, left, ..
        } => inside(left),
        ExprKind::If { condition, then, otherwise } => inside(condition) || inside(then) && inside(otherwise),
        ExprKind::Match { value, arms } => inside(value) || arms.iter().all(|(_, arm)| inside(arm)),
        ExprKind::Quantified { .. } | ExprKind::Comprehension(_) => false,
        ExprKind::Builtin { function: Builtin::OptionOr | Builtin::MapGet, args } => args.first().is_some_and(inside),
        _ => {
            let mut found = false;
            whole.children(&mut |child| found |= asks(child, part));
            found
        }
    }
}

/// The value lies in the type wherever the condition holds; `false` if that is not known.
pub(crate) fn fits(model: &Model, given: &Expr, value: &Expr, ty: &Type) -> bool {
    let given = || all(conjuncts(given.clone()).into_iter().filter(|part| !is_partial(model, part)));
    within(model, value, ty).is_some_and(|condition| implies(model, &given(), &condition))
}

/// When the value lies in the type, as far as that can be said.
fn within(model: &Model, value: &Expr, ty: &Type) -> Option<Expr> {
    let each = |values: &[Expr], ty: &Type| -> Option<Expr> {
        Some(all(values.iter().map(|value| within(model, value, ty)).collect::<Option<Vec<_>>>()?))
    };
    if !has_ranges(model, ty) || is_stored(value) && value.ty == *ty {
        return Some(truth(true));
    }
    match (&value.kind, model.types.strip(ty)) {
        (ExprKind::If { condition, then, otherwise }, _) => {
            let parts = [(**condition).clone(), within(model, then, ty)?, within(model, otherwise, ty)?];
            let [condition, then, otherwise] = parts.map(Shared::new);
            Some(Expr::new(ExprKind::If { condition, then, otherwise }, Type::Bool, Span::default()))
        }
        (ExprKind::Match { arms, .. }, _) => {
            Some(all(arms.iter().map(|(_, arm)| within(model, arm, ty)).collect::<Option<Vec<_>>>()?))
        }
        (_, Type::Range(id)) if is_between(model, value, *id) => Some(truth(true)),
        (_, Type::Range(id)) if is_stored(value) || is_sum(value) => {
            let range = &model.types.ranges[id.0];
            Some(all([
                binary(BinaryOperator::GreaterEqual, value.clone(), range.low.clone(), Type::Bool),
                binary(BinaryOperator::LessEqual, value.clone(), range.high.clone(), Type::Bool),
            ]))
        }
        (ExprKind::Tuple(parts), Type::Tuple(types)) => {
            let parts = parts.iter().zip(types).map(|(part, ty)| within(model, part, ty));
            Some(all(parts.collect::<Option<Vec<_>>>()?))
        }
        (ExprKind::Record { fields, .. }, Type::Record(id)) => {
            let types = model.types.records[id.0].fields.iter().map(|(_, ty)| ty);
            let parts = fields.iter().zip(types).map(|(part, ty)| within(model, part, ty));
            Some(all(parts.collect::<Option<Vec<_>>>()?))
        }
        (ExprKind::Set(items) | ExprKind::Seq(items), Type::Set(inner) | Type::Seq(inner)) => each(items, inner),
        (ExprKind::None, _) => Some(truth(true)),
        (ExprKind::Some(inner), Type::Option(ty)) => within(model, inner, ty),
        _ => None,
    }
}

/// By its bounds alone.
fn is_between(model: &Model, value: &Expr, id: RangeId) -> bool {
    let range = &model.types.ranges[id.0];
    let (low, high) = integer_bounds(model, value);
    range.low.as_int().is_some_and(|least| i128::from(least) <= low)
        && range.high.as_int().is_some_and(|most| high <= i128::from(most))
}

/// A number, or a sum of numbers and of what was looked at when it got its value.
fn is_sum(value: &Expr) -> bool {
    use BinaryOperator::{Add, Multiply, Subtract};
    match &value.kind {
        ExprKind::Int(_) => true,
        ExprKind::Negate(inner) => is_sum(inner),
        ExprKind::Binary { operator: Add | Subtract | Multiply, left, right } => is_sum(left) && is_sum(right),
        _ => is_stored(value),
    }
}

fn is_stored(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Variable(_) | ExprKind::Local(_) | ExprKind::Constant(_) => true,
        ExprKind::Field { of, .. } | ExprKind::Index { of, .. } => is_stored(of),
        _ => false,
    }
}

fn has_ranges(model: &Model, ty: &Type) -> bool {
    let types = &model.types;
    match types.strip(ty) {
        Type::Range(_) => true,
        Type::Tuple(parts) => parts.iter().any(|part| has_ranges(model, part)),
        Type::Record(id) => types.records[id.0].fields.iter().any(|(_, ty)| has_ranges(model, ty)),
        Type::Enum(id) => {
            let mut payloads = types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload);
            payloads.any(|ty| has_ranges(model, ty))
        }
        Type::Option(inner) | Type::Set(inner) | Type::Seq(inner) => has_ranges(model, inner),
        Type::Map(key, value) => has_ranges(model, key) || has_ranges(model, value),
        _ => false,
    }
}
