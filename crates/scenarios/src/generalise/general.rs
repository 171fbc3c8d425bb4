//! A generalised scenario: events over parameters, and the constraint under which they lead to what is wanted, whatever
//! values the parameters have.
//!
//! It comes from a run that got there once. What was wanted is carried backwards through its steps to the beginning, where
//! only a condition on the parameters is left. A step that cannot be followed backwards keeps the values it had.

use super::explain::Explainer;
use super::path::{backwards, path, through};
use super::run::Run;
use super::term::{Frame, Meaning, binary, literal, replaced, size, term};
use crate::Wanted;
use interplay_model::{ActionId, BinaryOperator, Expr, ExprKind, Local, LocalId, Type};
use interplay_semantics::{Event, Instance, State, Value};
use std::collections::BTreeMap;

/// Conditions with more parts than this are not carried further back.
const MOST_PARTS: usize = 20_000;

#[derive(Clone, Debug)]
pub struct General {
    /// The parameters of the goal first, then those of the events.
    pub locals: Vec<Local>,
    /// How many of them the goal has.
    pub params: usize,
    /// Each argument is a parameter or a value.
    pub events: Vec<(ActionId, Vec<Expr>)>,
    /// Conditions on the parameters alone.
    pub constraint: Vec<Expr>,
    /// The values of the scenario it comes from.
    pub values: Vec<Option<Value>>,
    /// Which conjuncts of the goal it leads to.
    pub conjuncts: Vec<usize>,
    /// Why some of the events keep their values, if they do.
    pub fixed: Option<&'static str>,
}

/// Carries these conjuncts, which hold at the end of the run for these values, back to its beginning.
pub(super) fn generalise(
    instance: &Instance,
    wanted: &Wanted,
    conjuncts: &[usize],
    values: &[Value],
    run: &Run,
) -> Option<General> {
    let mut frame = Frame::default();
    let mut meaning = Meaning::new();
    for (index, local) in wanted.locals[..wanted.params].iter().enumerate() {
        let slot = frame.slot(&local.name, &local.ty, Some(values[index].clone()));
        meaning.insert(LocalId(index), term(ExprKind::Local(slot), local.ty.clone()));
    }
    let mut conditions = Vec::new();
    for conjunct in conjuncts {
        let condition = wanted.conditions[*conjunct].clone().without_places();
        let condition = frame.bring(&condition, &mut meaning, &wanted.locals);
        let mut explainer = Explainer { instance, state: run.end(), frame: &mut frame, reasons: Vec::new() };
        explainer.explain(&condition, true);
        conditions.extend(explainer.reasons);
    }
    let mut events: Vec<(ActionId, Vec<LocalId>)> = Vec::new();
    let mut fixed = None;
    for (index, event) in run.events.iter().enumerate().rev() {
        let params = &instance.model().actions[event.action.0].params;
        let slots: Vec<LocalId> = params
            .iter()
            .zip(&event.args)
            .map(|(param, value)| frame.slot(&param.name, &param.ty, Some(value.clone())))
            .collect();
        let step = (event, slots.as_slice());
        let walked = match fixed {
            None => path(instance, &mut frame, step, &run.rules[index], &run.states[index]).map_err(|lost| lost.0),
            Some(why) => Err(why),
        };
        match walked {
            Ok(items) => conditions = backwards(instance, &mut frame, &items, conditions),
            Err(why) => {
                conditions = fix(instance, &frame, &conditions, &slots)?;
                fixed = Some(why);
            }
        }
        events.push((event.action, slots));
        if conditions.iter().map(size).sum::<usize>() > MOST_PARTS && fixed.is_none() {
            return None;
        }
    }
    events.reverse();
    let conditions = at_the_start(instance, &mut frame, &conditions, &run.states[0])?;
    let general = General {
        events: events.into_iter().map(|(action, slots)| (action, arguments(&frame, &slots))).collect(),
        params: wanted.params,
        constraint: conditions,
        conjuncts: conjuncts.to_vec(),
        locals: frame.locals,
        values: frame.values,
        fixed,
    };
    let general = general.unified();
    // What was true once must satisfy what follows from it.
    general.holds(instance, &run.states[0], &general.values).then_some(general)
}

fn arguments(frame: &Frame, slots: &[LocalId]) -> Vec<Expr> {
    slots.iter().map(|slot| term(ExprKind::Local(*slot), frame.locals[slot.0].ty.clone())).collect()
}

/// What the conditions and the event speak of keeps its values.
fn fix(instance: &Instance, frame: &Frame, conditions: &[Expr], slots: &[LocalId]) -> Option<Vec<Expr>> {
    let mut used: Vec<LocalId> = slots.to_vec();
    for condition in conditions {
        condition.walk(&mut |part| {
            if let ExprKind::Local(slot) = part.kind
                && frame.values[slot.0].is_some()
            {
                used.push(slot);
            }
        });
    }
    used.sort();
    used.dedup();
    let equal = |slot: &LocalId| {
        let Local { ty, .. } = &frame.locals[slot.0];
        let value = literal(instance.model(), ty, frame.values[slot.0].as_ref()?)?;
        Some(binary(BinaryOperator::Equal, term(ExprKind::Local(*slot), ty.clone()), value, Type::Bool))
    };
    used.iter().map(equal).collect()
}

/// The conditions with the values of the initial state put in; none speaks of the state afterwards.
fn at_the_start(instance: &Instance, frame: &mut Frame, conditions: &[Expr], start: &State) -> Option<Vec<Expr>> {
    let model = instance.model();
    let mut by = |part: &Expr| match &part.kind {
        ExprKind::Variable(id) => literal(model, &model.variables[id.0].ty, start.variable(*id)?),
        ExprKind::At { component, locations } => {
            let here = start.location(*component).is_some_and(|here| locations.contains(&here));
            Some(term(ExprKind::Bool(here), Type::Bool))
        }
        _ => None,
    };
    let conditions = through(instance, frame, conditions, start, &mut by);
    let about_state = |part: &Expr| {
        matches!(
            part.kind,
            ExprKind::Variable(_) | ExprKind::At { .. } | ExprKind::ObjectCount(_) | ExprKind::ObjectAll(_)
        )
    };
    let mut free = true;
    conditions.iter().for_each(|condition| condition.walk(&mut |part| free &= !about_state(part)));
    free.then_some(conditions)
}

impl General {
    /// Parameters that must be equal become one, and those that must have a certain value are replaced by it.
    fn unified(mut self) -> General {
        loop {
            let params = self.params;
            let found = self.constraint.iter().enumerate().find_map(|(index, condition)| {
                let ExprKind::Binary { operator: BinaryOperator::Equal, left, right } = &condition.kind else {
                    return None;
                };
                match (&left.kind, &right.kind) {
                    // The parameters of the goal keep their names.
                    (ExprKind::Local(one), ExprKind::Local(other)) if one.0.max(other.0) >= params => {
                        let (keep, drop) = if one < other { (left, *other) } else { (right, *one) };
                        Some((index, drop, (**keep).clone()))
                    }
                    (ExprKind::Local(slot), _) if slot.0 >= params && super::term::is_closed(right) => {
                        Some((index, *slot, (**right).clone()))
                    }
                    (_, ExprKind::Local(slot)) if slot.0 >= params && super::term::is_closed(left) => {
                        Some((index, *slot, (**left).clone()))
                    }
                    _ => None,
                }
            });
            let Some((index, slot, by)) = found else { break };
            self.constraint.remove(index);
            let put =
                |expr: &Expr| replaced(expr, &mut |part| (part.kind == ExprKind::Local(slot)).then(|| by.clone()));
            self.constraint = self.constraint.iter().map(put).collect();
            self.events.iter_mut().flat_map(|(_, args)| args).for_each(|arg| *arg = put(arg));
            self.tidy();
        }
        self.tidy();
        self
    }

    fn tidy(&mut self) {
        let trivial = |condition: &Expr| match &condition.kind {
            ExprKind::Bool(truth) => *truth,
            ExprKind::Binary { operator: BinaryOperator::Equal, left, right } => left.kind == right.kind,
            _ => false,
        };
        let mut kept: Vec<Expr> = Vec::new();
        for condition in std::mem::take(&mut self.constraint) {
            let turned = match &condition.kind {
                ExprKind::Binary {
                    operator: operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
                    left,
                    right,
                } => Some(binary(*operator, (**right).clone(), (**left).clone(), Type::Bool)),
                _ => None,
            };
            let known = kept.contains(&condition) || turned.is_some_and(|turned| kept.contains(&turned));
            if !trivial(&condition) && !known {
                kept.push(condition);
            }
        }
        self.constraint = kept;
    }

    /// The parameters that it really has: the goal's, and those of its events.
    pub fn parameters(&self) -> Vec<LocalId> {
        let mut found: Vec<LocalId> = (0..self.params).map(LocalId).collect();
        let args = self.events.iter().flat_map(|(_, args)| args).chain(&self.constraint);
        args.for_each(|arg| {
            arg.walk(&mut |part| {
                if let ExprKind::Local(slot) = part.kind
                    && self.values[slot.0].is_some()
                    && !found.contains(&slot)
                {
                    found.push(slot);
                }
            });
        });
        found
    }

    /// The constraint holds for these values. The state does not matter.
    pub fn holds(&self, instance: &Instance, any: &State, values: &[Option<Value>]) -> bool {
        let frame = Frame { locals: self.locals.clone(), values: values.to_vec() };
        self.constraint.iter().all(|condition| frame.value(instance, any, condition) == Some(Value::Bool(true)))
    }

    /// Its events with these values.
    pub fn instantiate(&self, instance: &Instance, any: &State, values: &[Option<Value>]) -> Option<Vec<Event>> {
        let frame = Frame { locals: self.locals.clone(), values: values.to_vec() };
        let event = |(action, args): &(ActionId, Vec<Expr>)| {
            let args: Option<Vec<Value>> = args.iter().map(|arg| frame.value(instance, any, arg)).collect();
            Some(Event::new(*action, args?))
        };
        self.events.iter().map(event).collect()
    }

    /// A name of its own for every parameter.
    pub fn names(&self) -> BTreeMap<LocalId, String> {
        let mut names: BTreeMap<LocalId, String> = BTreeMap::new();
        for slot in self.parameters() {
            let name = &self.locals[slot.0].name;
            let taken = |candidate: &String| names.values().any(|known| known == candidate);
            let mut numbered = (2..).map(|number| format!("{name}{number}"));
            let own = if taken(name) { numbered.find(|candidate| !taken(candidate)) } else { Some(name.clone()) };
            names.insert(slot, own.unwrap_or_else(|| name.clone()));
        }
        names
    }
}
