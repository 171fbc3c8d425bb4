//! An implementation that outlives its crashes: after the conversation broke down, the next reset starts it again.
//!
//! It also knows what never started: one that breaks down before it was ready once is [`TroubleKind::NotStarted`], whatever happened, because
//! then there was no run to judge. One that was ready and breaks down at a later reset broke in the run before, or between the two.

use crate::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_semantics::Event;
use std::time::Duration;

/// Starts the implementation, or reaches it.
type Start<'l> = Box<dyn FnMut() -> Result<Box<dyn Implementation + 'l>, Trouble> + 'l>;

pub struct Lasting<'l> {
    start: Start<'l>,
    present: Box<dyn Implementation + 'l>,
    hello: Hello,
    /// The present one was ready once.
    ready: bool,
    /// The conversation with the present one is over.
    over: bool,
    starts: u64,
}

impl<'l> Lasting<'l> {
    /// Starts it for the first time.
    pub fn start(
        mut start: impl FnMut() -> Result<Box<dyn Implementation + 'l>, Trouble> + 'l,
    ) -> Result<Lasting<'l>, Trouble> {
        let present = start().map_err(never_started)?;
        Ok(Lasting {
            hello: present.hello().clone(),
            start: Box::new(start),
            present,
            ready: false,
            over: false,
            starts: 1,
        })
    }

    fn noted<T>(&mut self, result: Result<T, Trouble>) -> Result<T, Trouble> {
        self.over |= result.as_ref().is_err_and(|trouble| trouble.kind.ends_the_conversation());
        result
    }
}

impl Implementation for Lasting<'_> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        if self.over {
            self.present = (self.start)().map_err(never_started)?;
            (self.ready, self.over, self.starts) = (false, false, self.starts + 1);
        }
        let reset = self.present.reset(limit);
        let reset = self.noted(reset);
        if !self.ready {
            reset.map_err(|trouble| Trouble { exchange: self.present.exchange(), ..never_started(trouble) })?;
            self.ready = true;
            return Ok(());
        }
        reset
    }

    fn start_anew(&mut self) {
        self.over = true;
    }

    fn starts(&self) -> u64 {
        self.starts
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        let answer = self.present.input(event, limit);
        self.noted(answer)
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        let output = self.present.observe(limit);
        self.noted(output)
    }

    fn observed(&mut self) -> Result<Option<Output>, Trouble> {
        let output = self.present.observed();
        self.noted(output)
    }

    fn foresee(&mut self, events: &[Event]) {
        self.present.foresee(events);
    }

    fn ahead(&self) -> usize {
        self.present.ahead()
    }

    fn knows_rest(&self) -> bool {
        self.present.knows_rest()
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        let outputs = self.present.step(inputs, limit);
        self.noted(outputs)
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        let events = self.present.enabled(limit);
        self.noted(events)
    }

    fn offered(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        let events = self.present.offered();
        self.noted(events)
    }

    fn offered_before(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        let events = self.present.offered_before();
        self.noted(events)
    }

    fn snapshot(&mut self, limit: Duration) -> Result<Option<String>, Trouble> {
        let state = self.present.snapshot(limit);
        self.noted(state)
    }

    fn exchange(&self) -> Vec<String> {
        self.present.exchange()
    }
}

/// Where no run has begun, only the adapter can say that it is not its fault.
fn never_started(trouble: Trouble) -> Trouble {
    match trouble.kind.is_a_crash() {
        true => Trouble { kind: TroubleKind::NotStarted, ..trouble },
        false => trouble,
    }
}
