//! Where a system may be, when not everything is seen: sets of states, closed under what cannot be observed.
//!
//! Nothing here asks the setup how to drive: these sets judge what an implementation was seen to do.

use crate::iterate::too_many;
use crate::rule::Occasion;
use crate::{Event, Instance, LIMIT, Label, Result, State, Value};
use interplay_model::{Direction, Discipline, Trigger};
use std::collections::BTreeSet;

impl Instance {
    /// These states and all that internal steps lead to.
    pub fn closure(&self, states: &BTreeSet<State>) -> Result<BTreeSet<State>> {
        let mut closed = states.clone();
        let mut waiting: Vec<State> = states.iter().cloned().collect();
        while let Some(state) = waiting.pop() {
            for transition in self.moves(&state, false, &[Direction::Internal]) {
                let transition = transition?;
                if !transition.label.is_visible() && closed.insert(transition.target.clone()) {
                    waiting.push(transition.target);
                }
            }
            if closed.len() > LIMIT {
                return Err(
                    too_many(self.model().components[0].span).help("divergence: internal actions never end here")
                );
            }
        }
        Ok(closed)
    }

    /// Where the system may be after this step, internal steps before and after it included.
    pub fn after(&self, states: &BTreeSet<State>, label: &Label) -> Result<BTreeSet<State>> {
        let mut next = BTreeSet::new();
        for state in self.closure(states)? {
            next.extend(self.successors(&state, label)?);
        }
        self.closure(&next)
    }

    /// No step at all is possible here, whatever the setup drives. Where nobody can list the steps, there may be one.
    pub fn is_stuck(&self, state: &State) -> bool {
        let all = [Direction::Input, Direction::Output, Direction::Internal];
        self.moves(state, false, &all).is_empty()
    }

    /// The inputs that the setup would give here and that the guards allow, without their results.
    /// In a synchronous system: the signals of the possible sets.
    pub fn enabled_inputs(&self, state: &State) -> Result<BTreeSet<Event>> {
        let mut inputs = BTreeSet::new();
        for transition in self.moves(state, true, &[Direction::Input]) {
            if let Label::Step { inputs: events, .. } = transition?.label {
                inputs.extend(events.into_iter().map(|event| Event { result: None, ..event }));
            }
        }
        Ok(inputs)
    }

    /// The guards allow this input here (in a synchronous system: the relations allow this set of signals), whatever it
    /// returns; the setup is not asked.
    pub fn accepts(&self, state: &State, inputs: &[Event]) -> Result<bool> {
        match (self.model().discipline, inputs) {
            _ if self.is_moved() => {
                let reactions: Result<Vec<_>> = self.reactions(state, inputs).into_iter().collect();
                Ok(!reactions?.is_empty())
            }
            (Discipline::Synchronous, inputs) => self.step_is_possible(state, &Label::step(inputs.to_vec(), [])),
            (_, [input]) => self.is_enabled(state, input),
            _ => Ok(false),
        }
    }

    /// The guard of some rule holds. What comes of it is not asked: a result may be anything that `ensures` allows, and an enabled rule
    /// that allows none is wrong, not disabled.
    fn is_enabled(&self, state: &State, event: &Event) -> Result<bool> {
        if !self.is_possible(state, event)? {
            return Ok(false);
        }
        let args: Vec<Option<Value>> = event.args.iter().cloned().map(Some).collect();
        let trigger = Trigger::Action(event.action);
        let occasion = Occasion { trigger, args: &args, result: None, label: None, driven: false };
        for (_, rule) in self.rules_at(state, trigger) {
            let found: Result<Vec<_>> = self.bindings(state, rule, occasion).into_iter().collect();
            if !found?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
