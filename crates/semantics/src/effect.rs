//! What one component does in a step, and how the effects of several are put together.
//!
//! Every component runs on the state before the step. Their effects are joined spot by spot: what two of them write must
//! agree, also where one writes a part of what the other writes; otherwise they are in conflict (M006), and the
//! message names both. The order of the components therefore never matters.

use crate::context::Context;
use crate::execute::Execution;
use crate::show::show_value;
use crate::spot::Spot;
use crate::used::{Noted, Use};
use crate::{Event, Instance, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ComponentId, LocationId, Model, RuleId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What one rule of one component does.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub(crate) component: ComponentId,
    pub(crate) rule: Option<RuleId>,
    /// No spot covers another one; each with its final value.
    writes: Vec<(Spot, Value)>,
    location: Option<LocationId>,
    objects: Vec<u32>,
    pub(crate) emitted: Vec<Event>,
    pub(crate) answer: Answer,
    pub(crate) used: Noted,
}

/// What a rule says about the return value.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Nothing at all.
    Open,
    /// `ensures` allows this one; there may be others.
    Allowed(Value),
    /// `return` gives it.
    Exact(Value),
}

impl Answer {
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Answer::Open => None,
            Answer::Allowed(value) | Answer::Exact(value) => Some(value),
        }
    }
}

/// The effects of all components together.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) target: State,
    /// Each output with every component that emits it.
    pub(crate) emitted: Vec<(ComponentId, Event)>,
    pub(crate) answer: Answer,
    pub(crate) rules: Vec<RuleId>,
    pub(crate) used: BTreeSet<Use>,
}

impl Joint {
    /// The outputs as they are heard: a bag. Equal outputs of different components are one, as equal writes are.
    pub(crate) fn outputs(&self) -> Vec<Event> {
        let mut counts: BTreeMap<&Event, BTreeMap<ComponentId, usize>> = BTreeMap::new();
        for (component, event) in &self.emitted {
            *counts.entry(event).or_default().entry(*component).or_default() += 1;
        }
        let times = |counts: &BTreeMap<ComponentId, usize>| counts.values().copied().max().unwrap_or(0);
        counts.iter().flat_map(|(event, counts)| std::iter::repeat_n((*event).clone(), times(counts))).collect()
    }
}

impl Effect {
    pub(crate) fn new(component: ComponentId, context: &Context, execution: Execution, answer: Answer) -> Effect {
        let Execution { written, emitted, .. } = execution;
        let outermost = written.iter().filter(|spot| !written.iter().any(|other| other != *spot && other.covers(spot)));
        let value = |spot: &Spot| spot.read(&context.now).expect("what was written is there").clone();
        Effect {
            component,
            rule: None,
            writes: outermost.map(|spot| (spot.clone(), value(spot))).collect(),
            location: context.now.location(component),
            objects: context.now.objects.clone(),
            emitted,
            answer,
            used: context.used.clone(),
        }
    }

    pub(crate) fn of(self, rule: RuleId) -> Effect {
        Effect { rule: Some(rule), ..self }
    }
}

/// Joins one effect per component; `None` if they allow no common return value.
pub(crate) fn join(instance: &Instance, before: &State, effects: &[&Effect], span: Span) -> Result<Option<Joint>> {
    let model = instance.model();
    for (index, left) in effects.iter().enumerate() {
        for right in &effects[index + 1..] {
            contradiction(model, before, left, right, span).map_or(Ok(()), Err)?;
        }
    }
    let Some(answer) = common_answer(effects) else { return Ok(None) };
    let mut target = before.clone();
    for effect in effects {
        apply(model, effect, &mut target, span)?;
    }
    let emitted =
        effects.iter().flat_map(|effect| effect.emitted.iter().map(|event| (effect.component, event.clone())));
    let rules = effects.iter().filter_map(|effect| effect.rule).collect();
    let used = effects.iter().flat_map(|effect| effect.used.iter().flatten().copied()).collect();
    Ok(Some(Joint { target, emitted: emitted.collect(), answer, rules, used }))
}

fn apply(model: &Model, effect: &Effect, target: &mut State, span: Span) -> Result<()> {
    for (spot, value) in &effect.writes {
        spot.write(model, &mut target.variables[spot.variable.0], value.clone(), span)?;
    }
    target.locations[effect.component.0] = effect.location;
    for (count, made) in target.objects.iter_mut().zip(&effect.objects) {
        *count = (*count).max(*made);
    }
    Ok(())
}

/// What two components cannot both do.
fn contradiction(model: &Model, before: &State, left: &Effect, right: &Effect, span: Span) -> Option<ModelError> {
    let (what, values) = both_make(model, before, left, right)
        .or_else(|| different_answers(model, left, right))
        .or_else(|| different_writes(model, left, right))?;
    let [first, second] = [left, right].map(|effect| model.components[effect.component.0].name.clone());
    let message = format!("`{first}` and `{second}` {what}: {} and {}", values[0], values[1]);
    let [left_value, right_value] = values;
    Some(ModelError::new(Code::M006, span, message).value(first, left_value).value(second, right_value))
}

/// What the contradiction is, and what each side says.
type Contradiction = (String, [String; 2]);

/// Objects are numbered, so two components would make the same one.
fn both_make(model: &Model, before: &State, left: &Effect, right: &Effect) -> Option<Contradiction> {
    let counts = |index: usize| [left, right].map(|effect| effect.objects[index] - before.objects[index]);
    let index = (0..before.objects.len()).find(|index| counts(*index).iter().all(|count| *count > 0))?;
    let name = &model.types.objects[index].name;
    Some((format!("both make a new {name}"), counts(index).map(|count| count.to_string())))
}

fn different_answers(model: &Model, left: &Effect, right: &Effect) -> Option<Contradiction> {
    let (Answer::Exact(one), Answer::Exact(other)) = (&left.answer, &right.answer) else { return None };
    let rule = left.rule.map(|id| &model.rules[id.0]);
    let ty = rule.and_then(|rule| rule.result.map(|local| &rule.locals[local.0].ty)).unwrap_or(&Type::Unknown);
    (one != other).then(|| ("return different values".into(), [one, other].map(|value| show_value(model, ty, value))))
}

fn different_writes(model: &Model, left: &Effect, right: &Effect) -> Option<Contradiction> {
    let mut pairs = left.writes.iter().flat_map(|one| right.writes.iter().map(move |other| (one, other)));
    let (spot, values) = pairs.find_map(|(one, other)| disagreement(model, one, other))?;
    Some((format!("write different values to `{}`", spot.show(model)), values))
}

/// Two writes that touch each other and differ: the inner spot, and what each of them puts there.
fn disagreement<'w>(
    model: &Model,
    left: &'w (Spot, Value),
    right: &'w (Spot, Value),
) -> Option<(&'w Spot, [String; 2])> {
    let inner = match () {
        () if left.0.covers(&right.0) => &right.0,
        () if right.0.covers(&left.0) => &left.0,
        () => return None,
    };
    let [one, other] = [left, right].map(|(spot, value)| spot.read_inside(value, inner));
    (one != other).then(|| (inner, [one, other].map(|value| inner.show_value(model, value))))
}

fn common_answer(effects: &[&Effect]) -> Option<Answer> {
    let mut common = Answer::Open;
    for answer in effects.iter().map(|effect| &effect.answer) {
        match (common.value(), answer.value()) {
            (None, _) => common = answer.clone(),
            (Some(one), Some(other)) if one != other => return None,
            _ => {}
        }
    }
    Some(common)
}
