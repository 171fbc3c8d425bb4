//! What a specification leaves open: inputs that it does not mention, and whether testing with `ioco` would then blame an
//! implementation that keeps to it and ignores them.

use super::refusal;
use crate::{Context, Host, Refusal};
pub use interplay_answers::Advice as Answer;
use interplay_diagnostics::Fault;
use interplay_semantics::{Event, Instance, Label, ModelError, State, show_label};
use interplay_transform::{Machine, show_step, unspecified};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More pairs of sets are not looked at.
const MOST: usize = 20_000;

/// Where to look.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By the rule for all commands; false alarms are looked for under it.
    pub setup: Option<String>,
}

/// Lists what the specification does not mention, and looks for a false alarm that this causes.
pub fn run(context: &Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    let model = &context.model;
    let refusal = |why| refusal(context, why);
    let machine = Machine::new(model).map_err(refusal)?;
    let open = unspecified(&machine).map_err(refusal)?;
    let mut advice = Answer { system: model.name.clone(), ..Answer::default() };
    for step in &open {
        advice.unspecified.push((machine.places[step.from].name.clone(), show_step(&machine, step)));
    }
    let (instance, _) = context.under(request.setup.as_deref(), None)?;
    match false_alarm(&instance) {
        Ok(Found::Alarm(way)) => advice.false_alarm = Some(way.iter().map(|label| show_label(model, label)).collect()),
        Ok(Found::None) => {}
        Ok(Found::Limit) => {
            advice.remark = Some(format!("no false alarm in the first {MOST} situations; not all were checked"))
        }
        Err(error) if error.code.fault() == Fault::Run => return Err(context.broken(error)),
        Err(error) => advice.remark = Some(format!("unknown whether ioco gives false alarms: {}", error.message)),
    }
    Ok(advice)
}

enum Found {
    Alarm(Vec<Label>),
    None,
    Limit,
}

/// Where an implementation and its specification may be.
type Pair = (BTreeSet<State>, BTreeSet<State>);

/// The shortest conversation in which the specification, with unspecified inputs ignored, does what the specification itself
/// does not allow.
fn false_alarm(instance: &Instance) -> Result<Found, ModelError> {
    let start: BTreeSet<State> = instance.initial()?.into_iter().collect();
    let start = instance.closure(&start)?;
    let mut ways: BTreeMap<Pair, Vec<Label>> = [((start.clone(), start.clone()), Vec::new())].into();
    let mut waiting = VecDeque::from([(start.clone(), start)]);
    while let Some((own, allowed)) = waiting.pop_front() {
        let way = ways[&(own.clone(), allowed.clone())].clone();
        for (label, next) in steps(instance, &own)? {
            let longer = [&way[..], std::slice::from_ref(&label)].concat();
            let after = instance.after(&allowed, &label)?;
            let given = matches!(&label, Label::Step { inputs, .. } if !inputs.is_empty());
            match (after.is_empty(), given) {
                (true, true) => continue,
                (true, false) => return Ok(Found::Alarm(longer)),
                _ => {}
            }
            let pair = (next, after);
            if !ways.contains_key(&pair) {
                ways.insert(pair.clone(), longer);
                waiting.push_back(pair);
            }
        }
        if ways.len() > MOST {
            return Ok(Found::Limit);
        }
    }
    Ok(Found::None)
}

/// What the implementation may do, and be given, with where it is then.
fn steps(instance: &Instance, states: &BTreeSet<State>) -> Result<Vec<(Label, BTreeSet<State>)>, ModelError> {
    let (mut inputs, mut labels): (BTreeSet<Event>, BTreeSet<Label>) = (BTreeSet::new(), BTreeSet::new());
    for state in states {
        inputs.extend(instance.enabled_inputs(state)?);
        if instance.may_be_silent(state)? {
            labels.insert(Label::Silence);
        }
        for step in instance.own_steps(state) {
            let step = step?;
            if step.label.is_visible() {
                labels.insert(step.label);
            }
        }
    }
    let mut found = Vec::new();
    for event in inputs {
        let mut next = BTreeSet::new();
        let label = Label::input(event.clone());
        for state in states {
            let taken = instance.successors(state, &label)?;
            match taken.is_empty() {
                true => drop(next.insert(state.clone())),
                false => next.extend(taken),
            }
        }
        found.push((label, instance.closure(&next)?));
    }
    for label in labels {
        let mut next = BTreeSet::new();
        for state in states {
            next.extend(instance.successors(state, &label)?);
        }
        found.push((label, instance.closure(&next)?));
    }
    Ok(found)
}
