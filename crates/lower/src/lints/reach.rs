//! W003: a location to which no rule leads.

use interplay_diagnostics::{Code, Diagnostic, Diagnostics};
use interplay_model::{LocationId, Model, Rule, StatementKind};

pub(super) fn run(model: &Model, diagnostics: &mut Diagnostics) {
    let mut reached = vec![false; model.locations.len()];
    let mut todo: Vec<LocationId> = model.components.iter().filter_map(|component| component.start).collect();
    let targets: Vec<Vec<LocationId>> = model.rules.iter().map(targets).collect();
    while let Some(location) = todo.pop() {
        if std::mem::replace(&mut reached[location.0], true) {
            continue;
        }
        for (rule, targets) in model.rules.iter().zip(&targets) {
            let applies = rule.component == model.locations[location.0].component
                && rule.from.as_ref().is_none_or(|from| from.contains(&location));
            todo.extend(targets.iter().filter(|_| applies));
        }
    }
    for (location, _) in model.locations.iter().zip(&reached).filter(|(_, reached)| !**reached) {
        diagnostics.push(
            Diagnostic::new(
                Code::W003,
                location.span,
                format!("the location `{}` is unreachable: no rule leads to it", location.name),
            )
            .help(format!("add `-> {}` to a rule, or remove the location", location.name)),
        );
    }
    observers(model, diagnostics);
}

fn targets(rule: &Rule) -> Vec<LocationId> {
    let mut found = Vec::new();
    for statement in &rule.body {
        statement.walk(&mut |statement| {
            if let StatementKind::Goto(target) = statement.kind {
                found.push(target);
            }
        });
    }
    found
}

fn observers(model: &Model, diagnostics: &mut Diagnostics) {
    for observer in &model.observers {
        let mut reached = vec![false; observer.locations.len()];
        let mut todo = vec![observer.start];
        while let Some(location) = todo.pop() {
            if !std::mem::replace(&mut reached[location], true) {
                todo.extend(observer.rules.iter().filter(|rule| rule.from == location).map(|rule| rule.target));
            }
        }
        let places = observer.locations.iter().zip(&reached);
        for (location, _) in places.filter(|(location, reached)| !**reached && location.verdict.is_none()) {
            let message = format!("the observer `{}` never reaches `{}`", observer.name, location.name);
            diagnostics.push(Diagnostic::new(Code::W003, location.span, message));
        }
    }
}
