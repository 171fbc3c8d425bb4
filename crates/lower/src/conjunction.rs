//! Guards as lists of conditions, each of which may fix an unknown parameter.
//!
//! An equation with a constructor (`busy == some(n)`, `pair == (a, 1)`, `box == Box(size: n)`) is written out part by part: `busy != none and
//! n == busy.get`. Every engine knows then which values it gives, by the one rule for `p == e`. This is done only where the parts cannot go wrong,
//! so that it says the same as before, errors included.

use super::operators::pair;
use interplay_diagnostics::Span;
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, LocalId, Type, TypeTable};

/// Splits a conjunction, from left to right.
pub(super) fn conjuncts(types: &TypeTable, expr: Expr, all: &mut Vec<Expr>) {
    match expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            conjuncts(types, left.take(), all);
            conjuncts(types, right.take(), all);
        }
        // It remains one condition, because it is one for whoever wrote it.
        _ => all.push(written_out(types, &expr).unwrap_or(expr)),
    }
}

/// An equation between something and a constructor around locals, as equations of its parts.
fn written_out(types: &TypeTable, expr: &Expr) -> Option<Expr> {
    let ExprKind::Binary { operator: BinaryOperator::Equal, left, right } = &expr.kind else { return None };
    let (whole, constructor) = match (is_constructor(left), is_constructor(right)) {
        (true, false) => (right, left),
        (false, true) => (left, right),
        _ => return None,
    };
    let locals = locals(constructor)?;
    let asks_for_itself = |part: &Expr| matches!(part.kind, ExprKind::Local(local) if locals.contains(&local));
    let mut recursive = false;
    whole.walk(&mut |part| recursive |= asks_for_itself(part));
    if locals.is_empty() || recursive {
        return None;
    }
    let mut parts = Vec::new();
    Writing { types, span: expr.span }.equations(whole, constructor, &mut parts);
    let both = |one, other| pair(BinaryOperator::And, one, other, Type::Bool, expr.span);
    parts.into_iter().reduce(both)
}

fn is_constructor(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Some(_) | ExprKind::Tuple(_) | ExprKind::Record { .. })
}

/// The locals in a constructor of which no part can go wrong; `None` if one may.
fn locals(constructor: &Expr) -> Option<Vec<LocalId>> {
    match &constructor.kind {
        ExprKind::Local(local) => Some(vec![*local]),
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::None => Some(Vec::new()),
        ExprKind::Some(inner) => locals(inner),
        ExprKind::Tuple(parts) | ExprKind::Record { fields: parts, .. } => {
            parts.iter().map(locals).collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        _ => None,
    }
}

struct Writing<'w> {
    types: &'w TypeTable,
    /// The equation as it was written: nobody wrote its parts.
    span: Span,
}

impl Writing<'_> {
    fn equations(&self, whole: &Expr, constructor: &Expr, all: &mut Vec<Expr>) {
        let compared = |operator, one, other| pair(operator, one, other, Type::Bool, self.span);
        match (&constructor.kind, self.types.strip(&whole.ty)) {
            (ExprKind::Some(inner), Type::Option(ty)) => {
                let none = Expr::new(ExprKind::None, whole.ty.clone(), self.span);
                all.push(compared(BinaryOperator::NotEqual, whole.clone(), none));
                let get = ExprKind::Builtin { function: Builtin::OptionGet, args: [whole.clone()].into() };
                self.equations(&Expr::new(get, Type::clone(ty), self.span), inner, all);
            }
            (ExprKind::Tuple(parts), Type::Tuple(of)) => self.fields(whole, parts, of.iter(), all),
            (ExprKind::Record { record, fields: parts }, Type::Record(_)) => {
                self.fields(whole, parts, self.types.records[record.0].fields.iter().map(|(_, ty)| ty), all);
            }
            _ => all.push(compared(BinaryOperator::Equal, constructor.clone(), whole.clone())),
        }
    }

    fn fields<'t>(&self, whole: &Expr, parts: &[Expr], of: impl Iterator<Item = &'t Type>, all: &mut Vec<Expr>) {
        for (index, (part, ty)) in parts.iter().zip(of).enumerate() {
            let field = ExprKind::Field { of: whole.clone().into(), index };
            self.equations(&Expr::new(field, ty.clone(), self.span), part, all);
        }
    }
}
