//! S006: an observer with two rules for the same event at the same location that are not visibly apart.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, Model, ObserverRule, ObserverTrigger};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    for observer in &model.observers {
        for (index, later) in observer.rules.iter().enumerate() {
            let rival = observer.rules[..index].iter().find(|earlier| clash(earlier, later));
            if let Some(earlier) = rival {
                diagnostics.push(
                    Diagnostic::new(
                        Code::S006,
                        later.span,
                        format!(
                            "the observer `{}` is not deterministic: two rules apply to the same event",
                            observer.name
                        ),
                    )
                    .note(earlier.span, "the other rule")
                    .help("make their guards disjoint, e.g. `when p > 0` and `when p <= 0`"),
                );
            }
        }
    }
}

/// Both may apply at once and do different things. Where conditions cannot be compared here, the run decides.
fn clash(left: &ObserverRule, right: &ObserverRule) -> bool {
    let meet = left.from == right.from && triggers_meet(left.trigger, right.trigger);
    let differ = left.target != right.target || !left.body.is_empty() || !right.body.is_empty();
    meet && differ
        && (left.guard.is_empty()
            || right.guard.is_empty()
            || left.guard.iter().map(shape).eq(right.guard.iter().map(shape)))
}

fn triggers_meet(left: ObserverTrigger, right: ObserverTrigger) -> bool {
    use ObserverTrigger::*;
    match (left, right) {
        (Silence, other) | (other, Silence) => other == Silence,
        (Any | Step, _) | (_, Any | Step) => true,
        (Action(a), Action(b)) => a == b,
    }
}

/// The condition without its place in the text.
fn shape(expr: &Expr) -> Vec<String> {
    let mut parts = Vec::new();
    expr.walk(&mut |part| {
        parts.push(match &part.kind {
            ExprKind::Binary { operator, .. } => operator_name(*operator),
            ExprKind::Local(id) => format!("{id:?}"),
            ExprKind::Variable(id) => format!("{id:?}"),
            ExprKind::Constant(id) => format!("{id:?}"),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Not(_) => "not".into(),
            _ => format!("{part:p}"),
        });
    });
    parts
}

fn operator_name(operator: Op) -> String {
    format!("{operator:?}")
}
