//! Rust code in the same process as an implementation, given as two functions: one makes it, one passes an input to it. The
//! fastest way to test, and the one for `cargo test`.

use crate::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_semantics::Event;
use std::collections::VecDeque;
use std::sync::mpsc;
use std::time::Duration;

/// `S` is the system between two resets.
pub struct InProcess<S> {
    hello: Hello,
    make: Box<dyn FnMut(Emitter) -> S + Send>,
    give: Give<S>,
    system: Option<S>,
    receive: mpsc::Receiver<Event>,
    /// Outputs that came before the answer to the last input.
    earlier: VecDeque<Event>,
}

type Give<S> = Box<dyn FnMut(&mut S, &Event) -> Answer + Send>;

/// Says what the system does, from any thread at any time. After the next reset it is silent.
#[derive(Clone)]
pub struct Emitter(mpsc::Sender<Event>);

impl Emitter {
    pub fn emit(&self, event: Event) {
        // Nobody listens to a run that is over.
        let _ = self.0.send(event);
    }
}

impl<S> InProcess<S> {
    /// `make` is called for every reset, after the last system was dropped; `give` passes an input on.
    pub fn new(
        name: &str,
        make: impl FnMut(Emitter) -> S + Send + 'static,
        give: impl FnMut(&mut S, &Event) -> Answer + Send + 'static,
    ) -> InProcess<S> {
        InProcess {
            hello: Hello { name: name.into(), actions: Vec::new() },
            make: Box::new(make),
            give: Box::new(give),
            system: None,
            receive: mpsc::channel().1,
            earlier: VecDeque::new(),
        }
    }
}

impl<S> Implementation for InProcess<S> {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        let (send, receive) = mpsc::channel();
        self.receive = receive;
        self.earlier.clear();
        self.system = None;
        self.system = Some((self.make)(Emitter(send)));
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        self.earlier.extend(self.receive.try_iter());
        match &mut self.system {
            Some(system) => Ok((self.give)(system, event)),
            None => Err(Trouble::out_of_turn("an input was given before the first reset")),
        }
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        if let Some(event) = self.earlier.pop_front() {
            return Ok(Some(Output { event, time: None, before_answer: true }));
        }
        let next = match limit.is_zero() {
            true => self.receive.try_recv().ok(),
            false => self.receive.recv_timeout(limit).ok(),
        };
        Ok(next.map(|event| Output { event, time: None, before_answer: false }))
    }

    fn step(&mut self, _: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        Err(Trouble::new(TroubleKind::Error, "implement the trait `Implementation` for a synchronous system"))
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}
