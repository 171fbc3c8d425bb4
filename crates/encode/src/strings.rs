//! All strings that can ever occur, if they are known: those that the text, the constants and the domains of the setup
//! mention. Nothing makes new ones then, so that a string is one of few values and sets of them can be taken apart.
//!
//! They are not known if strings are put together or looked into, or if one may come from outside without a domain.

use super::domains::is_open_string;
use super::rules::{begins_a_step, fixed_by_guard};
use super::shape::MOST_KEYS;
use interplay_model::{
    BinaryOperator, ConstantId, Discipline, Expr, ExprKind, LocalId, Model, Pattern, Relation, Statement,
    StatementKind, Trigger, Type,
};
use interplay_semantics::{Asked, Instance, State, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// In order.
pub(crate) fn strings(instance: &Instance) -> Option<Arc<[Value]>> {
    let mut known = Known { model: instance.model(), found: BTreeSet::new(), open: false };
    known.everything(instance);
    let all = known.found.into_iter().map(Value::String).collect::<Vec<_>>();
    (!known.open && !comes_from_outside(instance) && (1..=MOST_KEYS).contains(&all.len())).then(|| all.into())
}

struct Known<'m> {
    model: &'m Model,
    found: BTreeSet<Arc<str>>,
    /// Something makes or reads strings.
    open: bool,
}

impl<'m> Known<'m> {
    fn everything(&mut self, instance: &Instance) {
        let model = self.model;
        let closed = model.variables.iter().filter_map(|variable| variable.value.as_ref());
        closed.chain(&model.initial).chain(&model.accepting).for_each(|closed| self.expression(&closed.expr));
        model.definitions.iter().for_each(|definition| self.expression(&definition.body));
        for rule in &model.rules {
            rule.guard.iter().chain(&rule.ensures).for_each(|expr| self.expression(expr));
            self.block(&rule.body);
        }
        for rule in model.observers.iter().flat_map(|observer| &observer.rules) {
            rule.guard.iter().for_each(|expr| self.expression(expr));
            self.block(&rule.body);
        }
        model.components.iter().for_each(|component| self.block(&component.entry));
        model.properties.iter().for_each(|property| self.expression(&property.formula.expr));
        for relation in &model.relations {
            if let Relation::Condition(closed) = relation {
                self.expression(&closed.expr);
            }
        }
        let constants = (0..model.constants.len()).filter_map(|id| instance.constant(ConstantId(id)).ok());
        constants.for_each(|value| self.value(&value));
        instance.driving_expressions().for_each(|expr| self.expression(expr));
        for domain in instance.domains() {
            // A domain that depends on the state gives no more than the state has.
            if let Ok(values) = instance.evaluate(&domain.values, &State::blank(model)) {
                self.value(&values);
            }
        }
    }

    fn block(&mut self, body: &[Statement]) {
        for statement in body {
            statement.expressions(&mut |expr| self.expression(expr));
            statement.walk(&mut |inner| {
                if let StatementKind::Match { arms, .. } = &inner.kind {
                    arms.iter().for_each(|(pattern, _)| self.pattern(pattern));
                }
            });
        }
    }

    fn expression(&mut self, expr: &Expr) {
        let model = self.model;
        let is_string = |expr: &Expr| *model.types.strip(&expr.ty) == Type::String;
        expr.walk(&mut |part| match &part.kind {
            ExprKind::String(text) => _ = self.found.insert(text.clone()),
            ExprKind::Binary { operator: BinaryOperator::Add, .. } => self.open |= is_string(part),
            ExprKind::Builtin { args, .. } => self.open |= args.first().is_some_and(is_string),
            ExprKind::Index { of, .. } => self.open |= is_string(of),
            ExprKind::Match { arms, .. } => arms.iter().for_each(|(pattern, _)| self.pattern(pattern)),
            ExprKind::Is { pattern, .. } => self.pattern(pattern),
            _ => {}
        });
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::String(text) => _ = self.found.insert(text.clone()),
            Pattern::Some(inner) => self.pattern(inner),
            Pattern::Variant { args: parts, .. } | Pattern::Tuple(parts) => {
                parts.iter().for_each(|part| self.pattern(part))
            }
            _ => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => _ = self.found.insert(text.clone()),
            Value::Variant { args: parts, .. } | Value::Tuple(parts) | Value::Seq(parts) => {
                parts.iter().for_each(|part| self.value(part))
            }
            Value::Option(Some(inner)) => self.value(inner),
            Value::Set(parts) => parts.iter().for_each(|part| self.value(part)),
            Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                self.value(key);
                self.value(value);
            }),
            _ => {}
        }
    }
}

/// A constant, a first value, an argument, a choice or a result may be any string.
fn comes_from_outside(instance: &Instance) -> bool {
    let model = instance.model();
    let has = |ty: &Type| has_string(model, ty);
    let constants = model.constants.iter().enumerate();
    let free =
        constants.filter(|(id, _)| instance.constant(ConstantId(*id)).is_err()).map(|(_, constant)| &constant.ty);
    let begun = model.variables.iter().filter(|variable| variable.value.is_none() && !model.initial.is_empty());
    let results = model.actions.iter().filter_map(|action| action.result.as_ref());
    if free.chain(begun.map(|variable| &variable.ty)).chain(results).any(has) {
        return true;
    }
    let any_argument = model.actions.iter().enumerate().any(|(id, action)| {
        let id = interplay_model::ActionId(id);
        let given = begins_a_step(instance, action) || model.discipline == Discipline::Synchronous;
        let fixed = |index: usize| {
            let mut rules = model.rules_for(Trigger::Action(id));
            model.discipline != Discipline::Synchronous
                && rules.any(|(_, rule)| fixed_by_guard(rule).contains(&LocalId(index)))
        };
        let bounded =
            |index: usize, ty: &Type| !is_open_string(instance, ty, instance.asked_for(id, index)) || fixed(index);
        let mut params = action.params.iter().enumerate();
        given && params.any(|(index, param)| has(&param.ty) && !bounded(index, &param.ty))
    });
    let any_choice = model.rules.iter().any(|rule| {
        let fixed = fixed_by_guard(rule);
        let mut open = rule.chosen.iter().filter(|local| !fixed.contains(local));
        open.any(|local| is_open_string(instance, &rule.locals[local.0].ty, Asked::ANYWHERE))
    });
    any_argument || any_choice
}

fn has_string(model: &Model, ty: &Type) -> bool {
    let has = |ty: &Type| has_string(model, ty);
    match model.types.strip(ty) {
        Type::String => true,
        Type::Option(inner) | Type::Seq(inner) | Type::Set(inner) => has(inner),
        Type::Map(key, value) => has(key) || has(value),
        Type::Tuple(parts) => parts.iter().any(has),
        Type::Record(id) => model.types.records[id.0].fields.iter().any(|(_, ty)| has(ty)),
        Type::Enum(id) => model.types.enums[id.0].variants.iter().flat_map(|variant| &variant.payload).any(has),
        _ => false,
    }
}
