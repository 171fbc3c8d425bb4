//! An implementation outside: a process that reports which inputs it would take. After any trouble it is started anew.

use crate::Problem;
use interplay_adapter::{Answer, Implementation, Trouble};
use interplay_semantics::Event;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Starts the implementation, or reaches it.
pub type Connect<'e> = dyn Fn() -> Result<Box<dyn Implementation>, Trouble> + Sync + 'e;

pub struct External<'e> {
    connect: &'e Connect<'e>,
    implementation: Option<Box<dyn Implementation>>,
    /// For each answer.
    limit: Duration,
    /// Messages that were answered, of all copies together.
    round_trips: &'e AtomicU64,
    /// The last lines before a trouble.
    evidence: Vec<String>,
}

impl<'e> External<'e> {
    /// Counts in `round_trips` the messages that are answered.
    pub fn new(connect: &'e Connect<'e>, limit: Duration, round_trips: &'e AtomicU64) -> Result<External<'e>, Problem> {
        let implementation = Some(connect()?);
        Ok(External { connect, implementation, limit, round_trips, evidence: Vec::new() })
    }

    pub(crate) fn evidence(&self) -> Vec<String> {
        self.evidence.clone()
    }

    pub(crate) fn reset(&mut self) -> Result<(), Problem> {
        self.evidence.clear();
        if self.implementation.is_none() {
            self.implementation = Some((self.connect)()?);
        }
        self.ask(|implementation, limit| implementation.reset(limit))
    }

    /// Gives an input that must be taken.
    pub(crate) fn give(&mut self, event: &Event, name: impl FnOnce() -> String) -> Result<(), Problem> {
        match self.ask(|implementation, limit| implementation.input(event, limit))? {
            Answer::Accepted(_) => Ok(()),
            Answer::Refused(reason) => Err(Problem::Refused { event: name(), reason }),
        }
    }

    /// The actions that it says it would take.
    pub(crate) fn enabled(&mut self) -> Result<BTreeSet<usize>, Problem> {
        match self.ask(|implementation, limit| implementation.enabled(limit))? {
            Some(events) => Ok(events.into_iter().map(|event| event.action.0).collect()),
            None => Err(Problem::NotAService {
                message: "the implementation does not say which inputs it would take, and systematic testing needs that: give it an `enabled` method (docs/reference/protocol.md)".into(),
            }),
        }
    }

    /// The outputs that have come.
    pub(crate) fn outputs(&mut self) -> Result<Vec<Event>, Problem> {
        let mut outputs = Vec::new();
        while let Some(output) = self.with(|implementation, _| implementation.observe(Duration::ZERO))? {
            outputs.push(output.event);
        }
        Ok(outputs)
    }

    pub(crate) fn snapshot(&mut self) -> Result<Option<String>, Problem> {
        self.with(|implementation, limit| implementation.snapshot(limit))
    }

    fn ask<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Implementation, Duration) -> Result<T, Trouble>,
    ) -> Result<T, Problem> {
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        self.with(work)
    }

    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Implementation, Duration) -> Result<T, Trouble>,
    ) -> Result<T, Problem> {
        let Some(implementation) = &mut self.implementation else {
            return Err(Problem::Crash { message: "the implementation is gone".into() });
        };
        let result = work(implementation.as_mut(), self.limit);
        if result.is_err() {
            self.evidence = implementation.exchange();
            self.implementation = None;
        }
        Ok(result?)
    }
}
