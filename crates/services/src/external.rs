//! An implementation outside: a process that reports which inputs it would take. After it crashed it is started anew ([`Lasting`]); after
//! it hung, it is waited for longer once.
//!
//! What it would take may not change on its own. It says with its answers what it would take after them, and what it would have taken
//! right before, if that is something else; so a change is seen with the next message, and at the end of a run at the latest.

use crate::Problem;
use interplay_adapter::{Answer, Implementation, Lasting, Trouble, TroubleKind};
use interplay_model::Model;
use interplay_semantics::Event;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Starts the implementation, or reaches it.
pub type Connect<'e> = dyn Fn() -> Result<Box<dyn Implementation>, Trouble> + Sync + 'e;

/// An output of a reaction that does not come for so long does not come.
const PATIENCE: Duration = Duration::from_secs(1);
/// After a hang it is waited for so many times as long.
const LONGER: u32 = 4;

pub struct External<'e> {
    model: &'e Model,
    implementation: Lasting<'e>,
    /// For each answer.
    limit: Duration,
    /// There was no answer in the run before, or there is none now.
    hung: bool,
    /// Messages that were answered, of all copies together.
    round_trips: &'e AtomicU64,
    /// The last lines before a trouble.
    evidence: Vec<String>,
    /// What the next run begins with, if that is known.
    foreseen: Vec<Event>,
    /// It is reset already.
    fresh: bool,
    /// The inputs that it said it would take, if it says so; without arguments, any are meant.
    said: Option<Vec<Event>>,
    /// It says along with its answers what it would take.
    says_along: bool,
    /// It says along with `ready` what it would have taken before.
    says_before: bool,
}

impl<'e> External<'e> {
    /// Counts in `round_trips` the messages that are answered.
    pub fn new(
        connect: &'e Connect<'e>,
        model: &'e Model,
        limit: Duration,
        round_trips: &'e AtomicU64,
    ) -> Result<External<'e>, Problem> {
        let start = move || connect().map(|implementation| implementation as Box<dyn Implementation>);
        Ok(External {
            implementation: Lasting::start(start)?,
            model,
            limit,
            hung: false,
            round_trips,
            evidence: Vec::new(),
            foreseen: Vec::new(),
            fresh: false,
            said: None,
            says_along: false,
            says_before: false,
        })
    }

    pub(crate) fn evidence(&self) -> Vec<String> {
        self.evidence.clone()
    }

    /// What the next run begins with.
    pub(crate) fn foresee(&mut self, events: Vec<Event>) {
        // What was sent ahead already is of no use if something else is to follow.
        self.fresh &= events == self.foreseen;
        self.foreseen = events;
    }

    pub(crate) fn reset(&mut self) -> Result<(), Problem> {
        if std::mem::take(&mut self.fresh) {
            return Ok(());
        }
        self.evidence.clear();
        if self.implementation.ahead() > 0 {
            // What it does with inputs that were sent ahead, after the run ended with a problem, is nobody's fault.
            match self.start_again() {
                Ok(_) => return Ok(()),
                Err(_) => self.evidence.clear(),
            }
        }
        self.start_again().map(drop)
    }

    /// Resets it, and gives what it says it would have taken right before.
    fn start_again(&mut self) -> Result<Option<BTreeSet<usize>>, Problem> {
        // Whoever must be asked what it would take cannot be given several inputs at once.
        let ahead = if self.says_along { std::mem::take(&mut self.foreseen) } else { Vec::new() };
        let done = self.ask(|implementation, limit| {
            implementation.foresee(&ahead);
            implementation.reset(limit)
        });
        done?;
        self.foreseen = ahead;
        let before = self.before()?;
        self.says_before = before.is_some();
        Ok(before)
    }

    /// Gives an input that must be taken.
    pub(crate) fn give(&mut self, event: &Event, name: impl Fn() -> String) -> Result<(), Problem> {
        match self.try_to_give(event, &name)? {
            Answer::Accepted(_) => Ok(()),
            Answer::Refused(reason) => Err(Problem::Refused { event: name(), reason }),
        }
    }

    /// Gives an input that may be refused.
    pub(crate) fn try_to_give(&mut self, event: &Event, name: impl Fn() -> String) -> Result<Answer, Problem> {
        let answer = self.ask(|implementation, limit| implementation.input(event, limit))?;
        if let Some(before) = self.before()? {
            self.compare(before, || Some(name()))?;
        }
        Ok(answer)
    }

    /// The inputs that it says it would take, along with its last answer or asked for them; without arguments, any are meant. `None`
    /// if it does not say.
    pub(crate) fn offers(&mut self) -> Result<Option<&[Event]>, Problem> {
        let along = self.with(|implementation, _| implementation.offered())?;
        self.says_along = along.is_some();
        self.said = match along {
            Some(events) => Some(events),
            None => self.enabled_now()?,
        };
        Ok(self.said.as_deref())
    }

    /// The same by their actions, of one that must say so.
    pub(crate) fn enabled(&mut self) -> Result<BTreeSet<usize>, Problem> {
        self.offers()?.map(actions).ok_or_else(|| Problem::NotAService {
            message: "systematic testing needs the enabled inputs of the implementation: give the adapter an `enabled` method (docs/reference/protocol.md), or use --black-box".into(),
        })
    }

    /// At the end of a run, some time after its last answer, it would still take what it said. If it says so along with `ready`, it is reset
    /// right away, which saves a message.
    pub(crate) fn end(&mut self) -> Result<(), Problem> {
        self.hung = false;
        let now = match (self.says_before, &self.said) {
            (false, None) => return Ok(()),
            (false, Some(_)) => self.enabled_now()?.as_deref().map(actions),
            (true, _) => {
                let before = self.start_again()?;
                self.fresh = true;
                before
            }
        };
        self.compare(now.unwrap_or_default(), || None)
    }

    fn enabled_now(&mut self) -> Result<Option<Vec<Event>>, Problem> {
        self.ask(|implementation, limit| implementation.enabled(limit))
    }

    /// What it would have taken right before the last message, if it says so.
    fn before(&mut self) -> Result<Option<BTreeSet<usize>>, Problem> {
        Ok(self.with(|implementation, _| implementation.offered_before())?.as_deref().map(actions))
    }

    fn compare(&self, now: BTreeSet<usize>, next: impl FnOnce() -> Option<String>) -> Result<(), Problem> {
        let said = self.said.as_deref().map(actions).unwrap_or_default();
        if now == said {
            return Ok(());
        }
        let names = |set: &BTreeSet<usize>| set.iter().map(|action| self.model.actions[*action].name.clone()).collect();
        Err(Problem::Changed { said: names(&said), now: names(&now), next: next() })
    }

    /// The outputs of a reaction. So many are waited for; more are not expected, and are seen if they come together with the answer.
    pub(crate) fn outputs(&mut self, expected: usize) -> Result<Vec<Event>, Problem> {
        let mut outputs = Vec::new();
        let patience = self.limit.min(PATIENCE);
        while outputs.len() < expected
            && let Some(output) = self.with(|implementation, _| implementation.observe(patience))?
        {
            outputs.push(output.event);
        }
        while let Some(output) = self.with(|implementation, _| implementation.observed())? {
            outputs.push(output.event);
        }
        Ok(outputs)
    }

    /// The outputs that have come by now.
    pub(crate) fn late_outputs(&mut self) -> Result<Vec<Event>, Problem> {
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
        let limit = if self.hung { self.limit * LONGER } else { self.limit };
        let result = work(&mut self.implementation, limit);
        if let Err(trouble) = &result {
            self.evidence = self.implementation.exchange();
            self.hung = trouble.kind == TroubleKind::NoAnswer;
        }
        Ok(result?)
    }
}

fn actions(events: &[Event]) -> BTreeSet<usize> {
    events.iter().map(|event| event.action.0).collect()
}
