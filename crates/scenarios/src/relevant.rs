//! Which actions matter to a goal? First those that write what it speaks of; then those that write what these look at; and so on
//! to all. Most goals can be reached by the first of these, and there are far fewer states then.

use crate::Wanted;
use interplay_model::{ActionId, Expr, ExprKind, Model, Rule, Statement, StatementKind, Trigger, VariableId};
use std::collections::BTreeSet;

/// Sets of actions, each larger than the one before; the last one has all.
pub(crate) fn circles(model: &Model, wanted: &Wanted) -> Vec<Vec<ActionId>> {
    let mut looked_at: BTreeSet<VariableId> = BTreeSet::new();
    wanted.conditions.iter().for_each(|condition| reads(model, condition, &mut looked_at));
    let all: Vec<ActionId> = (0..model.actions.len()).map(ActionId).collect();
    let mut circles: Vec<Vec<ActionId>> = Vec::new();
    loop {
        let matters = |action: &ActionId| {
            let mut rules = model.rules_for(Trigger::Action(*action)).map(|(_, rule)| rule);
            rules.any(|rule| writes(rule).iter().any(|variable| looked_at.contains(variable)))
        };
        let circle: Vec<ActionId> = all.iter().copied().filter(matters).collect();
        if circles.last() == Some(&circle) || circle.len() == all.len() {
            circles.push(all);
            return circles;
        }
        for action in &circle {
            model.rules_for(Trigger::Action(*action)).for_each(|(_, rule)| rule_reads(model, rule, &mut looked_at));
        }
        circles.push(circle);
    }
}

pub(crate) fn reads(model: &Model, expr: &Expr, found: &mut BTreeSet<VariableId>) {
    let mut calls = Vec::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Variable(id) => {
            found.insert(*id);
        }
        ExprKind::Call { definition, .. } => calls.push(*definition),
        _ => {}
    });
    // Definitions do not call themselves.
    calls.into_iter().for_each(|definition| reads(model, &model.definitions[definition.0].body, found));
}

fn rule_reads(model: &Model, rule: &Rule, found: &mut BTreeSet<VariableId>) {
    rule.guard.iter().chain(&rule.ensures).for_each(|expr| reads(model, expr, found));
    rule.body.iter().for_each(|statement| statement.expressions(&mut |expr| reads(model, expr, found)));
}

fn writes(rule: &Rule) -> BTreeSet<VariableId> {
    fn each(statements: &[Statement], found: &mut BTreeSet<VariableId>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { place, .. } => {
                    found.insert(place.variable);
                }
                StatementKind::If { then, otherwise, .. } => {
                    each(then, found);
                    each(otherwise, found);
                }
                StatementKind::Match { arms, .. } => arms.iter().for_each(|(_, body)| each(body, found)),
                StatementKind::For { body, .. } => each(body, found),
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    each(&rule.body, &mut found);
    found
}
