//! Well-formedness: what is allowed but hardly meant, and what only the whole model shows. One file per question.

mod checks;
mod determinism;
mod domains;
mod guards;
mod happen;
mod reach;
mod unset;
mod unused;

use crate::Use;
use interplay_diagnostics::Diagnostics;
use interplay_model::{Expr, Model, StatementKind, VariableId};
use std::collections::HashSet;

/// What makes a model wrong.
pub(crate) fn errors(model: &Model, diagnostics: &mut Diagnostics) {
    determinism::run(model, diagnostics);
}

/// What makes a correct model suspicious. Of a wrong one too much is missing to tell.
pub(crate) fn warnings(model: &Model, used: &HashSet<Use>, diagnostics: &mut Diagnostics) {
    unused::run(model, used, diagnostics);
    guards::run(model, diagnostics);
    reach::run(model, diagnostics);
    checks::run(model, diagnostics);
    unset::run(model, diagnostics);
    domains::run(model, diagnostics);
    happen::run(model, diagnostics);
}

/// Every expression of the model that is evaluated in some state.
fn expressions<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    let closed = model.initial.iter().chain(&model.accepting).map(|closed| &closed.expr);
    closed.for_each(&mut *visit);
    model.definitions.iter().for_each(|definition| visit(&definition.body));
    model.variables.iter().filter_map(|variable| variable.value.as_ref()).for_each(|value| visit(&value.expr));
    for rule in &model.rules {
        rule.guard.iter().chain(&rule.ensures).for_each(&mut *visit);
        rule.body.iter().for_each(|statement| statement.expressions(visit));
    }
    for component in &model.components {
        component.entry.iter().for_each(|statement| statement.expressions(visit));
    }
    for rule in model.observers.iter().flat_map(|observer| &observer.rules) {
        rule.guard.iter().for_each(&mut *visit);
        rule.body.iter().for_each(|statement| statement.expressions(visit));
    }
    model.properties.iter().for_each(|property| visit(&property.formula.expr));
    model.goals.iter().flat_map(|goal| goal.conditions.iter().chain(&goal.after)).for_each(&mut *visit);
    for line in model.scenarios.iter().flat_map(|scenario| &scenario.lines) {
        if let interplay_model::ScenarioLineKind::Expect(condition) = &line.kind {
            visit(condition);
        }
    }
    for setup in &model.setups {
        setup.keep.iter().for_each(|closed| visit(&closed.expr));
        setup.groups.iter().for_each(|group| visit(&group.by.expr));
        setup.limits.iter().for_each(|limit| visit(&limit.condition));
        setup.weights.iter().for_each(|weight| visit(&weight.weight.expr));
        setup.domains.iter().for_each(|domain| visit(&domain.values.expr));
        setup.waits.iter().filter_map(|wait| wait.when.as_ref()).for_each(|when| visit(&when.expr));
    }
}

/// The variables that some rule or entry block writes.
fn written(model: &Model) -> HashSet<VariableId> {
    let mut found = HashSet::new();
    let bodies = model.rules.iter().flat_map(|rule| &rule.body);
    let entries = model.components.iter().flat_map(|component| &component.entry);
    let observers = model.observers.iter().flat_map(|observer| &observer.rules).flat_map(|rule| &rule.body);
    for statement in bodies.chain(entries).chain(observers) {
        statement.walk(&mut |statement| {
            if let StatementKind::Assign { place, .. } = &statement.kind {
                found.insert(place.variable);
            }
        });
    }
    found
}
