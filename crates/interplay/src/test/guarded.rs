//! The system on a thread of its own, so that one that hangs is a failure and not the end of the test. A thread cannot be killed: one
//! that hangs is left behind, and the next run has a new one.

use super::inline::Inline;
use super::system::System;
use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_semantics::Event;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A question, to be answered by the system's own thread.
type Question<S> = Box<dyn FnOnce(&mut Inline<S>) + Send>;

pub(crate) struct Guarded<S> {
    hello: Hello,
    mute: bool,
    ask: Sender<Question<S>>,
}

impl<S: System> Guarded<S> {
    pub(crate) fn start(make: impl FnOnce() -> Inline<S> + Send + 'static) -> Result<Guarded<S>, Trouble> {
        let (ask, questions) = channel::<Question<S>>();
        let (tell, told) = channel();
        // The system is made where it is used: it need not be `Send`.
        let work = move || {
            let mut inline = make();
            let _ = tell.send((inline.hello().clone(), inline.knows_rest()));
            questions.into_iter().for_each(|question| question(&mut inline));
        };
        let started = std::thread::Builder::new().name("system under test".into()).spawn(work);
        started.map_err(|error| not_started(&error))?;
        let (hello, mute) = told.recv().map_err(|error| not_started(&error))?;
        Ok(Guarded { hello, mute, ask })
    }

    fn ask<T: Send + 'static>(
        &self,
        what: &str,
        limit: Duration,
        question: impl FnOnce(&mut Inline<S>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (answer, answers): (_, Receiver<Result<T, Trouble>>) = channel();
        let question: Question<S> = Box::new(move |inline| {
            let _ = answer.send(question(inline));
        });
        let gone = || Trouble::new(TroubleKind::Died, "the thread of the system is gone");
        self.ask.send(question).map_err(|_| gone())?;
        match answers.recv_timeout(limit) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                Err(Trouble::new(TroubleKind::NoAnswer, format!("{what} did not return within {limit:?}")))
            }
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }
}

fn not_started(problem: &dyn std::fmt::Display) -> Trouble {
    Trouble::new(TroubleKind::NotStarted, format!("no thread for the system: {problem}"))
}

/// Looking takes no time of the system's own; so much longer than asked is enough for its thread to answer.
const ANSWERS: Duration = Duration::from_secs(5);

impl<S: System> Implementation for Guarded<S> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        self.ask("a new system", limit, move |inline| inline.reset(limit))
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        let event = event.clone();
        self.ask("it", limit, move |inline| inline.input(&event, limit))
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        self.ask("a look at its outputs", limit + ANSWERS, move |inline| inline.observe(limit))
    }

    fn knows_rest(&self) -> bool {
        self.mute
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        let inputs = inputs.to_vec();
        self.ask("a step", limit, move |inline| inline.step(&inputs, limit))
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}
