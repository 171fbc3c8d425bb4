//! Whoever says that something never happens is doubted: the interpreter explores a little and takes some walks, and every state that
//! it reaches must satisfy the invariant, and must not be what is looked for. A proof that is one is not hurt by that; a solver that
//! lies mostly is.

use crate::witness::without_end;
use interplay_encode::{Layout, System, Watch, place_number};
use interplay_model::{Action, ConstantId, Direction, Discipline, Model, ObserverId, ObserverVerdict, Polarity, Type};
use interplay_semantics::{Event, Instance, ModelError, ObserverState, State, Transition, Value, show_label};
use interplay_smt::{Known, Term, ground};

/// So many states are expanded.
const MOST_STATES: usize = 120;
/// So many steps are looked at from one state.
const MOST_STEPS: usize = 24;
const WALKS: usize = 6;
const LENGTH: usize = 30;
/// Larger conjuncts are not worked out.
const MOST_SIZE: u64 = 20_000;

/// A reachable state with who watches it.
#[derive(Clone, PartialEq)]
struct Here {
    state: State,
    observer: Option<ObserverState>,
    /// How it was reached, for the message.
    way: Vec<String>,
}

/// Why the claim is false, if that was found.
pub(crate) fn refuted(instance: &Instance, watch: &Watch, system: &System, invariant: &[Term]) -> Option<String> {
    for instance in instances(instance) {
        let doubt = Doubt { instance: &instance, watch, layout: &system.layout, target: &system.target, invariant };
        if let Some(why) = doubt.look() {
            return Some(why);
        }
    }
    None
}

/// With values for the constants that have none.
fn instances(instance: &Instance) -> Vec<Instance> {
    let model = instance.model();
    let open: Vec<usize> =
        (0..model.constants.len()).filter(|id| instance.constant(ConstantId(*id)).is_err()).collect();
    if open.is_empty() {
        return vec![instance.clone()];
    }
    let with = |value: i64| {
        let values: Option<Vec<(ConstantId, Value)>> = open
            .iter()
            .map(|id| match model.types.strip(&model.constants[*id].ty) {
                Type::Int => Some((ConstantId(*id), Value::Int(value))),
                _ => None,
            })
            .collect();
        let instance = instance.with_constants(&values?).ok()?;
        instance.initial().is_ok_and(|states| !states.is_empty()).then_some(instance)
    };
    [1, 2, 0, 5].into_iter().filter_map(with).take(2).collect()
}

struct Doubt<'d> {
    instance: &'d Instance,
    watch: &'d Watch,
    layout: &'d Layout,
    target: &'d Term,
    invariant: &'d [Term],
}

impl Doubt<'_> {
    fn look(&self) -> Option<String> {
        let states = self.instance.initial().ok()?;
        let mut seen: Vec<Here> = Vec::new();
        for state in states.into_iter().take(MOST_STEPS) {
            let observer = match self.watch.inner() {
                Watch::Observer(id) => self.instance.observer_start(*id, &state).ok(),
                _ => None,
            };
            let here = Here { state, observer, way: Vec::new() };
            if let Some(why) = self.speaks_against(&here) {
                return Some(why);
            }
            seen.push(here);
        }
        let mut at = 0;
        while at < seen.len().min(MOST_STATES) {
            let here = seen[at].clone();
            at += 1;
            match self.after(&here) {
                Ok(next) => {
                    for after in next {
                        if seen.iter().any(|known| known.state == after.state && known.observer == after.observer) {
                            continue;
                        }
                        if let Some(why) = self.speaks_against(&after) {
                            return Some(why);
                        }
                        seen.push(after);
                    }
                }
                Err(why) => return Some(why),
            }
        }
        self.walk(&seen)
    }

    /// Long runs, because many things come late.
    fn walk(&self, starts: &[Here]) -> Option<String> {
        let mut dice = 1u64;
        let mut roll = |below: usize| {
            dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (dice >> 33) as usize % below
        };
        for _ in 0..WALKS {
            let mut here = starts.last()?.clone();
            for _ in 0..LENGTH {
                let mut next = match self.after(&here) {
                    Ok(next) if next.is_empty() => break,
                    Ok(next) => next,
                    Err(why) => return Some(why),
                };
                here = next.swap_remove(roll(next.len()));
                if let Some(why) = self.speaks_against(&here) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// Some of the states after a step; or what goes wrong, if that is the question.
    fn after(&self, here: &Here) -> Result<Vec<Here>, String> {
        let mut found = Vec::new();
        for step in self.steps(&here.state) {
            let Transition { label, target, .. } = match step {
                Ok(step) => step,
                Err(error) if matches!(self.watch, Watch::Wrong) && !without_end(error.code) => {
                    return Err(format!("after {}: {}", shown(&here.way), error.message));
                }
                Err(_) => continue,
            };
            let observer = match (self.watch.inner(), &here.observer) {
                (Watch::Observer(id), Some(observer)) => {
                    match self.instance.observer_step(*id, observer, &label, &target) {
                        Ok(observer) => Some(observer),
                        Err(error) if matches!(self.watch, Watch::Undefined(_)) => {
                            return Err(format!("after {}: {}", shown(&here.way), error.message));
                        }
                        Err(_) => continue,
                    }
                }
                _ => None,
            };
            let mut way = here.way.clone();
            way.push(show_label(self.instance.model(), &label));
            found.push(Here { state: target, observer, way });
            if found.len() >= MOST_STEPS {
                break;
            }
        }
        Ok(found)
    }

    fn steps(&self, state: &State) -> Vec<Result<Transition, ModelError>> {
        let mut found = self.instance.transitions(state);
        if !found.iter().any(|step| matches!(step, Err(error) if without_end(error.code))) {
            return found;
        }
        // Some input has values without end: a few of them.
        let model = self.instance.model();
        for (index, action) in model.actions.iter().enumerate().filter(|(_, action)| begins(model, action)) {
            for args in self.samples(action) {
                let event = Event::new(interplay_model::ActionId(index), args);
                if self.instance.is_given(state, &event) == Ok(true) {
                    let kept = |step: &Result<Transition, ModelError>| {
                        step.as_ref().map_or(true, |step| self.is_kept(&step.target))
                    };
                    found.extend(self.instance.outcomes(state, &event).into_iter().filter(kept));
                }
            }
        }
        found
    }

    fn is_kept(&self, state: &State) -> bool {
        let keep = self.instance.kept();
        keep.iter().all(|condition| self.instance.holds(condition, state) == Ok(true))
    }

    fn samples(&self, action: &Action) -> Vec<Vec<Value>> {
        let mut rows = vec![Vec::new()];
        for param in &action.params {
            let values = self.values(&param.ty);
            rows = rows.iter().flat_map(|row: &Vec<Value>| values.iter().map(|value| with(row, value))).collect();
            rows.truncate(8);
        }
        rows
    }

    fn values(&self, ty: &Type) -> Vec<Value> {
        match self.instance.model().types.strip(ty) {
            Type::Int => [1, 0, 2, -1].map(Value::Int).to_vec(),
            Type::String => vec![Value::string("a"), Value::string("")],
            _ => {
                let blank = State::blank(self.instance.model());
                let all = self.instance.values_of(ty, &blank, "it", Default::default()).unwrap_or_default();
                all.into_iter().take(4).collect()
            }
        }
    }

    /// What is looked for is here, or a part of the invariant is false.
    fn speaks_against(&self, here: &Here) -> Option<String> {
        let holds = |term: &Term, known: &Known| match term.size() {
            0..=MOST_SIZE => ground(term, known).and_then(|value| value.as_bool()),
            _ => None,
        };
        let known = self.known(here)?;
        let why = match () {
            () if holds(self.target, &known) == Some(true) => "it is there",
            () if self.has_verdict(here) => "it is there",
            () if self.invariant.iter().any(|term| holds(term, &known) == Some(false)) => "the invariant is false",
            () => return None,
        };
        Some(format!("after {} {why}", shown(&here.way)))
    }

    fn has_verdict(&self, here: &Here) -> bool {
        let (Watch::Observer(id), Some(observer)) = (self.watch, &here.observer) else { return false };
        let wanted = match self.instance.model().observers[id.0].polarity {
            Polarity::Never => ObserverVerdict::Bad,
            Polarity::Possible => ObserverVerdict::Good,
        };
        self.instance.observer_verdict(*id, observer) == Some(wanted)
    }

    /// The leaves of the state, as far as they are the system's or an observer's.
    fn known(&self, here: &Here) -> Option<Known> {
        let model = self.instance.model();
        let nothing = Known::new();
        let mut known = Known::new();
        let mut note = |leaf: usize, term: &Term| {
            if let Some(value) = ground(term, &nothing) {
                known.insert(self.layout.leaves[leaf].name.clone(), value);
            }
        };
        for (index, slot) in self.layout.constants.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let value = self.instance.constant(ConstantId(index)).ok()?;
            slot.range.clone().zip(slot.shape.literal(&value)).for_each(|(leaf, term)| note(leaf, &term));
        }
        for (index, slot) in self.layout.variables.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let value = match self.memory(here, index) {
                Some(value) => value,
                None => here.state.variables.get(index)?.as_ref(),
            };
            let leaves = value.map_or_else(|| slot.shape.defaults(), |value| slot.shape.literal(value));
            slot.range.clone().zip(leaves).for_each(|(leaf, term)| note(leaf, &term));
            if let Some(set) = slot.set {
                note(set, &Term::bool(value.is_some()));
            }
        }
        for (component, leaf) in self.layout.places.iter().enumerate() {
            if let (Some(leaf), Some(place)) = (leaf, here.state.locations.get(component).copied().flatten()) {
                note(*leaf, &place_number(place));
            }
        }
        for (leaf, count) in self.layout.objects.iter().zip(&here.state.objects) {
            note(*leaf, &Term::int(i64::from(*count)));
        }
        if let (Some(leaf), Some(observer)) = (self.layout.observer, &here.observer) {
            note(leaf, &Term::int(observer.location as i64));
        }
        debug_assert!(self.layout.variables.len() >= model.state_size());
        Some(known)
    }

    /// What the observer remembers, if the variable is one of its own.
    fn memory<'h>(&self, here: &'h Here, index: usize) -> Option<Option<&'h Value>> {
        let Watch::Observer(ObserverId(id)) = self.watch.inner() else { return None };
        let own = &self.instance.model().observers[*id].variables;
        let place = own.iter().position(|variable| variable.0 == index)?;
        Some(here.observer.as_ref()?.memory.get(place)?.as_ref())
    }
}

fn begins(model: &Model, action: &Action) -> bool {
    match model.discipline {
        Discipline::Asynchronous => true,
        Discipline::Reactive => action.direction != Direction::Output,
        Discipline::Synchronous => action.direction == Direction::Internal,
    }
}

fn with(row: &[Value], value: &Value) -> Vec<Value> {
    [row, std::slice::from_ref(value)].concat()
}

fn shown(way: &[String]) -> String {
    match way.is_empty() {
        true => "the start".into(),
        false => way.join(" "),
    }
}
