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
    /// It is reset already.
    fresh: bool,
    /// What it would have taken right before the reset, as it said with `ready`.
    before: Option<Vec<Event>>,
    says_before: bool,
}

impl<'e> External<'e> {
    /// Counts in `round_trips` the messages that are answered.
    pub fn new(connect: &'e Connect<'e>, limit: Duration, round_trips: &'e AtomicU64) -> Result<External<'e>, Problem> {
        let implementation = Some(connect()?);
        Ok(External {
            connect,
            implementation,
            limit,
            round_trips,
            evidence: Vec::new(),
            fresh: false,
            before: None,
            says_before: false,
        })
    }

    pub(crate) fn evidence(&self) -> Vec<String> {
        self.evidence.clone()
    }

    pub(crate) fn reset(&mut self) -> Result<(), Problem> {
        if std::mem::take(&mut self.fresh) {
            return Ok(());
        }
        self.evidence.clear();
        if self.implementation.is_none() {
            self.implementation = Some((self.connect)()?);
        }
        self.start_again()
    }

    fn start_again(&mut self) -> Result<(), Problem> {
        self.ask(|implementation, limit| implementation.reset(limit))?;
        self.before = self.with(|implementation, _| implementation.offered_before())?;
        self.says_before = self.before.is_some();
        Ok(())
    }

    /// Gives an input that must be taken.
    pub(crate) fn give(&mut self, event: &Event, name: impl FnOnce() -> String) -> Result<(), Problem> {
        match self.ask(|implementation, limit| implementation.input(event, limit))? {
            Answer::Accepted(_) => Ok(()),
            Answer::Refused(reason) => Err(Problem::Refused { event: name(), reason }),
        }
    }

    /// The actions that it says it would take: along with its last answer, or asked for them.
    pub(crate) fn enabled(&mut self) -> Result<BTreeSet<usize>, Problem> {
        match self.with(|implementation, _| implementation.offered())? {
            Some(events) => Ok(actions(events)),
            None => self.enabled_now(),
        }
    }

    /// The actions that it says it would take at the end of a run, some time after its last answer: it may have changed on its own. If it
    /// says so along with `ready`, it is reset right away, which saves a message.
    pub(crate) fn enabled_at_end(&mut self) -> Result<BTreeSet<usize>, Problem> {
        if !self.says_before {
            return self.enabled_now();
        }
        self.start_again()?;
        self.fresh = true;
        Ok(actions(self.before.take().unwrap_or_default()))
    }

    fn enabled_now(&mut self) -> Result<BTreeSet<usize>, Problem> {
        match self.ask(|implementation, limit| implementation.enabled(limit))? {
            Some(events) => Ok(actions(events)),
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

fn actions(events: Vec<Event>) -> BTreeSet<usize> {
    events.into_iter().map(|event| event.action.0).collect()
}
