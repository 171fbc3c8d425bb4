//! W002: a guard that can never hold, as far as that is seen at once: constants, a condition and its opposite, and
//! bounds on one term that leave nothing.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, Model};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    let rules = model.rules.iter().map(|rule| &rule.guard);
    let observers = model.observers.iter().flat_map(|observer| &observer.rules).map(|rule| &rule.guard);
    for guard in rules.chain(observers) {
        if let Some(conflict) = contradiction(guard) {
            let mut diagnostic = Diagnostic::new(Code::W002, conflict.at.span, conflict.message)
                .help("correct the guard, or remove the rule");
            if let Some(other) = conflict.with {
                diagnostic = diagnostic.note(other.span, "it contradicts this part");
            }
            diagnostics.push(diagnostic);
        }
    }
}

struct Conflict<'a> {
    at: &'a Expr,
    with: Option<&'a Expr>,
    message: String,
}

fn contradiction(guard: &[Expr]) -> Option<Conflict<'_>> {
    if let Some(at) = guard.iter().find(|condition| constant(condition) == Some(false)) {
        return Some(Conflict { at, with: None, message: "this guard can never be true".into() });
    }
    for (index, later) in guard.iter().enumerate() {
        for earlier in &guard[..index] {
            if opposite(earlier, later) || empty_together(earlier, later) {
                return Some(Conflict {
                    at: later,
                    with: Some(earlier),
                    message: "these two parts of the guard can never be true together".into(),
                });
            }
        }
    }
    None
}

/// The value of a condition that does not depend on anything.
fn constant(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Bool(value) => Some(*value),
        ExprKind::Not(inner) => constant(inner).map(|value| !value),
        ExprKind::Binary { operator, left, right } => match operator {
            Op::And => both(constant(left), constant(right)),
            Op::Or => both(constant(left).map(|value| !value), constant(right).map(|value| !value)).map(|value| !value),
            _ => compare(*operator, left, right),
        },
        _ => None,
    }
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn compare(operator: Op, left: &Expr, right: &Expr) -> Option<bool> {
    if same(left, right) {
        return match operator {
            Op::Equal | Op::LessEqual | Op::GreaterEqual => Some(true),
            Op::NotEqual | Op::Less | Op::Greater => Some(false),
            _ => None,
        };
    }
    let (left, right) = (left.as_int()?, right.as_int()?);
    Some(match operator {
        Op::Equal => left == right,
        Op::NotEqual => left != right,
        Op::Less => left < right,
        Op::LessEqual => left <= right,
        Op::Greater => left > right,
        Op::GreaterEqual => left >= right,
        _ => return None,
    })
}

/// `c` and `not c`
fn opposite(left: &Expr, right: &Expr) -> bool {
    let negates = |outer: &Expr, inner: &Expr| matches!(&outer.kind, ExprKind::Not(negated) if same(negated, inner));
    negates(left, right) || negates(right, left)
}

/// Two bounds on the same term without a common integer, or two different values for it.
fn empty_together(left: &Expr, right: &Expr) -> bool {
    if let (Some((a, x)), Some((b, y))) = (bound(left), bound(right))
        && same(a, b)
    {
        return x.0.max(y.0) > x.1.min(y.1);
    }
    match (equality(left), equality(right)) {
        (Some((a, x)), Some((b, y))) => same(a, b) && distinct(x, y),
        _ => false,
    }
}

/// The term and the integers that a comparison leaves to it.
fn bound(expr: &Expr) -> Option<(&Expr, (i64, i64))> {
    let ExprKind::Binary { operator, left, right } = &expr.kind else { return None };
    let (term, value, operator) = match (left.as_int(), right.as_int()) {
        (None, Some(value)) => (left, value, *operator),
        (Some(value), None) => (right, value, mirrored(*operator)),
        _ => return None,
    };
    let range = match operator {
        Op::Equal => (value, value),
        Op::Less => (i64::MIN, value.checked_sub(1)?),
        Op::LessEqual => (i64::MIN, value),
        Op::Greater => (value.checked_add(1)?, i64::MAX),
        Op::GreaterEqual => (value, i64::MAX),
        _ => return None,
    };
    Some((term, range))
}

fn mirrored(operator: Op) -> Op {
    match operator {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}

/// `term == value` where the value is a variant or a string.
fn equality(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary { operator: Op::Equal, left, right } => Some((left, right)),
        _ => None,
    }
}

fn distinct(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Variant { variant: a, .. }, ExprKind::Variant { variant: b, .. }) => a != b,
        (ExprKind::String(a), ExprKind::String(b)) => a != b,
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a != b,
        _ => false,
    }
}

/// The same expression written twice (places apart), and one whose value cannot change between two readings.
fn same(left: &Expr, right: &Expr) -> bool {
    plain(left) == plain(right)
}

fn plain(expr: &Expr) -> String {
    let mut text = String::new();
    expr.walk(&mut |part| {
        let kind = match &part.kind {
            ExprKind::Binary { operator, .. } => format!("{operator:?}"),
            ExprKind::Builtin { function, args } => format!("{function:?}/{}", args.len()),
            ExprKind::Local(id) => format!("{id:?}"),
            ExprKind::Variable(id) => format!("{id:?}"),
            ExprKind::Constant(id) => format!("{id:?}"),
            ExprKind::Field { index, .. } => format!("Field{index}"),
            ExprKind::Index { .. } => "Index".into(),
            ExprKind::Int(value) => format!("{value}"),
            ExprKind::Bool(value) => format!("{value}"),
            ExprKind::String(value) => format!("{value:?}"),
            ExprKind::Not(_) => "Not".into(),
            ExprKind::Negate(_) => "Negate".into(),
            ExprKind::Variant { variant, args, .. } => format!("Variant{variant}/{}", args.len()),
            // Anything else is taken to be different from everything: this lint may only be too silent.
            _ => format!("{part:p}"),
        };
        text.push_str(&kind);
        text.push(' ');
    });
    text
}
