//! W012: an action that no rule makes happen.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{ActionId, Direction, Discipline, Model, StatementKind, Trigger};
use std::collections::HashSet;

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    if model.rules.is_empty() {
        return; // Properties alone: any behaviour is allowed.
    }
    let happening = happening(model);
    for (index, action) in model.actions.iter().enumerate() {
        let signal = model.discipline == Discipline::Synchronous && action.direction == Direction::Input;
        if happening.contains(&ActionId(index)) || signal {
            continue;
        }
        let help = match (model.discipline, action.direction) {
            (Discipline::Reactive | Discipline::Synchronous, Direction::Output) => {
                format!("add `emit {}` to a rule, or remove it", action.name)
            }
            _ => format!("add a rule `on {}`, or a block `{{ }}` if it changes nothing, or remove it", action.name),
        };
        diagnostics.push(
            Diagnostic::new(Code::W012, action.span, format!("`{}` can never happen: no rule has it", action.name))
                .help(help),
        );
    }
}

/// Actions with a rule, and outputs that something emits.
fn happening(model: &Model) -> HashSet<ActionId> {
    let mut found = HashSet::new();
    let entries = model.components.iter().flat_map(|component| &component.entry);
    for statement in model.rules.iter().flat_map(|rule| &rule.body).chain(entries) {
        statement.walk(&mut |statement| {
            if let StatementKind::Emit { action, .. } = statement.kind {
                found.insert(action);
            }
        });
    }
    found.extend(model.rules.iter().filter_map(|rule| match rule.trigger {
        Trigger::Action(action) => Some(action),
        Trigger::Step => None,
    }));
    found
}
