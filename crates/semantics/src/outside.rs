//! Whether values may matter that the domains of the setup leave out, although their types have them.
//!
//! A domain of a type without end belongs to the instance: `choose`, parameters of internal actions, quantifiers and `init` look for their
//! values there. What an implementation does with another value is then outside the instance, which says nothing about it.

use crate::Instance;
use crate::setup::Asked;
use interplay_model::{BinaryOperator, Direction, Expr, ExprKind, LocalId, Rule, Source, Trigger, Type};

impl Instance {
    /// Somewhere a value that nobody sees is looked for in a domain of a type that has others.
    pub fn leaves_values_out(&self) -> bool {
        let model = self.model();
        if self.domains().is_empty() {
            return false;
        }
        let starts = !model.initial.is_empty()
            && model.variables.iter().any(|variable| variable.value.is_none() && self.is_limited(&variable.ty));
        let closed = model.initial.iter().map(|closed| &closed.expr);
        let defined = model.definitions.iter().map(|definition| &definition.body);
        starts
            || closed.chain(defined).any(|expr| self.runs_through(expr))
            || model.rules.iter().any(|rule| self.hides_value(rule))
    }

    fn hides_value(&self, rule: &Rule) -> bool {
        let inside =
            |action: interplay_model::ActionId| self.model().actions[action.0].direction == Direction::Internal;
        let own = matches!(rule.trigger, Trigger::Action(action) if inside(action));
        let params = (0..if own { rule.params } else { 0 }).map(LocalId);
        let mut hidden = params.chain(rule.chosen.iter().copied());
        let mut found = hidden.any(|local| {
            self.is_limited(&rule.locals[local.0].ty) && !rule.guard.iter().any(|part| yields(part, local))
        });
        found |= rule.guard.iter().chain(&rule.ensures).any(|expr| self.runs_through(expr));
        for statement in &rule.body {
            statement.expressions(&mut |expr| found |= self.runs_through(expr));
        }
        found
    }

    /// A quantifier or a generator over such a type.
    pub(crate) fn runs_through(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            let binders = match &part.kind {
                ExprKind::Quantified { binders, .. } => binders,
                ExprKind::Comprehension(comprehension) => &comprehension.binders,
                _ => return,
            };
            found |= binders.iter().any(|binder| matches!(&binder.source, Source::Domain(ty) if self.is_limited(ty)));
        });
        found
    }

    /// The setup says which of the values without end there are.
    pub(crate) fn is_limited(&self, ty: &Type) -> bool {
        if self.has_end(ty) {
            return false;
        }
        let types = &self.model().types;
        self.declared_domain(ty, Asked::ANYWHERE).is_some()
            || match ty {
                Type::Alias(id) => self.is_limited(&types.aliases[id.0].ty),
                Type::Enum(id) => {
                    types.enums[id.0].variants.iter().flat_map(|case| &case.payload).any(|ty| self.is_limited(ty))
                }
                Type::Record(id) => types.records[id.0].fields.iter().any(|(_, ty)| self.is_limited(ty)),
                Type::Tuple(parts) => parts.iter().any(|ty| self.is_limited(ty)),
                Type::Option(inner) | Type::Set(inner) | Type::Seq(inner) => self.is_limited(inner),
                Type::Map(key, value) => self.is_limited(key) || self.is_limited(value),
                _ => false,
            }
    }
}

/// The conjunct says which values the local has, without any domain.
pub(crate) fn yields(conjunct: &Expr, local: LocalId) -> bool {
    let ExprKind::Binary { operator: BinaryOperator::Equal | BinaryOperator::In, left, right } = &conjunct.kind else {
        return false;
    };
    [left, right].iter().any(|side| matches!(side.kind, ExprKind::Local(id) if id == local))
}
