//! What the setup wants of inputs, and which events and results can be at all.

use crate::context::Context;
use crate::effect::Joint;
use crate::membership::belongs;
use crate::rule::Occasion;
use crate::{Event, Instance, Result, State, Value};
use interplay_model::{ActionId, Direction, LocationKind, RuleId, Trigger, VariableId};
use std::collections::BTreeSet;

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

    /// The inputs of one action that the setup gives here and whose guard holds in some rule, or in this one, where arguments that are
    /// not known run through their domains. Neither effects nor results are looked at, unless the setup says what to `keep`.
    pub fn inputs_of(
        &self,
        state: &State,
        action: ActionId,
        rule: Option<RuleId>,
        args: &[Option<Value>],
    ) -> Vec<Result<Event>> {
        if self.excluded_by_setup(state, action) {
            return Vec::new();
        }
        let occasion = Occasion { trigger: Trigger::Action(action), args, result: None, label: None, driven: true };
        let (mut events, mut found) = (BTreeSet::new(), Vec::new());
        let rules = self.rules_at(state, occasion.trigger).filter(|(id, _)| rule.is_none_or(|rule| rule == *id));
        for (_, rule) in rules {
            for frame in self.bindings(state, rule, occasion) {
                match frame {
                    Ok(frame) => _ = events.insert(frame.into_iter().take(rule.params).flatten().collect()),
                    Err(error) => found.push(Err(error)),
                }
            }
        }
        for args in events {
            let event = Event::new(action, args);
            match self.is_driven_by(state, &event) {
                Ok(true) => found.push(Ok(event)),
                Ok(false) => {}
                Err(error) => found.push(Err(error)),
            }
        }
        found
    }

    /// The setup gives this event, which is one of its type, and keeps a state after it.
    fn is_driven_by(&self, state: &State, event: &Event) -> Result<bool> {
        if !self.is_possible(state, event)? || !self.is_given(state, event)? {
            return Ok(false);
        }
        if self.kept().is_empty() {
            return Ok(true);
        }
        for step in self.outcomes(state, event) {
            if self.all_hold(self.kept(), &step?.target)? {
                return Ok(true);
            }
        }
        Ok(false)
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
