//! A service together with what watches it: safety properties over its events, written in Rust.
//!
//! ```
//! use interplay_services::{Config, END, Graph, Monitor, Problem, Watched, search};
//! let mut graph: Graph<(), u8> = Graph::new(|| ());
//! let (knock, enter) = (graph.signal("knock"), graph.signal("enter"));
//! let door = graph.choice("Door");
//! graph.start(door);
//! graph.on(door, knock).goto(door);
//! graph.on(door, enter).goto(END);
//! let polite = || Monitor::new("polite", false, move |knocked: &mut bool, label| {
//!     *knocked |= label == knock;
//!     label == enter && !*knocked
//! });
//! let make = || Ok(Watched::new(graph.session(), vec![Box::new(polite())]));
//! let outcome = search(&make, &Config::default());
//! assert_eq!(outcome.findings[0].problem, Problem::Violated { property: "polite".into() });
//! assert_eq!(outcome.findings[0].events.last().unwrap(), "enter");
//! ```

use crate::Problem;
use crate::service::{Collect, EventId, LabelId, Landing, Offer, Place, Received, Service, Snapshot, Standstill};
use std::fmt::Debug;
use std::rc::Rc;

pub trait Watch {
    fn reset(&mut self);

    /// Sees an event that was taken; the name of what is violated by it, if something is.
    fn see(&mut self, label: LabelId, event: EventId) -> Option<String>;

    /// A text that means the same future.
    fn memory(&self) -> String;
}

pub struct Watched<S> {
    service: S,
    watches: Vec<Box<dyn Watch>>,
    /// By watch: it has found something in this run.
    told: Vec<bool>,
    violated: Vec<String>,
}

impl<S: Service> Watched<S> {
    pub fn new(service: S, watches: Vec<Box<dyn Watch>>) -> Watched<S> {
        Watched { service, watches, told: Vec::new(), violated: Vec::new() }
    }
}

/// A small automaton: its memory, and a function that says for each label whether it violates the property.
pub struct Monitor<M, F> {
    name: String,
    start: M,
    now: M,
    step: F,
}

impl<M: Clone + Debug, F: FnMut(&mut M, LabelId) -> bool> Monitor<M, F> {
    pub fn new(name: &str, start: M, step: F) -> Monitor<M, F> {
        Monitor { name: name.into(), now: start.clone(), start, step }
    }
}

impl<M: Clone + Debug, F: FnMut(&mut M, LabelId) -> bool> Watch for Monitor<M, F> {
    fn reset(&mut self) {
        self.now = self.start.clone();
    }

    fn see(&mut self, label: LabelId, _: EventId) -> Option<String> {
        (self.step)(&mut self.now, label).then(|| self.name.clone())
    }

    fn memory(&self) -> String {
        format!("{:?}", self.now)
    }
}

impl<S: Service> Service for Watched<S> {
    type At = S::At;

    fn reset(&mut self) -> Result<(), Problem> {
        self.watches.iter_mut().for_each(|watch| watch.reset());
        self.told = vec![false; self.watches.len()];
        self.service.reset()?;
        self.violated = self.service.violated().to_vec();
        Ok(())
    }

    fn place(&self) -> Place {
        self.service.place()
    }

    fn offers(&mut self) -> Result<&[Offer], Problem> {
        self.service.offers()
    }

    fn send(&mut self, event: EventId) -> Result<(), Problem> {
        self.service.send(event)?;
        let label = self.service.label(event);
        self.violated = self.service.violated().to_vec();
        for (watch, told) in self.watches.iter_mut().zip(&mut self.told) {
            let seen = watch.see(label, event);
            // Once in a run.
            self.violated.extend(seen.filter(|_| !std::mem::replace(told, true)));
        }
        Ok(())
    }

    fn violated(&self) -> &[String] {
        &self.violated
    }

    fn owed(&mut self) -> Result<Rc<[String]>, Problem> {
        self.service.owed()
    }

    fn standstill(&mut self) -> Result<Standstill, Problem> {
        self.service.standstill()
    }

    fn foresee(&mut self, events: &[EventId]) {
        self.service.foresee(events);
    }

    fn end(&mut self) -> Result<Vec<String>, Problem> {
        self.service.end()
    }

    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem> {
        self.service.collect()
    }

    fn here(&self) -> S::At {
        self.service.here()
    }

    fn follow(&mut self, at: &S::At, received: &Received, event: EventId) -> Result<Landing<S::At>, Problem> {
        self.service.follow(at, received, event)
    }

    fn holds(&mut self, check: usize, received: &Received) -> Result<bool, Problem> {
        self.service.holds(check, received)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem> {
        let Some(snapshot) = self.service.snapshot()? else { return Ok(None) };
        let mut bytes = snapshot.into_vec();
        for watch in &self.watches {
            bytes.push(0);
            bytes.extend(watch.memory().into_bytes());
        }
        Ok(Some(bytes.into()))
    }

    fn plan_name(&mut self) -> Result<Option<Snapshot>, Problem> {
        self.service.plan_name()
    }

    fn label(&self, event: EventId) -> LabelId {
        self.service.label(event)
    }

    fn show_event(&self, event: EventId) -> String {
        self.service.show_event(event)
    }

    fn show_place(&self, node: u32) -> String {
        self.service.show_place(node)
    }

    fn evidence(&self) -> Vec<String> {
        self.service.evidence()
    }
}
