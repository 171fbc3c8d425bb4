//! W018: a comparison whose outcome the declared ranges decide: `x == 9` for `x: 0..7`.

use super::expressions;
use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, Model, Type};
use std::collections::BTreeSet;

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    // The parameters of a definition are not looked at when it is called: they may lie outside.
    let bodies: BTreeSet<*const Expr> = model.definitions.iter().map(|each| &raw const each.body).collect();
    let mut told = BTreeSet::new();
    expressions(model, &mut |whole| {
        let locals = !bodies.contains(&(whole as *const Expr));
        whole.walk(&mut |part| {
            let Some(found) = decided(model, part, locals) else { return };
            if told.insert((part.span.file, part.span.start, part.span.end)) {
                diagnostics.push(found);
            }
        });
    });
}

fn decided(model: &Model, part: &Expr, locals: bool) -> Option<Diagnostic> {
    let ExprKind::Binary { operator, left, right } = &part.kind else { return None };
    let (of, operator, number) = match (left.as_int(), right.as_int()) {
        (None, Some(number)) => (left, *operator, number),
        (Some(number), None) => (right, turned(*operator), number),
        _ => return None,
    };
    if !is_stored(of, locals) {
        return None;
    }
    let Type::Range(id) = model.types.strip(&of.ty) else { return None };
    let range = &model.types.ranges[id.0];
    let (low, high) = (range.low.as_int()?, range.high.as_int()?);
    let outcome = outcome(operator, (low, high), number)?;
    let message =
        format!("this comparison is always {outcome}: the value lies in {low}..{high}, the number is {number}");
    let found = Diagnostic::new(Code::W018, part.span, message).note(range.span, "the range is declared here");
    Some(found.help("correct the number, or widen the range"))
}

/// Only numbers outside of the range: a property may well say which values there are, and a goal may ask for one more than there can be.
fn outcome(operator: Op, (low, high): (i64, i64), number: i64) -> Option<bool> {
    let (below, above) = (number < low, number > high);
    if !(below || above) {
        return None;
    }
    match operator {
        Op::Equal => Some(false),
        Op::NotEqual => Some(true),
        Op::Less | Op::LessEqual => Some(above),
        Op::Greater | Op::GreaterEqual => Some(below),
        _ => None,
    }
}

/// The operator with its sides exchanged.
fn turned(operator: Op) -> Op {
    match operator {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}

/// Its range was looked at when it got its value; what is only computed may lie outside.
fn is_stored(expr: &Expr, locals: bool) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Constant(_) | ExprKind::SignalValue { .. } => true,
        ExprKind::Local(_) => locals,
        ExprKind::Field { of, .. } | ExprKind::Index { of, .. } | ExprKind::Old(of) => is_stored(of, locals),
        _ => false,
    }
}
