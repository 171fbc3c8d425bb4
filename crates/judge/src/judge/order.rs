//! Events that were written down in another order than they happened: every order within the bound, kept as state sets.
//!
//! An event that was observed at place i happened at a place between i - k and i + k. Those that did not happen yet in an order are
//! *held* there. A silence, a refusal and a shown state stand where they happened: what came before them has happened.

use super::{Judge, Opinion, Track, Unjudged};
use crate::conversation::Turn;
use crate::possible::{Possible, World};
use crate::table::{Configuration, Result, Table};
use interplay_semantics::{Label, State};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More orders are not followed.
const MOST_ORDERS: usize = 4096;

#[derive(Clone)]
pub(super) struct Order {
    pub(super) possible: Possible,
    /// The states of its worlds, for a later table.
    kept: Vec<Arc<BTreeSet<Configuration>>>,
    held: Vec<Held>,
}

/// An event that was observed and has not happened yet.
#[derive(Clone)]
struct Held {
    place: u64,
    label: Arc<Label>,
    whole: bool,
}

impl Order {
    pub(super) fn new(possible: Possible, table: &Table) -> Order {
        let mut order = Order { possible, kept: Vec::new(), held: Vec::new() };
        order.keep(table);
        order
    }

    pub(super) fn keep(&mut self, table: &Table) {
        self.kept.clear();
        self.kept.extend(self.possible.worlds.iter().map(|world| table.members(world.set).clone()));
    }

    pub(super) fn find(&mut self, table: &mut Table) -> Result<()> {
        for (world, members) in self.possible.worlds.iter_mut().zip(&self.kept) {
            if let Some(set) = table.interned((**members).clone())? {
                world.set = set;
            }
        }
        self.keep(table);
        Ok(())
    }

    pub(super) fn states(&self) -> usize {
        self.kept.iter().map(|members| members.len()).sum()
    }

    /// The only state that is possible, if objects have the same numbers in it as in the recording.
    pub(super) fn known(&self) -> Option<&State> {
        let ([world], [members], []) = (&self.possible.worlds[..], &self.kept[..], &self.held[..]) else { return None };
        let mut members = members.iter();
        let (only, other) = (members.next()?, members.next());
        (other.is_none() && only.transit.is_empty() && world.pairing.is_identity()).then_some(&only.state)
    }

    pub(super) fn kept(&self) -> super::Kept {
        self.kept.iter().cloned().zip(self.possible.worlds.iter().map(|world| world.pairing.clone())).collect()
    }

    fn key(&self) -> (Vec<World>, Vec<u64>) {
        (self.possible.worlds.clone(), self.held.iter().map(|held| held.place).collect())
    }

    /// The oldest held event can still happen in time, when so many were observed.
    fn is_in_time(&self, observed: u64, bound: usize) -> bool {
        let next = observed - self.held.len() as u64 + 1;
        self.held.len() <= bound && self.held.first().is_none_or(|oldest| oldest.place + bound as u64 >= next)
    }
}

impl Judge {
    /// One more event, which happened a little earlier or later.
    pub(super) fn in_any_order(&mut self, track: &mut Track, label: &Label, whole: bool) -> Result<Opinion> {
        let (place, label) = (track.count, Arc::new(label.clone()));
        for order in &mut track.orders {
            order.held.push(Held { place, label: label.clone(), whole });
        }
        let (all, bound) = (self.orders(track)?, self.reorder);
        let Some(all) = all else { return Ok(Opinion::Open(Unjudged::Orders(MOST_ORDERS))) };
        let next: Vec<Order> = all.into_iter().filter(|order| order.is_in_time(place, bound)).collect();
        if next.is_empty() {
            return self.blame_oldest(track);
        }
        track.orders = next;
        // The order that took most speaks for all.
        track.orders.sort_by_key(|order| order.held.len());
        let set = track.orders[0].possible.set();
        let read = self.table.label_id(&label);
        self.remember(track, Turn { said: super::said(&label, read), set }, Some(&label));
        Ok(Opinion::Right)
    }

    /// Everything that is held happens; an opinion if it cannot.
    pub(super) fn all_taken(&mut self, track: &mut Track) -> Result<Option<Opinion>> {
        if track.orders.iter().all(|order| order.held.is_empty()) {
            return Ok(None);
        }
        let Some(all) = self.orders(track)? else { return Ok(Some(Opinion::Open(Unjudged::Orders(MOST_ORDERS)))) };
        let next: Vec<Order> = all.into_iter().filter(|order| order.held.is_empty()).collect();
        if next.is_empty() {
            return self.blame_oldest(track).map(Some);
        }
        track.orders = next;
        Ok(None)
    }

    /// In the order that had taken most, the event that should have happened first is to blame.
    fn blame_oldest(&mut self, track: &mut Track) -> Result<Opinion> {
        track.orders.sort_by_key(|order| order.held.len());
        let (set, oldest) = (track.orders[0].possible.set(), track.orders[0].held.first().cloned());
        let Some(oldest) = oldest else { return Ok(Opinion::Right) };
        let read = self.table.label_id(&oldest.label);
        self.blame(track, set, &oldest.label, read)
    }

    /// All orders in which some of the held events happen now; `None` if there are too many.
    fn orders(&mut self, track: &mut Track) -> Result<Option<Vec<Order>>> {
        let mut open = track.orders.clone();
        let mut known: FxHashSet<(Vec<World>, Vec<u64>)> = open.iter().map(Order::key).collect();
        let mut all = Vec::new();
        while let Some(order) = open.pop() {
            for at in 0..order.held.len() {
                // Of equal events the older one happens first.
                let same = |earlier: &Held| earlier.label == order.held[at].label;
                if order.held[..at].iter().any(same) {
                    continue;
                }
                let mut next = order.clone();
                let held = next.held.remove(at);
                let followed = next.possible.follow(&mut self.table, &held.label, held.whole)?;
                track.cut |= followed.cut;
                if followed.fits && known.insert(next.key()) {
                    next.keep(&self.table);
                    open.push(next);
                }
            }
            all.push(order);
            if all.len() > MOST_ORDERS {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }
}
