//! Why a condition does not hold: the values of its parts.

use crate::context::Context;
use crate::{Event, Instance, State};
use interplay_diagnostics::Span;
use interplay_model::{Expr, ExprKind, LocalId, Rule, RuleId};

/// Why a rule does not apply to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// Its component is somewhere else.
    Elsewhere,
    /// The first part of the guard that does not hold: its number, its place, and the values of its parts.
    Guard {
        /// From zero, as written.
        conjunct: usize,
        /// Where it is written.
        span: Span,
        /// What its parts were, so that a reader sees why.
        values: Vec<(Span, String)>,
    },
}

impl Instance {
    /// Why this rule does not allow this event here; `None` if it does, or if it depends on what the system chooses.
    pub fn blocked(&self, state: &State, rule: RuleId, event: &Event) -> Option<Blocked> {
        let rule = &self.model().rules[rule.0];
        let here = state.location(rule.component);
        let ended = here.is_some_and(|here| self.model().locations[here.0].end);
        if ended || rule.from.as_ref().is_some_and(|places| here.is_none_or(|here| !places.contains(&here))) {
            return Some(Blocked::Elsewhere);
        }
        let mut context = Context::new(self, state, &rule.locals);
        context.give(&event.args[..event.args.len().min(rule.params)]);
        let known = |conjunct: &&Expr| !unbound(rule).any(|local| crate::bind::mentions(conjunct, local));
        let judged = rule.guard.iter().enumerate().filter(|(_, conjunct)| known(conjunct));
        for (index, conjunct) in judged {
            if context.holds(conjunct) != Ok(true) {
                let values = explain(&mut context, conjunct);
                return Some(Blocked::Guard { conjunct: index, span: conjunct.span, values });
            }
        }
        None
    }
}

/// Slots that have no value before the guard is solved.
fn unbound(rule: &Rule) -> impl Iterator<Item = LocalId> {
    rule.chosen.iter().copied().chain(rule.result)
}

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
