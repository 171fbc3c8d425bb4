//! W005: a variable without an initial value that nothing ever writes: reading it can only be a mistake.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{ExprKind, Model, Owner, VariableId};
use std::collections::HashSet;

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    let written = super::written(model);
    let initial = initial(model);
    for (index, variable) in model.variables.iter().enumerate() {
        let id = VariableId(index);
        let given = variable.value.is_some() || written.contains(&id) || initial.contains(&id);
        if !given && !matches!(variable.owner, Owner::Node(_)) {
            diagnostics.push(
                Diagnostic::new(
                    Code::W005,
                    variable.span,
                    format!("the variable `{}` is read but never gets a value", variable.name),
                )
                .help("give it an initial value `= ...`, restrict it by `init`, or assign it in a rule"),
            );
        }
    }
}

/// Variables that an `init` condition gives values to.
fn initial(model: &Model) -> HashSet<VariableId> {
    let mut found = HashSet::new();
    for condition in &model.initial {
        condition.expr.walk(&mut |part| {
            if let ExprKind::Variable(id) = part.kind {
                found.insert(id);
            }
        });
    }
    found
}
