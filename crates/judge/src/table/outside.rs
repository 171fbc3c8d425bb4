//! Steps outside the relations: what must not happen together, or is missing, whoever judges the rest. The properties
//! say nothing about such a step, because their oracles know only letters inside.

use super::{Configuration, LabelId, SetId, Table};
use interplay_model::{Discipline, Expr, Relation};
use interplay_semantics::{Label, ModelError};

impl Table {
    /// The relation that a step from here breaks, in whatever state the system was.
    pub fn broken_relation(&mut self, set: SetId, label: LabelId) -> Option<ModelError> {
        if !self.relations_speak_of(self.label(label)) {
            return None;
        }
        if let Some(known) = self.outside.get(&(set, label)) {
            return known.clone();
        }
        let seen = self.label(label);
        let broken = |each: &Configuration| self.instance.broken_relation(&each.state, seen);
        let all: Option<Vec<ModelError>> = self.members(set).iter().map(broken).collect();
        let first = all.and_then(|errors| errors.into_iter().next());
        self.outside.insert((set, label), first.clone());
        first
    }

    /// The relation that is broken looks at the state, too.
    pub fn reads_state(&self, broken: &ModelError) -> bool {
        let model = self.instance.model();
        let conditions = model.relations.iter().filter_map(|relation| match relation {
            Relation::Condition(closed) => Some(&closed.expr),
            _ => None,
        });
        conditions.filter(|expr| Some(expr.span) == broken.span).any(Expr::may_read_state)
    }

    fn relations_speak_of(&self, label: &Label) -> bool {
        let Label::Step { outputs, .. } = label else { return false };
        let model = self.instance.model();
        match model.discipline {
            // A signal is there once or not at all, without anybody saying so.
            Discipline::Synchronous => true,
            Discipline::Reactive => !model.relations.is_empty(),
            // An input alone is ours.
            Discipline::Asynchronous => !model.relations.is_empty() && !outputs.is_empty(),
        }
    }
}
