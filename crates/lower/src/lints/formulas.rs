//! W019: formulas that say something else than they seem to, with the likely intention.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Span, amount};
use interplay_model::{BinaryOperator as Op, Expr, ExprKind, Model, TemporalOperator as Time};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    for property in &model.properties {
        property.formula.expr.walk(&mut |part| {
            if let Some((span, message, help)) = suspicious(part) {
                diagnostics.push(Diagnostic::new(Code::W019, span, message).help(help));
            }
        });
    }
}

type Suspicion = (Span, String, String);

fn suspicious(part: &Expr) -> Option<Suspicion> {
    let told = |message: String, help: &str| Some((part.span, message, help.to_string()));
    match &part.kind {
        ExprKind::Temporal { operator: Time::Next(1), operand } => match &operand.kind {
            ExprKind::Temporal { operator: Time::WithinSteps(steps), .. } => told(
                format!(
                    "`next within {steps}` looks at the {} that begin with the next one",
                    amount(*steps as usize + 1, "step")
                ),
                &format!(
                    "for at most {} from now write `within {steps} e`; without this step: `next within {} e`",
                    amount(*steps as usize, "step"),
                    steps.saturating_sub(1)
                ),
            )
            .filter(|_| *steps > 0),
            _ => None,
        },
        ExprKind::Temporal { operator: Time::Never, operand } if is_implication(operand) => told(
            "`never (a implies b)` demands `a` in every step and `b` in none".into(),
            "to forbid `b` where `a` holds write `never (a and b)`; to demand it: `always (a implies b)`",
        ),
        ExprKind::Temporal { operator: Time::Possible, operand } if is_implication(operand) => told(
            "`possible (a implies b)` holds as soon as `a` is false somewhere".into(),
            "write `possible (a and b)`",
        ),
        ExprKind::Quantified { every: false, body, .. } if is_implication(body) => told(
            "`for some x: a implies b` holds as soon as `a` is false for some `x`".into(),
            "write `for some x in S: a and b`, or `for every x in S: a implies b`",
        ),
        ExprKind::Binary { operator: Op::Implies, left, .. } if promises(left) => Some((
            left.span,
            "`within` on the left of `implies` is a condition on what comes later".into(),
            "to demand it as an answer write `a implies within 3 b`".into(),
        )),
        _ => None,
    }
}

fn is_implication(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary { operator: Op::Implies, .. })
}

fn promises(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Temporal { operator: Time::WithinSteps(_) | Time::WithinTime(_), .. })
}
