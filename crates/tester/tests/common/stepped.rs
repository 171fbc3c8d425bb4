//! A synchronous program in process. Steps and resets are counted.

use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_model::Model;
use interplay_semantics::Event;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

pub struct Stepped<'c, S> {
    hello: Hello,
    model: Arc<Model>,
    fresh: S,
    now: S,
    /// The signals of a step, and those of its answer.
    step: fn(&mut S, &[&str]) -> Vec<&'static str>,
    count: &'c Cell<u64>,
}

impl<'c, S: Clone> Stepped<'c, S> {
    pub fn new(
        model: &Arc<Model>,
        fresh: S,
        step: fn(&mut S, &[&str]) -> Vec<&'static str>,
        count: &'c Cell<u64>,
    ) -> Stepped<'c, S> {
        count.set(0);
        Stepped { hello: Hello::default(), model: model.clone(), now: fresh.clone(), fresh, step, count }
    }
}

impl<S: Clone> Implementation for Stepped<'_, S> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        self.now = self.fresh.clone();
        self.count.set(self.count.get() + 1);
        Ok(())
    }

    fn input(&mut self, _: &Event, _: Duration) -> Result<Answer, Trouble> {
        Err(Trouble::new(TroubleKind::Error, "it is synchronous"))
    }

    fn observe(&mut self, _: Duration) -> Result<Option<Output>, Trouble> {
        Ok(None)
    }

    fn step(&mut self, inputs: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        self.count.set(self.count.get() + 1);
        let names: Vec<&str> = inputs.iter().map(|event| &self.model.actions[event.action.0].name[..]).collect();
        let event = |name| Event::new(self.model.action_named(name).expect("a signal"), Vec::new());
        Ok((self.step)(&mut self.now, &names).into_iter().map(event).collect())
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}
