//! A test without derivation: the states that fit what was seen are kept as a set, so that no bound of lookahead is needed;
//! the observers run beside them, and what can still reach the target is asked of the machine.

use super::complete::complete;
use super::hide::hide;
use super::inputs::{Toss, inputs};
use super::logic::never;
use super::machine::Machine;
use super::select::hope;
use super::suspend::suspend;
use super::unfolded::literal;
use super::update::replace;
use super::watch::{INCONCLUSIVE, watch};
use crate::derive::{
    Derivation, NoTest, Relation, TestVerdict, all_accept, hopes, place_after, place_verdict_of, start_place,
};
use interplay_model::{ComponentId, Expr, ExprKind, ObserverId, VariableId};
use interplay_semantics::{Event, Instance, Label, ModelError, ObserverState, State, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Where a test is: the observers, and the states of the specification that fit (`None` after a failure).
pub type Position = (Option<ObserverState>, Option<BTreeSet<State>>, Option<ObserverState>);

pub struct Tracker<'t> {
    instance: &'t Instance,
    derivation: Derivation,
    position: Position,
    machine: Option<Machine>,
    hope: Option<Hope>,
    /// Where the target can be reached, told exactly, as far as the specification can be unfolded under the setup.
    unfolded: Option<BTreeMap<Position, bool>>,
}

/// More nodes are not unfolded before a test begins.
const MOST_NODES: usize = 5_000;

/// The machine with its observers, and by place the states from which the target may be reached.
struct Hope {
    machine: Machine,
    conditions: Vec<Expr>,
}

impl<'t> Tracker<'t> {
    pub fn new(instance: &'t Instance, derivation: Derivation) -> Result<Tracker<'t>, NoTest> {
        crate::derive::can_be_watched(instance.model(), &derivation)?;
        let position = start_place(instance, &derivation)?;
        let machine = Machine::new(instance.model()).ok();
        let hope = machine.clone().and_then(|machine| {
            let observers: Vec<ObserverId> = [derivation.possible, derivation.never].into_iter().flatten().collect();
            let watched = watch(&complete(hide(suspend(machine).ok()?).ok()?).ok()?, &observers).ok()?;
            let conditions = hope(&watched, derivation.target).ok()?;
            Some(Hope { machine: watched, conditions })
        });
        let unfolded = hopes(instance, &derivation, MOST_NODES);
        Ok(Tracker { instance, derivation, position, machine, hope, unfolded })
    }

    pub fn begin(&mut self) -> Result<(), ModelError> {
        self.position = start_place(self.instance, &self.derivation).map_err(model_error)?;
        Ok(())
    }

    /// The name of the verdict at a position.
    pub fn verdict(&self) -> Option<String> {
        self.verdict_at(&self.position)
    }

    fn verdict_at(&self, position: &Position) -> Option<String> {
        let verdict: TestVerdict = place_verdict_of(self.instance, &self.derivation, position);
        verdict.name().or_else(|| (!self.has_hope(position)).then(|| INCONCLUSIVE.into()))
    }

    pub fn foresee(&self, label: &Label) -> Result<Option<String>, ModelError> {
        Ok(self.verdict_at(&self.after(label)?))
    }

    pub fn see(&mut self, label: &Label) -> Result<(), ModelError> {
        self.position = self.after(label)?;
        Ok(())
    }

    fn after(&self, label: &Label) -> Result<Position, ModelError> {
        place_after(self.instance, &self.derivation, &self.position, label).map_err(model_error)
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        self.position.1.iter().flatten()
    }

    pub fn takes(&self, event: &Event) -> Result<bool, ModelError> {
        let Some(states) = &self.position.1 else { return Ok(false) };
        if self.derivation.relation == Relation::Uioco {
            return all_accept(self.instance, states, event).map_err(model_error);
        }
        for state in states {
            if self.instance.accepts(state, std::slice::from_ref(event))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Inputs that may be given and after which there is hope.
    pub fn inputs(&self, toss: Toss<'_>) -> Result<Vec<Event>, ModelError> {
        let mut found = BTreeSet::new();
        for state in self.states() {
            match (self.instance.enabled_inputs(state), &self.machine) {
                (Ok(inputs), _) => found.extend(inputs),
                (Err(_), Some(machine)) => found.extend(inputs(machine, self.instance, state, toss)),
                (Err(error), None) => return Err(error),
            }
        }
        let mut left = Vec::new();
        for event in found {
            if self.takes(&event)? {
                let after = self.after(&Label::input(event.clone()))?;
                let states = after.1.as_ref().is_some_and(|states| !states.is_empty());
                if states && self.has_hope(&after) {
                    left.push(event);
                }
            }
        }
        Ok(left)
    }

    /// One of the states has an output.
    pub fn expects(&self) -> Result<bool, ModelError> {
        for state in self.states() {
            for step in self.instance.own_steps(state) {
                if step?.label.is_visible() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn has_hope(&self, position: &Position) -> bool {
        if let Some(exactly) = self.unfolded.as_ref().and_then(|unfolded| unfolded.get(position)) {
            return *exactly;
        }
        let (possible, states, never_state) = position;
        let (Some(hope), Some(states)) = (&self.hope, states) else { return true };
        let observers = [(self.derivation.possible, possible), (self.derivation.never, never_state)];
        states.iter().any(|state| hope.at(self.instance, state, &observers))
    }
}

impl Hope {
    fn at(
        &self,
        instance: &Instance,
        state: &State,
        observers: &[(Option<ObserverId>, &Option<ObserverState>)],
    ) -> bool {
        let model = &self.machine.model;
        let location = state.location(ComponentId(0)).map(|id| model.locations[id.0].name.clone());
        let Some(mut name) = location.filter(|_| model.components.len() == 1) else { return true };
        let mut memory: Vec<(VariableId, Value)> = Vec::new();
        for (id, at) in observers {
            let (Some(id), Some(at)) = (id, at) else { continue };
            let observer = &model.observers[id.0];
            name += &format!("_{}", observer.locations[at.location].name);
            let values = observer.variables.iter().zip(&at.memory);
            memory.extend(values.filter_map(|(id, value)| Some((*id, value.clone()?))));
        }
        // A place that the machine does not have is one that it takes for unreachable; better too much hope.
        let Some(place) = self.machine.places.iter().position(|place| place.name == name) else { return true };
        let value = |id: VariableId| {
            let own = memory.iter().find(|(own, _)| *own == id).map(|(_, value)| value.clone());
            own.or_else(|| state.variable(id).cloned())
        };
        let condition = replace(&self.conditions[place], &|part| match part.kind {
            ExprKind::Variable(id) => literal(model, &part.ty, &value(id)?),
            ExprKind::Constant(id) => literal(model, &part.ty, &instance.constant(id).ok()?),
            _ => None,
        });
        !never(model, &condition)
    }
}

fn model_error(why: NoTest) -> ModelError {
    match why {
        NoTest::Model(error) => *error,
        NoTest::Refused(why) => ModelError::new(interplay_diagnostics::Code::M009, None, why),
    }
}
