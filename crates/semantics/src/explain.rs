//! Why a condition does not hold: the values of its parts.

use crate::context::Context;
use interplay_diagnostics::Span;
use interplay_model::{Expr, ExprKind};

/// The places of the parts that are not plain to see, each with its value in specification syntax, outermost first.
/// What depends on a bound name has no single value and is left out.
pub(crate) fn explain(context: &mut Context, expr: &Expr) -> Vec<(Span, String)> {
    let mut parts = Vec::new();
    visit(context, expr, &mut parts);
    parts
}

fn visit(context: &mut Context, expr: &Expr, parts: &mut Vec<(Span, String)>) {
    use ExprKind::*;
    match &expr.kind {
        Bool(_) | Int(_) | String(_) | None | Error | Temporal { .. } => return,
        Variant { args, .. } if args.is_empty() => return,
        Seq(items) | Set(items) if items.is_empty() => return,
        _ => {
            let value =
                context.evaluate(expr).map_or_else(|error| error.to_string(), |value| context.show(&expr.ty, &value));
            parts.push((expr.span, value));
        }
    }
    if !matches!(expr.kind, Quantified { .. } | Comprehension(_) | Match { .. } | Old(_)) {
        expr.children(&mut |child| visit(context, child, parts));
    }
}
