//! An implementation beside its specification: both get the same events, and after each one what the implementation would take is
//! compared with what the specification takes.
//!
//! It must report everything that is needed, and may report what can be corrected. What a setup leaves out is not held
//! against it.

use crate::Problem;
use crate::external::External;
use crate::model::{Judge, ModelService, Taken};
use crate::service::{Collect, EventId, LabelId, Landing, Offer, Place, Received, Service, Snapshot, Standstill};
use interplay_semantics::{Event, show_event};
use std::collections::BTreeSet;
use std::rc::Rc;

pub struct Compared<'m, J: Judge> {
    specification: ModelService<'m, J>,
    implementation: External<'m>,
}

impl<'m, J: Judge> Compared<'m, J> {
    pub fn new(specification: ModelService<'m, J>, implementation: External<'m>) -> Compared<'m, J> {
        Compared { specification, implementation }
    }

    fn compare_enabled(&mut self) -> Result<(), Problem> {
        let taken = self.specification.taken()?;
        let Taken { needed, optional } = &*taken;
        let reported = self.implementation.enabled()?;
        if needed.is_subset(&reported) && reported.iter().all(|each| needed.contains(each) || optional.contains(each)) {
            return Ok(());
        }
        let actions = &self.specification.instance().model().actions;
        let names = |set: &BTreeSet<usize>| set.iter().map(|action| actions[*action].name.clone()).collect();
        Err(Problem::Enabled { needed: names(needed), optional: names(optional), reported: names(&reported) })
    }

    fn compare_outputs(&self, mut expected: Vec<Event>, mut seen: Vec<Event>) -> Result<(), Problem> {
        expected.sort();
        seen.sort();
        if seen == expected {
            return Ok(());
        }
        let model = self.specification.instance().model();
        let show = |events: Vec<Event>| events.iter().map(|event| show_event(model, event)).collect();
        Err(Problem::Outputs { expected: show(expected), seen: show(seen) })
    }
}

impl<J: Judge> Service for Compared<'_, J> {
    type At = u32;

    fn reset(&mut self) -> Result<(), Problem> {
        self.implementation.reset()?;
        let judged = self.specification.reset();
        self.compare_enabled()?;
        judged
    }

    fn place(&self) -> Place {
        self.specification.place()
    }

    fn offers(&mut self) -> Result<&[Offer], Problem> {
        self.specification.offers()
    }

    fn send(&mut self, event: EventId) -> Result<(), Problem> {
        let expected = self.specification.outputs(event)?;
        let judged = self.specification.send(event);
        let specification = &self.specification;
        self.implementation.give(specification.event(event), || specification.show_event(event))?;
        self.compare_enabled()?;
        let seen = self.implementation.outputs(expected.len())?;
        self.compare_outputs(expected, seen)?;
        judged
    }

    fn violated(&self) -> &[String] {
        self.specification.violated()
    }

    fn owed(&mut self) -> Result<Rc<[String]>, Problem> {
        self.specification.owed()
    }

    fn standstill(&mut self) -> Result<Standstill, Problem> {
        self.specification.standstill()
    }

    fn foresee(&mut self, events: &[EventId]) {
        self.implementation.foresee(events.iter().map(|event| self.specification.event(*event).clone()).collect());
    }

    fn end(&mut self) -> Result<Vec<String>, Problem> {
        let late = self.implementation.late_outputs()?;
        self.compare_outputs(Vec::new(), late)?;
        self.implementation.end()?;
        Ok(Vec::new())
    }

    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem> {
        self.specification.collect()
    }

    fn here(&self) -> u32 {
        self.specification.here()
    }

    fn follow(&mut self, at: &u32, received: &Received, event: EventId) -> Result<Landing<u32>, Problem> {
        self.specification.follow(at, received, event)
    }

    fn holds(&mut self, check: usize, received: &Received) -> Result<bool, Problem> {
        self.specification.holds(check, received)
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem> {
        let (Some(own), Some(theirs)) = (self.specification.snapshot()?, self.implementation.snapshot()?) else {
            return Ok(None);
        };
        Ok(Some([&own[..], theirs.as_bytes()].concat().into()))
    }

    /// Plans are made from the specification alone.
    fn plan_name(&mut self) -> Result<Option<Snapshot>, Problem> {
        self.specification.plan_name()
    }

    fn label(&self, event: EventId) -> LabelId {
        self.specification.label(event)
    }

    fn show_event(&self, event: EventId) -> String {
        self.specification.show_event(event)
    }

    fn show_place(&self, node: u32) -> String {
        self.specification.show_place(node)
    }

    fn evidence(&self) -> Vec<String> {
        self.implementation.evidence()
    }
}
