//! The system on the thread of the tester: a call is a call. The fastest way, and the usual one; what hangs is noticed by whoever
//! watches the thread ([`Watch`]), and tried again behind a [`Guarded`](super::guarded::Guarded).

use super::calls::{Calls, hello};
use super::emitter::Emitter;
use super::panics::{Panicked, caught};
use super::system::{Fault, System, Why};
use super::watch::Watch;
use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_model::Model;
use interplay_semantics::Event;
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Makes a system, which may keep the emitter.
pub(crate) type Maker<S> = Arc<dyn Fn(Emitter) -> S + Send + Sync>;

pub(crate) struct Inline<S> {
    make: Maker<S>,
    calls: Calls,
    hello: Hello,
    /// Nobody has the emitter: what an input causes is there when it returns.
    mute: bool,
    system: Option<S>,
    inbox: Receiver<Json>,
    /// Outputs that came before the answer to the last input.
    earlier: VecDeque<Json>,
    watch: Arc<Watch>,
}

impl<S: System> Inline<S> {
    pub(crate) fn new(make: Maker<S>, mute: bool, model: Arc<Model>, watch: Arc<Watch>) -> Inline<S> {
        let hello = hello(&model, std::any::type_name::<S>(), S::INPUTS);
        let calls = Calls::new(model, S::INPUTS);
        Inline { make, calls, hello, mute, system: None, inbox: channel().1, earlier: VecDeque::new(), watch }
    }

    /// The next output, if it has a name in the specification.
    fn heard(&mut self, said: Json, before_answer: bool) -> Result<Option<Output>, Trouble> {
        match self.calls.output(&said) {
            Ok(event) => Ok(Some(Output { event, time: None, before_answer })),
            Err(problem) => Err(Trouble::new(TroubleKind::Foreign, problem)),
        }
    }
}

impl<S: System> Implementation for Inline<S> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        let (send, receive) = channel();
        self.inbox = receive;
        self.earlier.clear();
        self.calls.begin();
        let _call = self.watch.call(limit);
        let (old, make) = (self.system.take(), &self.make);
        let made = caught(|| {
            drop(old);
            make(Emitter(send))
        });
        self.system = Some(made.map_err(raised)?);
        Ok(())
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        self.earlier.extend(self.inbox.try_iter());
        let Some((number, mut arguments)) = self.calls.call(event) else {
            return Ok(Answer::Refused("the Rust type has no such method".into()));
        };
        let Some(system) = &mut self.system else {
            return Err(Trouble::new(TroubleKind::OutOfTurn, "an input came before the first reset"));
        };
        let call = self.watch.call(limit);
        let given = caught(|| system.give(number, &mut arguments)).map_err(raised)?;
        drop(call);
        match given {
            Ok(given) => {
                let result = self.calls.result(event, &given.0);
                result.map(Answer::Accepted).map_err(|problem| Trouble::new(TroubleKind::Foreign, problem))
            }
            Err(Fault(Why::Refused(reason))) => Ok(Answer::Refused(reason)),
            Err(Fault(Why::Unfit(problem))) => Err(Trouble::new(TroubleKind::Error, problem)),
        }
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        if let Some(said) = self.earlier.pop_front() {
            return self.heard(said, true);
        }
        let next = match limit.is_zero() || self.mute {
            true => self.inbox.try_recv().ok(),
            false => self.inbox.recv_timeout(limit).ok(),
        };
        next.map_or(Ok(None), |said| self.heard(said, false))
    }

    fn knows_rest(&self) -> bool {
        self.mute
    }

    fn step(&mut self, _: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        let message = "a synchronous system takes all inputs of a step at once, which methods cannot: use an adapter (crate interplay-sdk)";
        Err(Trouble::new(TroubleKind::Error, message))
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}

fn raised(panicked: Panicked) -> Trouble {
    Trouble::raised("panic", &panicked.message, &panicked.place)
}
