//! The guard of one rule for questions about single states: the state is put in as values, the arguments stay open.

use super::context::{Val, same};
use super::layout::{Layout, place_number};
use super::quiet::again;
use super::rules::{Question, question, way};
use super::shape::{Shape, Sort};
use super::{Res, unsupported};
use interplay_model::{Model, RuleId, Trigger, Type};
use interplay_semantics::{Instance, State, Value};
use interplay_smt::Term;
use std::collections::BTreeMap;

pub struct Guard {
    layout: Layout,
    question: Question,
    /// By argument.
    types: Vec<Type>,
    holds: Term,
}

pub fn guards(instance: &Instance, id: RuleId) -> Res<Guard> {
    let model = instance.model();
    let rule = &model.rules[id.0];
    let Trigger::Action(action) = rule.trigger else {
        return unsupported(rule.span, "not supported by the solver: a choice of single signals");
    };
    if !rule.chosen.is_empty() {
        return unsupported(rule.span, "not supported by the solver: a choice of the system");
    }
    let layout = Layout::new(instance, None, &BTreeMap::new(), &|id| model.variables[id.0].value.is_none())?;
    let question = question(instance, &layout, action)?;
    let way = way(instance, &layout, id, &question)?;
    let holds = Term::and([question.allowed.clone(), way.applies]);
    let types = model.actions[action.0].params.iter().map(|param| param.ty.clone()).collect();
    Ok(Guard { layout, question, types, holds })
}

impl Guard {
    /// The open arguments with their sorts. The names hold for the action, so several rules share them.
    pub fn params(&self) -> impl Iterator<Item = (&str, &Sort)> {
        self.question.params.iter().map(|param| (param.name.as_str(), &param.sort))
    }

    pub fn leaves(&self) -> Vec<Term> {
        self.question.args.iter().flat_map(|arg| arg.leaves.iter().cloned()).collect()
    }

    /// What must hold of the arguments in this state; `None` if a part of the state has no value that can be told.
    pub fn about(&self, instance: &Instance, state: &State) -> Option<Term> {
        let model = instance.model();
        let mut known: BTreeMap<&str, Term> = BTreeMap::new();
        for (index, slot) in self.layout.variables.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let value = state.variables.get(index)?.as_ref();
            let leaves = value.map_or_else(|| slot.shape.defaults(), |value| slot.shape.literal(value));
            known.extend(self.layout.leaves[slot.range.clone()].iter().map(|leaf| leaf.name.as_str()).zip(leaves));
            if let Some(set) = slot.set {
                known.insert(&self.layout.leaves[set].name, Term::bool(value.is_some()));
            }
        }
        for (component, leaf) in self.layout.places.iter().enumerate() {
            if let (Some(leaf), Some(here)) = (leaf, state.locations.get(component).copied().flatten()) {
                known.insert(&self.layout.leaves[*leaf].name, place_number(here));
            }
        }
        for (leaf, count) in self.layout.objects.iter().zip(&state.objects) {
            known.insert(&self.layout.leaves[*leaf].name, Term::int(i64::from(*count)));
        }
        // A constant without a value has none in a test, either.
        self.layout.constants.iter().all(Option::is_none).then_some(())?;
        debug_assert!(self.layout.variables.len() >= model.state_size());
        Some(again(&self.holds.replace(&|atom| known.get(atom).cloned())))
    }

    /// The arguments are these.
    pub fn is(&self, args: &[Value]) -> Term {
        let each = self.question.args.iter().zip(args);
        Term::and(each.map(|(arg, value)| same(&arg.leaves, &arg.shape.literal(value))))
    }

    /// The arguments that the solver's values stand for.
    pub fn decode(&self, model: &Model, values: &[Term]) -> Option<Vec<Value>> {
        let mut rest = values;
        let each = self.question.args.iter().zip(&self.types).map(|(arg, ty): (&Val, &Type)| {
            let (own, after) = rest.split_at_checked(Shape::count(&arg.shape))?;
            rest = after;
            arg.shape.decode(model, ty, own)
        });
        each.collect()
    }
}
