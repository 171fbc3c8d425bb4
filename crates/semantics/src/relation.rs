//! What may happen together in one step: `exclusive`, `exactly one`, `relation`.
//!
//! A name in a term stands for a value: for every choice of values at most (or exactly) one of the terms happens. A term
//! without names stands for the action with any arguments.

use crate::mentions::mentioned_actions;
use crate::show::{show_event, show_name};
use crate::{Event, Instance, Label, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ActionId, Closed, ComponentId, Discipline, Relation, RelationTerm};
use std::collections::{BTreeMap, BTreeSet};

impl Instance {
    /// The whole step keeps all relations. What the model itself emits is its own mistake: two components that emit
    /// events that exclude each other are in conflict (M006), anything else breaks a relation (M012).
    pub(crate) fn check_relations(&self, state: &State, label: &Label, emitted: &[(ComponentId, Event)]) -> Result<()> {
        let emitters = |event: &Event| -> BTreeSet<ComponentId> {
            emitted.iter().filter(|(_, other)| other == event).map(|(component, _)| *component).collect()
        };
        if self.model().discipline == Discipline::Synchronous
            && let Some([one, other]) = repeated(label)
        {
            return Err(self.together(one, other, emitters, None));
        }
        for relation in &self.model().relations {
            if let Some((one, other)) = excluded(relation, label) {
                return Err(self.together(one, other, emitters, relation_span(relation)));
            }
            if !self.keeps(relation, state, label)? {
                let message = format!("`{}` violates this relation", crate::show_label(self.model(), label));
                return Err(ModelError::new(Code::M012, relation_span(relation), message));
            }
        }
        Ok(())
    }

    /// What is wrong with a step that was observed, if it breaks a relation. What cannot be judged is not broken.
    pub fn broken_relation(&self, state: &State, label: &Label) -> Option<ModelError> {
        self.check_relations(state, label, &[]).err().filter(|error| error.code == Code::M012)
    }

    /// The step keeps one relation.
    pub(crate) fn keeps(&self, relation: &Relation, state: &State, label: &Label) -> Result<bool> {
        match relation {
            Relation::Exclusive { .. } => Ok(excluded(relation, label).is_none()),
            Relation::ExactlyOne { terms, .. } => {
                Ok(excluded(relation, label).is_none() && self.none_is_missing(terms, state, label)?)
            }
            Relation::Condition(Closed { expr, locals }) => {
                Ok(self.evaluate_with(expr, locals, &[], state, Some(label))?.as_bool())
            }
        }
    }

    /// For every choice of values for the names, one of the terms happens.
    fn none_is_missing(&self, terms: &[RelationTerm], state: &State, label: &Label) -> Result<bool> {
        let mut rows = vec![BTreeMap::new()];
        for (name, (action, param)) in names(terms) {
            let values = self.parameter_values(action, param, state)?;
            let extend = |row: &Names| values.iter().map(|value| with(row, name, value)).collect::<Vec<_>>();
            rows = rows.iter().flat_map(extend).collect();
        }
        let happens = |row: &Names| {
            terms
                .iter()
                .any(|term| label.events().any(|event| valuation(term, event).is_some_and(|own| agree(&own, row))))
        };
        Ok(rows.iter().all(happens))
    }

    fn together(
        &self,
        one: &Event,
        other: &Event,
        emitters: impl Fn(&Event) -> BTreeSet<ComponentId>,
        span: Option<Span>,
    ) -> ModelError {
        let model = self.model();
        let texts = [one, other].map(|event| show_event(model, event));
        let (first, second) = (emitters(one), emitters(other));
        let pair = first.iter().flat_map(|left| second.iter().map(move |right| (left, right)));
        match pair.filter(|(left, right)| left != right).min() {
            Some((left, right)) if first.is_disjoint(&second) => {
                let names = [left, right].map(|component| show_name(&model.components[component.0].name));
                let message = format!(
                    "`{}` emits `{}` and `{}` emits `{}`, which are exclusive",
                    names[0], texts[0], names[1], texts[1]
                );
                let [left, right] = names;
                let [one, other] = texts;
                ModelError::new(Code::M006, span, message).value(left, one).value(right, other)
            }
            _ => ModelError::new(
                Code::M012,
                span,
                format!("`{}` and `{}` are exclusive, but happen in one step", texts[0], texts[1]),
            ),
        }
    }
}

/// The actions that a relation speaks of.
pub(crate) fn actions_of(instance: &Instance, relation: &Relation) -> BTreeSet<ActionId> {
    match relation {
        Relation::Exclusive { terms, .. } | Relation::ExactlyOne { terms, .. } => {
            terms.iter().map(|term| term.action).collect()
        }
        Relation::Condition(closed) => mentioned_actions(instance.model(), &closed.expr),
    }
}

/// Two events of the step that belong to different terms and agree on the common names.
pub(crate) fn excluded<'l>(relation: &Relation, label: &'l Label) -> Option<(&'l Event, &'l Event)> {
    let (Relation::Exclusive { terms, .. } | Relation::ExactlyOne { terms, .. }) = relation else { return None };
    let events: Vec<&Event> = label.events().collect();
    for (index, left) in terms.iter().enumerate() {
        for right in &terms[index + 1..] {
            let pairs = events.iter().flat_map(|one| events.iter().map(move |other| (*one, *other)));
            let clash =
                pairs.filter_map(|(one, other)| Some((one, other, valuation(left, one)?, valuation(right, other)?)));
            if let Some((one, other, ..)) = clash.into_iter().find(|(_, _, one, other)| agree(one, other)) {
                return Some((one, other));
            }
        }
    }
    None
}

/// Two events of one signal, which is either present once or absent.
fn repeated(label: &Label) -> Option<[&Event; 2]> {
    let events: Vec<&Event> = label.events().collect();
    events.windows(2).find(|pair| pair[0].action == pair[1].action).map(|pair| [pair[0], pair[1]])
}

/// The values of a term's names, by number.
type Names = BTreeMap<usize, Value>;

/// The values that the names of a term take if it is this event.
fn valuation(term: &RelationTerm, event: &Event) -> Option<Names> {
    if term.action != event.action {
        return None;
    }
    let mut names = Names::new();
    for (name, value) in term.args.iter().zip(&event.args) {
        if names.insert(*name, value.clone()).is_some_and(|before| before != *value) {
            return None;
        }
    }
    Some(names)
}

fn agree(left: &Names, right: &Names) -> bool {
    left.iter().all(|(name, value)| right.get(name).is_none_or(|other| other == value))
}

fn with(row: &Names, name: usize, value: &Value) -> Names {
    let mut row = row.clone();
    row.insert(name, value.clone());
    row
}

/// The names of all terms, each with a parameter that it stands for.
fn names(terms: &[RelationTerm]) -> BTreeMap<usize, (ActionId, usize)> {
    let all =
        terms.iter().flat_map(|term| term.args.iter().enumerate().map(|(param, name)| (*name, (term.action, param))));
    all.collect()
}

fn relation_span(relation: &Relation) -> Option<Span> {
    match relation {
        Relation::Exclusive { span, .. } | Relation::ExactlyOne { span, .. } => Some(*span),
        Relation::Condition(closed) => Some(closed.expr.span),
    }
}
