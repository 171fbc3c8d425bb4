//! What can be searched: something that can be started anew, says what it would take, and takes it.
//!
//! A specification ([`crate::ModelService`]), a service built in Rust ([`crate::Session`]), a process beside its specification
//! ([`crate::Compared`]) and a process alone ([`crate::BlackBox`]) all look like this. Events and labels are small numbers that
//! only their service can read; equal label numbers mean the same thing in all copies of one service.
//!
//! A service that stands at a `collect` node shows the node's shape and can say, without anything being sent, where events
//! would lead; the drivers that do not try all orders need that.

use crate::Problem;
use std::hash::Hash;
use std::rc::Rc;

/// A label with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// A name for a state: equal names mean equal futures.
pub type Snapshot = Box<[u8]>;

pub trait Service {
    /// A partly filled `collect` node, for planning.
    type At: Clone + Eq + Hash;

    /// Brings it into its initial state.
    fn reset(&mut self) -> Result<(), Problem>;

    fn place(&self) -> Place;

    /// What it would take now, label by label, always in the same order.
    fn offers(&mut self) -> Result<&[Offer], Problem>;

    /// Gives it one of the events that it offers.
    fn send(&mut self, event: EventId) -> Result<(), Problem>;

    /// The next run will begin with these events, unless something goes wrong before: they may be passed on together with the
    /// reset. Only a matter of speed. Told before the end of the present run, and told that nothing is known if no run follows.
    fn foresee(&mut self, _events: &[EventId]) {}

    /// A run is over: the last occasion to say that something is wrong. The names of what is violated by what came so late.
    fn end(&mut self) -> Result<Vec<String>, Problem> {
        Ok(Vec::new())
    }

    /// The node, if it stands at a `collect` node.
    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem>;

    /// As far as the present node is filled.
    fn here(&self) -> Self::At;

    /// Where an event would lead; `received` includes it. Nothing is sent.
    fn follow(&mut self, at: &Self::At, received: &Received, event: EventId) -> Result<Landing<Self::At>, Problem>;

    /// Whether a check of the present node would hold if this were received. All events of its signature are there.
    fn holds(&mut self, check: usize, received: &Received) -> Result<bool, Problem>;

    /// `None` if it cannot give one.
    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem>;

    /// A name for what a plan depends on: equal names mean equal plans.
    fn plan_name(&mut self) -> Result<Option<Snapshot>, Problem> {
        self.snapshot()
    }

    fn label(&self, event: EventId) -> LabelId;

    fn show_event(&self, event: EventId) -> String;

    fn show_place(&self, node: u32) -> String;

    /// The names of all that the last event violated and nothing before it; after a reset, what is violated at the start.
    fn violated(&self) -> &[String] {
        &[]
    }

    /// The names of what is violated if nothing more comes: the service rests here, and something that was promised has not
    /// come. A later event may still bring it, so this ends no run.
    fn owed(&mut self) -> Result<Rc<[String]>, Problem> {
        Ok(Rc::default())
    }

    /// What is violated by the last event, or if the run is over here.
    fn broken(&mut self) -> Result<Vec<Problem>, Problem> {
        let violated = self.violated().iter().map(|property| Problem::Violated { property: property.clone() });
        let violated: Vec<Problem> = violated.collect();
        let owed = self.owed()?;
        Ok(violated
            .into_iter()
            .chain(owed.iter().map(|property| Problem::Owed { property: property.clone() }))
            .collect())
    }

    /// What it means that nothing more is taken here.
    fn standstill(&mut self) -> Result<Standstill, Problem> {
        let place = self.place();
        Ok(match place.kind {
            PlaceKind::End | PlaceKind::Hidden => Standstill::Ended,
            PlaceKind::Collect if place.received > 0 => Standstill::Stuck,
            PlaceKind::Collect | PlaceKind::Choice => Standstill::Dead,
        })
    }

    /// What was exchanged before a trouble, if that helps.
    fn evidence(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Where a service stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub node: u32,
    /// Where the last event led by itself; another node than `node` if the service went on from there.
    pub entered: u32,
    pub kind: PlaceKind,
    /// How many events the node has received.
    pub received: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Waits for one event.
    Choice,
    /// Waits for several, in any order.
    Collect,
    /// Nothing happens any more, and that is meant.
    End,
    /// Nobody knows: a process without a specification.
    Hidden,
}

/// What it means that nothing more is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// The end of the service.
    Ended,
    /// Only a correction, or what a setup leaves out, could go on.
    Stuck,
    /// Nothing could, and that is not meant.
    Dead,
}

/// An event that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub event: EventId,
    pub label: LabelId,
    /// The node has received this label before.
    pub correction: bool,
}

/// The shape of a `collect` node. At most 64 slots.
#[derive(Clone, Debug)]
pub struct Collect {
    pub slots: Vec<Slot>,
    pub checks: Vec<CheckShape>,
}

#[derive(Clone, Debug)]
pub struct Slot {
    pub label: LabelId,
    /// One per value.
    pub events: Vec<EventId>,
    /// It was received already.
    pub filled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckShape {
    /// Bit `i`: it needs slot `i`.
    pub signature: u64,
    /// Where a violation leads; without a target the service stays.
    pub target: Option<u32>,
}

/// What would be there: slot by slot, the event, or what the service itself has, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Received(pub Vec<Filling>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filling {
    Nothing,
    /// As the service received it.
    Kept,
    Event(EventId),
}

impl Collect {
    /// What the service has received.
    pub fn received(&self) -> Received {
        let filling = |slot: &Slot| if slot.filled { Filling::Kept } else { Filling::Nothing };
        Received(self.slots.iter().map(filling).collect())
    }
}

impl Received {
    /// Bit `i`: slot `i` is filled.
    pub fn mask(&self) -> u64 {
        let bits = self.0.iter().enumerate().filter(|(_, filling)| **filling != Filling::Nothing);
        bits.fold(0, |mask, (slot, _)| mask | 1 << slot)
    }

    pub fn with(&self, slot: usize, event: EventId) -> Received {
        let mut next = self.clone();
        next.0[slot] = Filling::Event(event);
        next
    }

    /// Everything here is there too.
    pub fn is_part_of(&self, other: &Received) -> bool {
        self.0.iter().zip(&other.0).all(|(own, theirs)| *own == Filling::Nothing || own == theirs)
    }
}

/// Where an event leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landing<A> {
    /// The node waits for more.
    Stay(A),
    Leave {
        node: u32,
    },
    /// The event is not taken there.
    Nowhere,
}
