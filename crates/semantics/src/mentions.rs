//! What an expression speaks of, also through the definitions that it calls.

use interplay_model::{ActionId, Expr, ExprKind, Model, VariableId};
use std::collections::BTreeSet;

pub(crate) fn mentioned_variables(model: &Model, expr: &Expr) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    walk(model, expr, &mut BTreeSet::new(), &mut |part| {
        if let ExprKind::Variable(id) = part.kind {
            found.insert(id);
        }
    });
    found
}

pub(crate) fn mentioned_actions(model: &Model, expr: &Expr) -> BTreeSet<ActionId> {
    let mut found = BTreeSet::new();
    walk(model, expr, &mut BTreeSet::new(), &mut |part| {
        if let ExprKind::Happens { action, .. } | ExprKind::SignalValue { action, .. } = part.kind {
            found.insert(action);
        }
    });
    found
}

/// The variables that an expression needs in an initial state: also through the values of those that it mentions.
pub fn needed_initially(model: &Model, expr: &Expr) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<VariableId> = mentioned_variables(model, expr).into_iter().collect();
    while let Some(id) = todo.pop() {
        if found.insert(id)
            && let Some(value) = model.variables.get(id.0).and_then(|variable| variable.value.as_ref())
        {
            todo.extend(mentioned_variables(model, &value.expr));
        }
    }
    found
}

/// Every definition is entered once.
fn walk(model: &Model, expr: &Expr, entered: &mut BTreeSet<usize>, visit: &mut dyn FnMut(&Expr)) {
    let mut calls = Vec::new();
    expr.walk(&mut |part| {
        visit(part);
        if let ExprKind::Call { definition, .. } = part.kind {
            calls.push(definition.0);
        }
    });
    for definition in calls {
        if entered.insert(definition) {
            walk(model, &model.definitions[definition].body, entered, visit);
        }
    }
}
