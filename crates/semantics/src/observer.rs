//! A watching automaton: it reads labels and the states after them, keeps its own variables, and never gets in the way.

use crate::bind::solutions;
use crate::context::{Context, Frame, Memory};
use crate::execute::Execution;
use crate::membership::check_range;
use crate::{Event, Instance, Label, ModelError, Result, State, Value};
use interplay_diagnostics::Code;
use interplay_model::{Discipline, Observer, ObserverId, ObserverRule, ObserverTrigger, ObserverVerdict};
use std::collections::BTreeSet;

/// Where an observer is, and what it remembers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverState {
    /// An index of [`Observer::locations`].
    pub location: usize,
    /// By the order of [`Observer::variables`].
    pub memory: Vec<Option<Value>>,
}

impl Instance {
    /// Where an observer starts, beside an initial state of the system.
    pub fn observer_start(&self, id: ObserverId, state: &State) -> Result<ObserverState> {
        let observer = &self.model().observers[id.0];
        let mut memory: Frame = vec![None; observer.variables.len()];
        for (index, id) in observer.variables.iter().enumerate() {
            let variable = &self.model().variables[id.0];
            let Some(closed) = &variable.value else { continue };
            let mut context = Context::new(self, state, &closed.locals);
            context.memory = Memory { variables: &observer.variables, values: memory.clone() };
            let value = context.evaluate(&closed.expr)?;
            check_range(self, &variable.ty, &value, &variable.name, variable.span)?;
            memory[index] = Some(value);
        }
        Ok(ObserverState { location: observer.start, memory })
    }

    /// Where it is after a step into `state`. What it does not mention leaves it where it is; so does everything once it
    /// has a verdict.
    pub fn observer_step(
        &self,
        id: ObserverId,
        from: &ObserverState,
        label: &Label,
        state: &State,
    ) -> Result<ObserverState> {
        let observer = &self.model().observers[id.0];
        if self.observer_verdict(id, from).is_some() {
            return Ok(from.clone());
        }
        let mut next = BTreeSet::new();
        for rule in observer.rules.iter().filter(|rule| rule.from == from.location) {
            for event in self.occasions(rule, label) {
                next.extend(
                    self.observe(observer, from, rule, event, (label, state)).map_err(|error| error.during(label))?,
                );
            }
        }
        match next.len() {
            0 => Ok(from.clone()),
            1 => Ok(next.pop_first().expect("there is one")),
            _ => {
                let location = &observer.locations[from.location];
                let message = format!("the observer `{}` is not deterministic at `{}`", observer.name, location.name);
                Err(ModelError::new(Code::S006, location.span, message).during(label))
            }
        }
    }

    /// What it has decided, if it has; it then stays there.
    pub fn observer_verdict(&self, id: ObserverId, at: &ObserverState) -> Option<ObserverVerdict> {
        self.model().observers[id.0].locations[at.location].verdict
    }

    /// The events of the step that the rule waits for; `None` stands for the step as a whole.
    fn occasions<'l>(&self, rule: &ObserverRule, label: &'l Label) -> Vec<Option<&'l Event>> {
        let happens = match rule.trigger {
            ObserverTrigger::Action(action) => {
                return label.events().filter(|event| event.action == action).map(Some).collect();
            }
            ObserverTrigger::Silence => *label == Label::Silence,
            ObserverTrigger::Any => label.is_visible(),
            ObserverTrigger::Step => label.is_visible() && self.model().discipline == Discipline::Synchronous,
        };
        if happens { vec![None] } else { Vec::new() }
    }

    /// Where the rule leads, if its guard holds.
    fn observe(
        &self,
        observer: &Observer,
        from: &ObserverState,
        rule: &ObserverRule,
        event: Option<&Event>,
        (label, state): (&Label, &State),
    ) -> Result<Option<ObserverState>> {
        let mut context = Context::new(self, state, &rule.locals);
        context.label = Some(label);
        context.memory = Memory { variables: &observer.variables, values: from.memory.clone() };
        if let Some(event) = event {
            let values: Vec<Value> = event.args.iter().chain(&event.result).cloned().collect();
            context.give(&values);
        }
        let frames = solutions(&mut context, &rule.guard.iter().collect::<Vec<_>>(), &[]);
        let Some(frame) = frames.into_iter().next().transpose()? else { return Ok(None) };
        context.frame = frame;
        Execution::default().run(&mut context, &rule.body)?;
        Ok(Some(ObserverState { location: rule.target, memory: context.memory.values }))
    }
}
