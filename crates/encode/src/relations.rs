//! What may happen together in one step: `exclusive`, `exactly one`, `relation`, told about the events of a step.

use super::context::{Context, Occurrence, Val, same};
use super::{Res, unsupported};
use interplay_model::{ActionId, Closed, ExprKind, Model, Relation, RelationTerm};
use interplay_semantics::{State, Value};
use interplay_smt::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The actions that a relation speaks of.
pub(crate) fn actions_of(model: &Model, relation: &Relation) -> BTreeSet<ActionId> {
    let mut found = BTreeSet::new();
    match relation {
        Relation::Exclusive { terms, .. } | Relation::ExactlyOne { terms, .. } => {
            found.extend(terms.iter().map(|term| term.action));
        }
        Relation::Condition(closed) => interplay_model::walk_through(model, &closed.expr, &mut |part| {
            if let ExprKind::Happens { action, .. } | ExprKind::SignalValue { action, .. } = part.kind {
                found.insert(action);
            }
        }),
    }
    found
}

impl Context<'_> {
    /// The events of the step keep the relation.
    pub(crate) fn keeps(&mut self, relation: &Relation) -> Res<Term> {
        match relation {
            Relation::Exclusive { .. } => Ok(self.excludes(relation).not()),
            Relation::ExactlyOne { terms, .. } => {
                Ok(Term::and([self.excludes(relation).not(), self.none_is_missing(terms)?]))
            }
            Relation::Condition(closed) => {
                let (holds, defined) = self.condition(closed)?;
                Ok(Term::and([defined, holds]))
            }
        }
    }

    /// Whether it holds, and whether that can be said.
    pub(crate) fn condition(&mut self, closed: &Closed) -> Res<(Term, Term)> {
        let (frame, bounds) = (self.frame.clone(), self.bounds.clone());
        self.enter(closed.locals.len());
        let answer = self.separately(|inner| inner.term(&closed.expr));
        (self.frame, self.bounds) = (frame, bounds);
        answer
    }

    /// Two events of the step belong to different terms and agree on the common names.
    pub(crate) fn excludes(&self, relation: &Relation) -> Term {
        let (Relation::Exclusive { terms, .. } | Relation::ExactlyOne { terms, .. }) = relation else {
            return Term::bool(false);
        };
        let mut any = Vec::new();
        for (index, left) in terms.iter().enumerate() {
            for right in &terms[index + 1..] {
                for one in self.events.iter().filter_map(|event| Fit::new(left, event)) {
                    let others = self.events.iter().filter_map(|event| Fit::new(right, event));
                    any.extend(others.map(|other| one.clashes(&other)));
                }
            }
        }
        Term::or(any)
    }

    /// No signal comes twice with different values.
    pub(crate) fn each_once(&self) -> Term {
        let mut all = Vec::new();
        for (index, one) in self.events.iter().enumerate() {
            for other in self.events[index + 1..].iter().filter(|other| other.action == one.action) {
                let equal = one.args.iter().zip(&other.args).map(|(one, other)| same(&one.leaves, &other.leaves));
                let both = Term::and([one.when.clone(), other.when.clone()]);
                all.push(both.implies(Term::and(equal)));
            }
        }
        Term::and(all)
    }

    /// For every choice of values for the names, one of the terms happens.
    fn none_is_missing(&self, terms: &[RelationTerm]) -> Res<Term> {
        let mut rows: Vec<BTreeMap<usize, Value>> = vec![BTreeMap::new()];
        let names =
            terms.iter().flat_map(|term| term.args.iter().enumerate().map(move |(at, name)| (*name, (term, at))));
        for (name, (term, at)) in names.collect::<BTreeMap<_, _>>() {
            let param = &self.model().actions[term.action.0].params[at];
            let values = match self.instance.parameter_values(term.action, at, &State::blank(self.model())) {
                Ok(values) if values.len() * rows.len() <= super::context::MOST_VALUES => values,
                Ok(_) => return unsupported(param.span, "not supported by the solver: too many values"),
                Err(error) => return unsupported(param.span, error.message),
            };
            let extend = |row: &BTreeMap<usize, Value>| -> Vec<BTreeMap<usize, Value>> {
                let with = |value: &Value| row.clone().into_iter().chain([(name, value.clone())]).collect();
                values.iter().map(with).collect()
            };
            rows = rows.iter().flat_map(extend).collect();
        }
        let fits: Vec<Fit> =
            terms.iter().flat_map(|term| self.events.iter().filter_map(|event| Fit::new(term, event))).collect();
        let happens = |row: &BTreeMap<usize, Value>| Term::or(fits.iter().map(|fit| fit.has(row)));
        Ok(Term::and(rows.iter().map(happens)))
    }
}

/// A term of a relation that an event may be: when, and with which values for the names.
struct Fit<'f> {
    when: Term,
    names: BTreeMap<usize, &'f Val>,
}

impl<'f> Fit<'f> {
    fn new(term: &RelationTerm, event: &'f Occurrence) -> Option<Fit<'f>> {
        if term.action != event.action {
            return None;
        }
        let mut when = vec![event.when.clone()];
        let mut names: BTreeMap<usize, &Val> = BTreeMap::new();
        for (name, val) in term.args.iter().zip(&event.args) {
            if let Some(before) = names.insert(*name, val) {
                when.push(same(&before.leaves, &val.leaves));
            }
        }
        Some(Fit { when: Term::and(when), names })
    }

    fn clashes(&self, other: &Fit) -> Term {
        let common = self.names.iter().filter_map(|(name, val)| Some((val, other.names.get(name)?)));
        let equal = common.map(|(one, other)| same(&one.leaves, &other.leaves));
        Term::and([self.when.clone(), other.when.clone()].into_iter().chain(equal))
    }

    fn has(&self, row: &BTreeMap<usize, Value>) -> Term {
        let equal = self.names.iter().filter_map(|(name, val)| Some((val, row.get(name)?)));
        let equal = equal.map(|(val, value)| same(&val.leaves, &val.shape.literal(value)));
        Term::and([self.when.clone()].into_iter().chain(equal))
    }
}
