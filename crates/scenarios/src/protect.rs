//! A condition that does not hold where it would be undefined, so that a model can remember it without going wrong.
//!
//! In front of the condition stands what it needs: keys that are there, lists that are not empty, divisors that are not zero.
//! Reads of variables that nobody has set and numbers that become too large cannot be asked for in the language; they stay
//! errors of the condition.

use crate::memory::{all, binary, boolean};
use interplay_model::{BinaryOperator, Builtin, Expr, ExprKind, Model, Type};

/// The condition, behind what it needs.
pub(crate) fn protected(model: &Model, condition: &Expr) -> Expr {
    let span = condition.span;
    let mut needs = needs(model, condition);
    needs.push(condition.clone());
    let mut whole = all(needs);
    whole.span = span;
    whole
}

/// What must hold, in this order, so that the expression has a value.
fn needs(model: &Model, expr: &Expr) -> Vec<Expr> {
    use BinaryOperator::{And, Divide, GreaterEqual, Implies, In, Less, NotEqual, Or, Remainder};
    match &expr.kind {
        ExprKind::Binary { operator: And | Implies, left, right } => {
            lazily(needs(model, left), not((**left).clone()), needs(model, right))
        }
        ExprKind::Binary { operator: Or, left, right } => {
            lazily(needs(model, left), (**left).clone(), needs(model, right))
        }
        ExprKind::If { condition, then, otherwise } => {
            let (then, otherwise) = (all(needs(model, then)), all(needs(model, otherwise)));
            let chosen = ExprKind::If { condition: condition.clone(), then: then.into(), otherwise: otherwise.into() };
            [needs(model, condition), vec![boolean(chosen)]].concat()
        }
        ExprKind::Quantified { binders, condition, body, .. } => {
            let every = |condition: Option<Box<Expr>>, body: Vec<Expr>| {
                let body = all(body).into();
                boolean(ExprKind::Quantified { every: true, binders: binders.clone(), condition, body })
            };
            let first = condition.iter().map(|condition| every(None, needs(model, condition)));
            first.chain([every(condition.clone(), needs(model, body))]).collect()
        }
        // What is inside a pattern or a comprehension is left as it is.
        ExprKind::Comprehension(_) | ExprKind::Match { .. } => Vec::new(),
        kind => {
            let mut found = Vec::new();
            expr.children(&mut |child| found.extend(needs(model, child)));
            let relation = |operator, left: Expr, right: Expr| boolean(binary(operator, left, right));
            match kind {
                ExprKind::Index { of, index } => match model.types.strip(&of.ty) {
                    Type::Map(..) => found.push(relation(In, (**index).clone(), (**of).clone())),
                    _ => {
                        found.push(relation(GreaterEqual, (**index).clone(), int(0)));
                        found.push(relation(Less, (**index).clone(), size(of)));
                    }
                },
                ExprKind::Binary { operator: Divide | Remainder, right, .. } => {
                    found.push(relation(NotEqual, (**right).clone(), int(0)));
                }
                ExprKind::Builtin { function, args } => found.extend(of_builtin(*function, args)),
                _ => {}
            }
            found
        }
    }
}

fn of_builtin(function: Builtin, args: &[Expr]) -> Option<Expr> {
    let first = args.first()?;
    let sized = |operator, number| Some(boolean(binary(operator, size(first), int(number))));
    match function {
        Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front => sized(BinaryOperator::NotEqual, 0),
        Builtin::Min | Builtin::Max if args.len() == 1 => sized(BinaryOperator::NotEqual, 0),
        Builtin::Only => sized(BinaryOperator::Equal, 1),
        Builtin::OptionGet => Some(boolean(ExprKind::Builtin { function: Builtin::IsSome, args: vec![first.clone()] })),
        _ => None,
    }
}

/// The right side is needed only if the left side does not decide.
fn lazily(mut left: Vec<Expr>, decided: Expr, right: Vec<Expr>) -> Vec<Expr> {
    if !right.is_empty() {
        left.push(boolean(binary(BinaryOperator::Or, decided, all(right))));
    }
    left
}

fn not(expr: Expr) -> Expr {
    boolean(ExprKind::Not(expr.into()))
}

fn int(number: i64) -> Expr {
    Expr::new(ExprKind::Int(number), Type::Int, interplay_diagnostics::Span::default())
}

fn size(of: &Expr) -> Expr {
    Expr::new(ExprKind::Builtin { function: Builtin::Size, args: vec![of.clone()] }, Type::Int, of.span)
}
