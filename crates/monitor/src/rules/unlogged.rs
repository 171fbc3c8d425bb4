//! Actions that the log does not show: for the judge they happen inside, like internal ones.

use interplay_diagnostics::did_you_mean;
use interplay_model::{ActionId, Direction, Discipline, Expr, ExprKind, Model, Statement, StatementKind, Trigger};
use interplay_semantics::Instance;
use interplay_temporal::Monitor;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The actions with these names.
pub(super) fn actions(model: &Model, names: &[String]) -> Result<BTreeSet<ActionId>, String> {
    let named = |name: &String| {
        model.action_named(name).ok_or_else(|| {
            let known = model.actions.iter().map(|action| action.name.as_str());
            let help =
                did_you_mean(name, known).unwrap_or_else(|| "--unlogged names an action of the specification".into());
            format!("unknown action `{name}`\nhelp: {help}")
        })
    };
    names.iter().map(named).collect()
}

/// The system in which these actions are internal.
pub(super) fn hidden(instance: &Instance, actions: &BTreeSet<ActionId>) -> Result<Instance, String> {
    if actions.is_empty() {
        return Ok(instance.clone());
    }
    let mut model = instance.model().clone();
    if model.discipline == Discipline::Synchronous {
        return Err("--unlogged is for events, but this system is synchronous: a step shows all its signals\nhelp: judge the properties alone with --properties-only".into());
    }
    for action in actions {
        let emitted =
            model.discipline == Discipline::Reactive && model.actions[action.0].direction == Direction::Output;
        if !emitted {
            model.actions[action.0].direction = Direction::Internal;
            continue;
        }
        if model.rules_for(Trigger::Action(*action)).next().is_some() {
            let name = &model.actions[action.0].name;
            return Err(format!("`{name}` cannot be unlogged: rules of the specification react to it"));
        }
        for rule in &mut model.rules {
            without(&mut rule.body, *action);
        }
    }
    let setup = instance.setup().and_then(|setup| model.setup_named(&setup.name));
    Instance::new(Arc::new(model), setup).map_err(|error| error.to_string())
}

/// Nobody hears it.
fn without(body: &mut Vec<Statement>, action: ActionId) {
    body.retain(
        |statement| !matches!(&statement.kind, StatementKind::Emit { action: emitted, .. } if *emitted == action),
    );
    body.iter_mut().for_each(|statement| statement.edit_blocks(|block| without(block, action)));
}

/// The property may depend on events that the log does not show: it speaks of them, or every step counts for it.
pub(crate) fn hides(model: &Model, monitor: &Monitor, names: &[String]) -> bool {
    if names.is_empty() {
        return false;
    }
    let property = model.properties.iter().find(|property| property.name == monitor.name);
    let speaks = |expr: &Expr| speaks_of(model, expr, names, &mut BTreeSet::new());
    !monitor.is_blind_to_others() || property.is_none_or(|property| speaks(&property.formula.expr))
}

fn speaks_of(model: &Model, expr: &Expr, names: &[String], entered: &mut BTreeSet<usize>) -> bool {
    let (mut found, mut calls) = (false, Vec::new());
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Happens { action, .. } | ExprKind::SignalValue { action, .. } => {
            found |= names.contains(&model.actions[action.0].name);
        }
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    found
        || calls.into_iter().any(|definition| {
            entered.insert(definition) && speaks_of(model, &model.definitions[definition].body, names, entered)
        })
}
