//! A conversation with a service, as an interface leads it: prompts, several events at once, and going back.
//!
//! Events that the service does not take yet wait until it does, so a user may say several things at once (lookahead). Going
//! back starts the service anew and repeats what was said before the earlier node, so it works for every service that
//! can be reset; one that acts on the outside world acts again.

use crate::Problem;
use crate::service::{EventId, LabelId, Offer, Service};

pub struct Conversation<S> {
    service: S,
    /// What the service has taken, with the number of the visit of a node in which it did.
    taken: Vec<(EventId, usize)>,
    /// What it does not take yet.
    waiting: Vec<EventId>,
    visit: usize,
}

/// What the service asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    pub needed: Vec<LabelId>,
    /// What was given already and can be corrected.
    pub optional: Vec<LabelId>,
}

impl<S: Service> Conversation<S> {
    pub fn new(mut service: S) -> Result<Conversation<S>, Problem> {
        service.reset()?;
        Ok(Conversation { service, taken: Vec::new(), waiting: Vec::new(), visit: 0 })
    }

    pub fn service(&self) -> &S {
        &self.service
    }

    pub fn prompts(&mut self) -> Result<Prompts, Problem> {
        let mut prompts = Prompts::default();
        for Offer { label, correction, .. } in self.service.offers()? {
            let list = if *correction { &mut prompts.optional } else { &mut prompts.needed };
            if !list.contains(label) {
                list.push(*label);
            }
        }
        Ok(prompts)
    }

    /// Gives several events at once. Returns what was taken, in the order in which the service took it.
    pub fn give(&mut self, events: &[EventId]) -> Result<Vec<EventId>, Problem> {
        self.waiting.extend(events);
        let before = self.taken.len();
        while let Some(index) = self.next_taken()? {
            let event = self.waiting.remove(index);
            self.take(event)?;
        }
        Ok(self.taken[before..].iter().map(|(event, _)| *event).collect())
    }

    /// What waits for the service to take it.
    pub fn waiting(&self) -> &[EventId] {
        &self.waiting
    }

    /// Forgets what waits.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Returns to the beginning of this visit of a node, or, if nothing was given in it, of the one before it. Says whether
    /// there was one.
    pub fn back(&mut self) -> Result<bool, Problem> {
        let Some((_, visit)) = self.taken.last().copied() else { return Ok(false) };
        let kept: Vec<EventId> =
            self.taken.iter().filter(|(_, other)| *other < visit).map(|(event, _)| *event).collect();
        self.waiting.clear();
        self.taken.clear();
        self.visit = 0;
        self.service.reset()?;
        kept.into_iter().try_for_each(|event| self.take(event))?;
        Ok(true)
    }

    /// The first event that waits and is taken now: one that is needed before one that corrects.
    fn next_taken(&mut self) -> Result<Option<usize>, Problem> {
        let offers = self.service.offers()?;
        let find = |correction: bool| {
            self.waiting
                .iter()
                .position(|event| offers.iter().any(|offer| offer.event == *event && offer.correction == correction))
        };
        Ok(find(false).or_else(|| find(true)))
    }

    fn take(&mut self, event: EventId) -> Result<(), Problem> {
        let before = self.service.place();
        self.taken.push((event, self.visit));
        self.service.send(event)?;
        let after = self.service.place();
        if after.node != before.node || after.received == 0 {
            self.visit += 1;
        }
        Ok(())
    }
}
