//! What an action reads and writes, from the text of its rules. Too much is always safe.

use interplay_model::{Expr, ExprKind, Model, Rule, StatementKind, Trigger};
use interplay_semantics::Instance;
use std::collections::BTreeSet;

/// A part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Variable(usize),
    /// Where a component is.
    Location(usize),
    /// How many objects there are, of all types.
    Objects,
    /// Whether the setup keeps the state.
    Kept,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Footprint {
    pub(super) reads: BTreeSet<Part>,
    pub(super) writes: BTreeSet<Part>,
}

impl Footprint {
    /// The order of the two may matter, or each may stop the other. An action does not commute with itself.
    pub(super) fn interferes(&self, other: &Footprint) -> bool {
        let meets = |one: &BTreeSet<Part>, two: &BTreeSet<Part>| !one.is_disjoint(two);
        std::ptr::eq(self, other)
            || meets(&self.writes, &other.writes)
            || meets(&self.writes, &other.reads)
            || meets(&self.reads, &other.writes)
    }
}

/// By action.
pub(super) fn footprints(instance: &Instance) -> Vec<Footprint> {
    let model = instance.model();
    let mut prints = vec![Footprint::default(); model.actions.len()];
    let mut always = BTreeSet::new();
    let mut kept = BTreeSet::new();
    instance.domains().iter().for_each(|domain| reads_of(model, &domain.values.expr, &mut always));
    instance.kept().iter().for_each(|keep| reads_of(model, &keep.expr, &mut kept));
    for limit in instance.limits() {
        reads_of(model, &limit.condition, &mut prints[limit.action.0].reads);
    }
    if !model.types.objects.is_empty() {
        // Values of parameters are taken from those that exist.
        always.insert(Part::Objects);
    }
    for rule in &model.rules {
        if let Trigger::Action(action) = rule.trigger {
            add(model, rule, &mut prints[action.0]);
        }
    }
    for print in &mut prints {
        print.reads.extend(&always);
        if !print.writes.is_disjoint(&kept) {
            // Whether its step is taken depends on all that `keep` reads.
            print.writes.insert(Part::Kept);
            print.reads.extend(&kept);
        }
    }
    prints
}

fn add(model: &Model, rule: &Rule, print: &mut Footprint) {
    if rule.from.is_some() {
        print.reads.insert(Part::Location(rule.component.0));
    }
    rule.guard.iter().chain(&rule.ensures).for_each(|expr| reads_of(model, expr, &mut print.reads));
    for statement in &rule.body {
        statement.walk(&mut |statement| match &statement.kind {
            StatementKind::Assign { place, .. } => {
                print.writes.insert(Part::Variable(place.variable.0));
                if !place.path.is_empty() {
                    print.reads.insert(Part::Variable(place.variable.0));
                }
            }
            StatementKind::Goto(_) => _ = print.writes.insert(Part::Location(rule.component.0)),
            _ => {}
        });
        statement.expressions(&mut |expr| {
            reads_of(model, expr, &mut print.reads);
            expr.walk(&mut |part| {
                if matches!(part.kind, ExprKind::New(_)) {
                    print.writes.insert(Part::Objects);
                }
            });
        });
    }
}

/// Adds what an expression reads, also by the definitions that it calls.
pub(super) fn reads_of(model: &Model, expr: &Expr, reads: &mut BTreeSet<Part>) {
    gather(model, expr, reads, &mut BTreeSet::new());
}

fn gather(model: &Model, expr: &Expr, reads: &mut BTreeSet<Part>, entered: &mut BTreeSet<usize>) {
    let mut calls = Vec::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Variable(variable) => _ = reads.insert(Part::Variable(variable.0)),
        ExprKind::At { component, .. } => _ = reads.insert(Part::Location(component.0)),
        ExprKind::New(_) | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => _ = reads.insert(Part::Objects),
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    for call in calls {
        if entered.insert(call) {
            gather(model, &model.definitions[call].body, reads, entered);
        }
    }
}
