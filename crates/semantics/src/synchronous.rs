//! A step of a synchronous system: a set of input signals goes in, a set of output signals comes out.
//!
//! With rules, the outputs are what the rules emit, and the relations judge them. Without any rule nothing is said about
//! the outputs but the relations: then all sets that keep them are possible, and the state stays as it is.

use crate::effect::Joint;
use crate::rule::Occasion;
use crate::step::Transition;
use crate::{Event, Instance, Label, Result, State};
use interplay_model::Trigger;
use std::collections::BTreeSet;

impl Instance {
    /// The steps for all sets of inputs.
    pub(crate) fn synchronous_steps(&self, state: &State, driven: bool) -> Vec<Result<Transition>> {
        match self.input_sets(state, driven) {
            Ok(sets) => sets.iter().flat_map(|inputs| self.answers(state, inputs)).collect(),
            Err(error) => vec![Err(error)],
        }
    }

    /// What may come of exactly this step: itself, or nothing.
    pub(crate) fn synchronous_step(&self, state: &State, label: &Label) -> Vec<Result<Transition>> {
        let Label::Step { inputs, .. } = label else { return Vec::new() };
        match self.step_is_possible(state, label) {
            Ok(true) if self.outputs_are_free() => match self.check_relations(state, label, &[]) {
                Ok(()) => vec![Ok(Transition::without_rules(label.clone(), state.clone()))],
                // Outputs that nobody promised break a relation by being observed, not by a mistake of the model.
                Err(_) => Vec::new(),
            },
            Ok(true) => self.answers(state, inputs),
            Ok(false) => Vec::new(),
            Err(error) => vec![Err(error)],
        }
    }

    /// The signals carry values of their types, and the inputs may come together.
    pub(crate) fn step_is_possible(&self, state: &State, label: &Label) -> Result<bool> {
        let Label::Step { inputs, .. } = label else { return Ok(false) };
        for event in label.events() {
            if !self.is_possible(state, event)? {
                return Ok(false);
            }
        }
        self.inputs_allowed(state, inputs)
    }

    fn outputs_are_free(&self) -> bool {
        self.model().rules_for(Trigger::Step).next().is_none()
    }

    /// The steps with these inputs.
    pub(crate) fn answers(&self, state: &State, inputs: &[Event]) -> Vec<Result<Transition>> {
        if self.outputs_are_free() {
            let free = |outputs: Vec<Event>| {
                Ok(Transition::without_rules(Label::step(inputs.to_vec(), outputs), state.clone()))
            };
            return match self.output_sets(state, inputs) {
                Ok(sets) => sets.into_iter().map(free).collect(),
                Err(error) => vec![Err(error)],
            };
        }
        let label = Label::step(inputs.to_vec(), []);
        let occasion = Occasion { trigger: Trigger::Step, args: &[], result: None, label: Some(&label), driven: false };
        let step = |joint: Result<Joint>| joint.and_then(|joint| self.emitted(state, inputs, joint));
        self.react(state, occasion).into_iter().map(|joint| step(joint).map_err(|error| error.during(&label))).collect()
    }

    fn emitted(&self, state: &State, inputs: &[Event], joint: Joint) -> Result<Transition> {
        // A signal is present or absent, however often it is said.
        let outputs: BTreeSet<Event> = joint.emitted.iter().map(|(_, event)| event.clone()).collect();
        let label = Label::step(inputs.to_vec(), outputs);
        self.check_relations(state, &label, &joint.emitted).map_err(|error| error.during(&label))?;
        Ok(Transition { label, target: joint.target, rules: joint.rules, used: joint.used })
    }
}
