//! What an expression speaks of, also through the definitions that it calls.

use crate::atom::{Atom, Reads};
use crate::monitor::{Kind, Monitor};
use interplay_model::{BinaryOperator, Expr, ExprKind, LocalId, Model, ObserverRule, Source, VariableId};
use std::collections::BTreeSet;

/// Uses temporal words.
pub(crate) fn is_temporal(model: &Model, expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Temporal { .. } => true,
            ExprKind::Binary { operator, .. } => {
                matches!(
                    operator,
                    BinaryOperator::Since
                        | BinaryOperator::Until
                        | BinaryOperator::Unless
                        | BinaryOperator::Release
                        | BinaryOperator::LeadsTo
                )
            }
            ExprKind::Call { definition, .. } => model.definitions[definition.0].temporal,
            _ => false,
        }
    });
    found
}

/// What has to be known to judge an expression; `slots` are the quantified variables.
pub(crate) fn reads(model: &Model, expr: &Expr, slots: &[LocalId]) -> Reads {
    let mut reads = Reads::default();
    look(model, expr, slots, &mut BTreeSet::new(), &mut reads);
    reads
}

fn look(model: &Model, expr: &Expr, slots: &[LocalId], entered: &mut BTreeSet<usize>, reads: &mut Reads) {
    let mut calls = Vec::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Variable(_) | ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => {
            reads.state = true;
        }
        ExprKind::Happens { .. } | ExprKind::SignalValue { .. } | ExprKind::Silence => reads.events = true,
        ExprKind::Local(local) => reads.slots |= slots.contains(local),
        ExprKind::Quantified { binders, .. } => {
            reads.state |= binders.iter().any(|binder| has_objects(model, &binder.source));
        }
        ExprKind::Comprehension(comprehension) => {
            reads.state |= comprehension.binders.iter().any(|binder| has_objects(model, &binder.source));
        }
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    for definition in calls {
        if entered.insert(definition) {
            // The locals of a definition are its own.
            look(model, &model.definitions[definition].body, &[], entered, reads);
        }
    }
}

/// Objects are made during a run, so which there are is a matter of the state.
fn has_objects(model: &Model, source: &Source) -> bool {
    match source {
        Source::Domain(ty) => model.types.has_objects(ty),
        Source::In(_) => false,
    }
}

/// A rule of an observer looks at the state of the system.
pub(crate) fn rule_reads_state(model: &Model, rule: &ObserverRule, own: &[VariableId]) -> bool {
    let mut found = false;
    let mut judge = |expr: &Expr| {
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Variable(id) => found |= !own.contains(id),
            ExprKind::Call { definition, .. } => {
                found |= reads(model, &model.definitions[definition.0].body, &[]).state
            }
            ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => found = true,
            _ => {}
        });
    };
    rule.guard.iter().for_each(&mut judge);
    for statement in &rule.body {
        statement.expressions(&mut |expr| judge(expr));
    }
    found
}

impl Monitor {
    /// Asks where components are or which objects there are, which nobody knows who sees the variables alone.
    pub fn looks_behind_variables(&self) -> bool {
        let model = self.instance.model();
        let mut found = false;
        let mut ask = |expr: &Expr| found |= looks_behind(model, expr, &mut BTreeSet::new());
        match &self.kind {
            Kind::Formula(body) => body.reading.formula.atoms.iter().for_each(|atom| {
                if let Atom::Condition { expr, .. } = atom {
                    ask(expr);
                }
            }),
            Kind::Observer(id) => {
                for rule in &model.observers[id.0].rules {
                    rule.guard.iter().for_each(&mut ask);
                    rule.body.iter().for_each(|statement| statement.expressions(&mut |expr| ask(expr)));
                }
            }
        }
        found
    }
}

fn looks_behind(model: &Model, expr: &Expr, entered: &mut BTreeSet<usize>) -> bool {
    let (mut found, mut calls) = (false, Vec::new());
    let objects = |binders: &[interplay_model::Binder]| binders.iter().any(|each| has_objects(model, &each.source));
    expr.walk(&mut |part| match &part.kind {
        ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_) => found = true,
        ExprKind::Quantified { binders, .. } => found |= objects(binders),
        ExprKind::Comprehension(comprehension) => found |= objects(&comprehension.binders),
        ExprKind::Call { definition, .. } => calls.push(definition.0),
        _ => {}
    });
    found
        || calls
            .into_iter()
            .any(|call| entered.insert(call) && looks_behind(model, &model.definitions[call].body, entered))
}
