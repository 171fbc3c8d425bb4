//! One conversation with a service built in Rust.
//!
//! A panic of a predicate or an action is a crash of the service, reported like any other finding.

use crate::Problem;
use crate::graph::{Action, Condition, Got, Graph, Kind, NodeId};
use crate::service::{
    CheckShape, Collect, EventId, Filling, LabelId, Landing, Offer, Place, PlaceKind, Received, Service, Slot, Snapshot,
};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Events with values that people said are numbered from here on.
const HEARD: u32 = 1 << 31;

pub struct Session<'g, D, V> {
    graph: &'g Graph<D, V>,
    data: D,
    node: NodeId,
    /// Where the last event led, before tests.
    entered: NodeId,
    /// By slot of the node, the number of the value plus one; zero for nothing.
    filled: Vec<u32>,
    /// What people said, beyond the values of the labels, with its label.
    heard: Vec<V>,
    heard_labels: Vec<LabelId>,
    offers: Vec<Offer>,
    offered: bool,
}

impl<D, V: Debug> Graph<D, V> {
    pub fn session(&self) -> Session<'_, D, V> {
        let data = (self.make)();
        Session {
            graph: self,
            data,
            node: self.start,
            entered: self.start,
            filled: Vec::new(),
            heard: Vec::new(),
            heard_labels: Vec::new(),
            offers: Vec::new(),
            offered: false,
        }
    }

    pub(crate) fn event(&self, event: EventId) -> (LabelId, usize) {
        let after = self.labels.partition_point(|label| label.first <= event.0);
        let label = after - 1;
        (LabelId(label as u32), (event.0 - self.labels[label].first) as usize)
    }

    /// The event of a label with a value by its number.
    pub fn event_of(&self, label: LabelId, value: usize) -> EventId {
        EventId(self.labels[label.0 as usize].first + value as u32)
    }
}

impl<'g, D, V: Debug> Session<'g, D, V> {
    pub fn data(&self) -> &D {
        &self.data
    }

    pub(crate) fn graph(&self) -> &'g Graph<D, V> {
        self.graph
    }

    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    pub(crate) fn filled(&self) -> &[u32] {
        &self.filled
    }

    /// An event with a value of its own.
    pub(crate) fn hear(&mut self, label: LabelId, value: V) -> EventId {
        self.heard.push(value);
        self.heard_labels.push(label);
        EventId(HEARD + self.heard.len() as u32 - 1)
    }

    /// The label of an event, and the number of its value.
    fn decode(&self, event: EventId) -> (LabelId, usize) {
        match event.0.checked_sub(HEARD) {
            None => self.graph.event(event),
            Some(heard) => {
                let label = self.heard_labels[heard as usize];
                (label, (self.graph.labels[label.0 as usize].events() + heard) as usize)
            }
        }
    }

    fn show(&self, event: EventId) -> String {
        let (label, value) = self.decode(event);
        let (slots, filled) = ([label], [value as u32 + 1]);
        let name = &self.graph.labels[label.0 as usize].name;
        match self.got(&slots, &filled).get(label) {
            Some(value) => format!("{name}({value:?})"),
            None => name.clone(),
        }
    }

    fn kind(&self) -> &Kind<D, V> {
        &self.graph.nodes[self.node.0 as usize].kind
    }

    fn allows(&self, condition: &Option<Condition<D, V>>, slots: &[LabelId], filled: &[u32]) -> bool {
        condition.as_ref().is_none_or(|condition| condition(&self.data, &self.got(slots, filled)))
    }

    pub(crate) fn got<'s>(&'s self, slots: &'s [LabelId], filled: &'s [u32]) -> Got<'s, V> {
        Got { labels: &self.graph.labels, slots, filled, heard: &self.heard }
    }

    fn act<'a>(&mut self, actions: impl IntoIterator<Item = &'a Action<D, V>>, slots: &[LabelId], filled: &[u32])
    where
        D: 'a,
        V: 'a,
    {
        let got = Got { labels: &self.graph.labels, slots, filled, heard: &self.heard };
        actions.into_iter().for_each(|action| action(&mut self.data, &got));
    }

    /// Leaves the present node and enters another, and goes on through tests.
    fn go(&mut self, target: NodeId, slots: &[LabelId], filled: &[u32]) {
        let graph = self.graph;
        self.act(&graph.nodes[self.node.0 as usize].exit, slots, filled);
        self.node = target;
        self.filled.clear();
        self.enter(slots, filled);
    }

    /// Every test leads to a node that waits, or to the end.
    fn enter(&mut self, slots: &[LabelId], filled: &[u32]) {
        let graph = self.graph;
        self.entered = self.node;
        loop {
            let node = &graph.nodes[self.node.0 as usize];
            self.act(&node.entry, slots, filled);
            let Kind::Test { condition, yes, no } = &node.kind else { break };
            let chosen = condition(&self.data, &self.got(slots, filled));
            self.act(&node.exit, slots, filled);
            self.node = if chosen { *yes } else { *no };
        }
        if let Kind::Collect { slots, .. } = &graph.nodes[self.node.0 as usize].kind {
            self.filled.resize(slots.len(), 0);
        }
    }

    fn take(&mut self, event: EventId) -> Result<(), Problem> {
        let graph = self.graph;
        let (label, value) = self.decode(event);
        let given = value as u32 + 1;
        match &graph.nodes[self.node.0 as usize].kind {
            Kind::Choice(edges) => {
                let fits = edges.iter().filter(|edge| edge.label == label);
                let mut fits = fits.filter(|edge| self.allows(&edge.when, &[label], &[given]));
                let Some(edge) = fits.next() else { return Err(self.refused(event)) };
                self.act(&edge.action, &[label], &[given]);
                self.go(edge.target, &[label], &[given]);
                Ok(())
            }
            Kind::Collect { slots, .. } => {
                let Some(slot) = slots.iter().position(|slot| *slot == label) else { return Err(self.refused(event)) };
                self.filled[slot] = given;
                let (action, target) = match self.judge(&self.filled) {
                    Judged::Wait => {
                        self.entered = self.node;
                        return Ok(());
                    }
                    Judged::Violated(target) => (&None, target),
                    Judged::Done(action, target) => (action, target),
                };
                let filled = std::mem::take(&mut self.filled);
                self.act(action, slots, &filled);
                self.go(target, slots, &filled);
                Ok(())
            }
            Kind::End | Kind::Test { .. } => Err(self.refused(event)),
        }
    }

    fn refused(&self, event: EventId) -> Problem {
        let place = &self.graph.nodes[self.node.0 as usize].name;
        Problem::Refused { event: self.show(event), reason: format!("`{place}` does not wait for this event") }
    }

    /// What the present `collect` node makes of this.
    fn judge(&self, filled: &[u32]) -> Judged<'g, D, V> {
        let node = &self.graph.nodes[self.node.0 as usize];
        let Kind::Collect { slots, checks, done } = &node.kind else { return Judged::Wait };
        let there = filled.iter().enumerate().fold(0u64, |mask, (slot, value)| mask | u64::from(*value > 0) << slot);
        let got = self.got(slots, filled);
        let judged = checks.iter().filter(|check| check.signature & !there == 0);
        for check in judged {
            if !(check.condition)(&self.data, &got) {
                return check.target.map_or(Judged::Wait, Judged::Violated);
            }
        }
        if filled.contains(&0) {
            return Judged::Wait;
        }
        let done = done.iter().find(|done| self.allows(&done.when, slots, filled));
        done.map_or(Judged::Wait, |done| Judged::Done(&done.action, done.target))
    }

    fn filled_with(&self, received: &Received) -> Vec<u32> {
        let value = |(slot, filling): (usize, &Filling)| match filling {
            Filling::Nothing => 0,
            Filling::Kept => self.filled[slot],
            Filling::Event(event) => self.graph.event(*event).1 as u32 + 1,
        };
        received.0.iter().enumerate().map(value).collect()
    }

    fn find_offers(&mut self) {
        let graph = self.graph;
        self.offers.clear();
        let all = |label: LabelId| {
            let known = &graph.labels[label.0 as usize];
            (0..known.events()).map(move |value| (value, EventId(known.first + value)))
        };
        match &graph.nodes[self.node.0 as usize].kind {
            Kind::Choice(edges) => {
                for (index, edge) in edges.iter().enumerate() {
                    if edges[..index].iter().any(|earlier| earlier.label == edge.label) {
                        continue;
                    }
                    for (value, event) in all(edge.label) {
                        let given = [value + 1];
                        let same = edges.iter().filter(|other| other.label == edge.label);
                        if same.into_iter().any(|other| self.allows(&other.when, &[edge.label], &given)) {
                            self.offers.push(Offer { event, label: edge.label, correction: false });
                        }
                    }
                }
            }
            Kind::Collect { slots, .. } => {
                for (slot, label) in slots.iter().enumerate() {
                    let correction = self.filled[slot] > 0;
                    self.offers.extend(all(*label).map(|(_, event)| Offer { event, label: *label, correction }));
                }
            }
            Kind::End | Kind::Test { .. } => {}
        }
    }
}

enum Judged<'j, D, V> {
    Wait,
    Violated(NodeId),
    Done(&'j Option<Action<D, V>>, NodeId),
}

impl<D, V: Debug> Service for Session<'_, D, V> {
    type At = ();

    fn reset(&mut self) -> Result<(), Problem> {
        caught(|| {
            self.data = (self.graph.make)();
            self.node = self.graph.start;
            self.filled.clear();
            self.heard.clear();
            self.heard_labels.clear();
            self.offered = false;
            self.enter(&[], &[]);
            Ok(())
        })
    }

    fn place(&self) -> Place {
        let kind = match self.kind() {
            Kind::End => PlaceKind::End,
            Kind::Choice(_) | Kind::Test { .. } => PlaceKind::Choice,
            Kind::Collect { .. } => PlaceKind::Collect,
        };
        let received = self.filled.iter().filter(|value| **value > 0).count() as u32;
        Place { node: self.node.0, entered: self.entered.0, kind, received }
    }

    fn offers(&mut self) -> Result<&[Offer], Problem> {
        if !self.offered {
            caught(|| {
                self.find_offers();
                Ok(())
            })?;
            self.offered = true;
        }
        Ok(&self.offers)
    }

    fn send(&mut self, event: EventId) -> Result<(), Problem> {
        self.offered = false;
        caught(|| self.take(event))
    }

    fn collect(&mut self) -> Result<Option<Rc<Collect>>, Problem> {
        let graph = self.graph;
        let Kind::Collect { slots, checks, .. } = &graph.nodes[self.node.0 as usize].kind else { return Ok(None) };
        let slot = |(index, label): (usize, &LabelId)| {
            let known = &graph.labels[label.0 as usize];
            let events = (0..known.events()).map(|value| EventId(known.first + value)).collect();
            Slot { label: *label, events, filled: self.filled[index] > 0 }
        };
        let shape = |check: &crate::graph::Check<D, V>| CheckShape {
            signature: check.signature,
            target: check.target.map(|node| node.0),
        };
        let slots = slots.iter().enumerate().map(slot).collect();
        Ok(Some(Rc::new(Collect { slots, checks: checks.iter().map(shape).collect() })))
    }

    fn here(&self) {}

    fn follow(&mut self, _: &(), received: &Received, _: EventId) -> Result<Landing<()>, Problem> {
        let filled = self.filled_with(received);
        caught(|| {
            Ok(match self.judge(&filled) {
                Judged::Wait => Landing::Stay(()),
                Judged::Violated(target) | Judged::Done(_, target) => Landing::Leave { node: target.0 },
            })
        })
    }

    fn holds(&mut self, check: usize, received: &Received) -> Result<bool, Problem> {
        let Kind::Collect { slots, checks, .. } = self.kind() else { return Ok(true) };
        let filled = self.filled_with(received);
        caught(|| Ok((checks[check].condition)(&self.data, &self.got(slots, &filled))))
    }

    fn snapshot(&mut self) -> Result<Option<Snapshot>, Problem> {
        let Some(name) = &self.graph.name_data else { return Ok(None) };
        let data = caught(|| Ok(name(&self.data)))?;
        let mut bytes = data.into_bytes();
        bytes.extend(self.node.0.to_le_bytes());
        bytes.extend(self.filled.iter().flat_map(|value| value.to_le_bytes()));
        Ok(Some(bytes.into()))
    }

    fn label(&self, event: EventId) -> LabelId {
        self.decode(event).0
    }

    fn show_event(&self, event: EventId) -> String {
        self.show(event)
    }

    fn show_place(&self, node: u32) -> String {
        self.graph.nodes[node as usize].name.clone()
    }
}

/// A panic is a crash of the service.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message");
        Err(Problem::Crash { message: message.into(), cause: message.into() })
    })
}
