//! A specification played as an implementation: what it may do by itself it does whenever the dice say so, and inputs that
//! it does not take are ignored.

use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_semantics::{Event, Instance, Label, ModelError, State, Transition};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

pub struct Played {
    hello: Hello,
    instance: Instance,
    state: State,
    dice: StdRng,
    /// The outputs of the last reaction that were not heard yet.
    said: Vec<Event>,
}

impl Played {
    pub fn new(instance: &Instance, seed: u64) -> Played {
        let state = instance.initial().expect("it starts").remove(0);
        let hello = Hello { name: "played".into(), actions: Vec::new() };
        Played { hello, instance: instance.clone(), state, dice: StdRng::seed_from_u64(seed), said: Vec::new() }
    }

    fn one(&mut self, steps: Vec<Result<Transition, ModelError>>) -> Result<Option<Label>, Trouble> {
        let wrong = |error: ModelError| Trouble::new(TroubleKind::Error, error.to_string());
        let mut steps = steps.into_iter().collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        if steps.is_empty() {
            return Ok(None);
        }
        let chosen = steps.swap_remove(self.dice.random_range(0..steps.len()));
        self.state = chosen.target;
        Ok(Some(chosen.label))
    }
}

impl Implementation for Played {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        let mut initial = self.instance.initial().expect("it starts");
        self.state = initial.swap_remove(self.dice.random_range(0..initial.len()));
        self.said.clear();
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        let steps = self.instance.reactions(&self.state, std::slice::from_ref(event));
        let Some(Label::Step { inputs, outputs }) = self.one(steps)? else { return Ok(Answer::Accepted(None)) };
        self.said.extend(outputs);
        Ok(Answer::Accepted(inputs[0].result.clone()))
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        let output = |event| Some(Output { event, time: None, before_answer: false });
        if !self.said.is_empty() {
            return Ok(output(self.said.remove(0)));
        }
        while !limit.is_zero() || self.dice.random_range(0..2) == 0 {
            let steps = self.instance.own_steps(&self.state);
            match self.one(steps)? {
                None => return Ok(None),
                Some(Label::Step { outputs, .. }) if !outputs.is_empty() => {
                    self.said.extend(outputs);
                    return Ok(output(self.said.remove(0)));
                }
                Some(_) => {}
            }
        }
        Ok(None)
    }

    fn step(&mut self, inputs: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        let steps = self.instance.reactions(&self.state, inputs);
        match self.one(steps)? {
            Some(Label::Step { outputs, .. }) => Ok(outputs),
            _ => Ok(Vec::new()),
        }
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}
