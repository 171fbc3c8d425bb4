//! What the setup wants of inputs, and which events and results can be at all.

use crate::context::Context;
use crate::effect::Joint;
use crate::membership::belongs;
use crate::{Event, Instance, Result, State, Value};
use interplay_model::{ActionId, Direction, LocationKind, VariableId};

impl Instance {
    /// `without`, or `overwrites none` for what a `collect` node has already received.
    pub(crate) fn excluded_by_setup(&self, state: &State, action: ActionId) -> bool {
        self.is_excluded(action) || self.forbids_corrections() && self.is_correction(state, action)
    }

    /// A `collect` node at which a component stands has received this event before.
    pub fn is_correction(&self, state: &State, action: ActionId) -> bool {
        let received = |variable: VariableId| matches!(state.variable(variable), Some(Value::Option(Some(_))));
        state.locations.iter().flatten().any(|location| match self.model().locations[location.0].kind {
            LocationKind::Collect(node) => {
                let events = &self.model().nodes[node.0].events;
                events.iter().any(|event| event.action == action && received(event.received))
            }
            _ => false,
        })
    }

    /// All `limit`s of the setup for this input hold.
    pub(crate) fn within_limits(&self, state: &State, event: &Event) -> Result<bool> {
        for limit in self.limits_of(event.action) {
            let mut context = Context::new(self, state, &limit.locals);
            context.give(&event.args);
            if !context.holds(&limit.condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The setup gives this event, if it is an input, in this state: its `without`, domains and limits allow it.
    pub fn is_given(&self, state: &State, event: &Event) -> Result<bool> {
        let action = &self.model().actions[event.action.0];
        if action.direction != Direction::Input {
            return Ok(true);
        }
        if self.excluded_by_setup(state, event.action) || !self.within_limits(state, event)? {
            return Ok(false);
        }
        for (index, value) in event.args.iter().enumerate() {
            if !self.admits(event.action, index, value, state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The arguments lie in the types of the parameters.
    pub(crate) fn is_possible(&self, state: &State, event: &Event) -> Result<bool> {
        for (param, value) in self.model().actions[event.action.0].params.iter().zip(&event.args) {
            if !belongs(self, &param.ty, value, state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The results of a reaction: the one that was observed or that the rules agree on; if no rule says anything about
    /// it, any of the type.
    pub(crate) fn results(&self, event: &Event, joint: &Joint) -> Result<Vec<Option<Value>>> {
        let action = &self.model().actions[event.action.0];
        let Some(ty) = &action.result else { return Ok(vec![None]) };
        let known = joint.answer.value().or(event.result.as_ref());
        match known {
            Some(value) if belongs(self, ty, value, &joint.target)? => Ok(vec![Some(value.clone())]),
            Some(_) => Ok(Vec::new()),
            None => {
                let values = self.values_of(ty, &joint.target, "result", action.span)?;
                Ok(values.into_iter().map(Some).collect())
            }
        }
    }
}
