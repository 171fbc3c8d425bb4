//! How far it is to something that was never tried, over the graph of what was seen and foreseen.
//!
//! The distances of all sets are computed together and then, because that costs a look at every edge, kept for as many choices
//! as pay for it. Meanwhile the set where the run stands is corrected by those around it, so that no old distance
//! leads in circles.

use crate::strategy::View;
use interplay_judge::{Edge, EdgeId, LabelId, SetId, Table};
use interplay_model::Discipline;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What it costs to try something: it may get an answer that no run got or lead where no run was; lead where some run was; or
/// nowhere.
pub(super) const NEW: u32 = 0;
pub(super) const OLD: u32 = 5;
pub(super) const STAYS: u32 = 6;
/// Nothing is left to try.
pub(super) const FAR: u32 = u32::MAX;

/// With more offers than this nothing is foreseen.
const MOST_OFFERS: usize = 256;
/// A step that hardly ever comes is no longer than this.
const LONGEST: u64 = 64;
/// So many edges are looked at for each choice.
const EDGES: usize = 32;

#[derive(Default)]
pub(super) struct Ways {
    places: Vec<Place>,
    /// By set: steps to the nearest one where something was never tried.
    costs: Vec<u32>,
    version: Option<u64>,
    /// Choices since the distances were computed.
    age: usize,
}

/// What is known of one set.
#[derive(Clone, Default)]
struct Place {
    /// How often it was listened here.
    listened: u64,
    /// The edges that may be taken with each offer, in the order of the offers.
    foreseen: Option<Vec<(u32, EdgeId)>>,
    /// So many offers were looked at; more may have been drawn since.
    looked: usize,
}

impl Ways {
    pub(super) fn listened(&self, set: SetId) -> u64 {
        self.places.get(set.0 as usize).map_or(0, |place| place.listened)
    }

    pub(super) fn listen(&mut self, set: SetId) {
        self.place(set).listened += 1;
    }

    pub(super) fn cost(&self, set: SetId) -> u32 {
        self.costs.get(set.0 as usize).copied().unwrap_or(FAR)
    }

    /// The neighbours know better.
    pub(super) fn correct(&mut self, set: SetId, cost: u32) {
        if let Some(known) = self.costs.get_mut(set.0 as usize) {
            *known = cost;
        }
    }

    /// What may come of each offer here.
    pub(super) fn foresee(&mut self, table: &mut Table, set: SetId) {
        let looked = self.place(set).looked;
        let Ok(offers) = table.offers(set) else { return };
        let few = offers.len() <= MOST_OFFERS;
        let mut foreseen = Vec::new();
        for (at, offer) in offers.iter().enumerate().skip(looked).filter(|_| few) {
            let edges = edges(table, set, *offer);
            foreseen.extend(edges.into_iter().map(|edge| (at as u32, edge)));
        }
        let place = self.place(set);
        place.looked = offers.len();
        place.foreseen.get_or_insert_default().extend(foreseen);
    }

    /// What an offer that was never given promises.
    pub(super) fn prospect(&self, table: &Table, set: SetId, offer: usize) -> u32 {
        let foreseen = self.foreseen(set);
        let first = foreseen.partition_point(|(at, _)| (*at as usize) < offer);
        let targets = foreseen[first..].iter().take_while(|(at, _)| *at as usize == offer);
        let is_answered = |edge: &Edge| edge.offer != Some(edge.label);
        let cost = |edge: &Edge| match edge.target {
            Some(_) if is_answered(edge) && !table.was_met(edge.label) => NEW,
            Some(target) if target == set => STAYS,
            Some(target) if table.visits(target) > 0 => OLD,
            _ => NEW,
        };
        targets.map(|(_, edge)| cost(table.edge(*edge))).min().unwrap_or(NEW)
    }

    /// The choice on the shortest way to something that was never tried, and how long that is.
    pub(super) fn nearest(&self, view: &View<'_>) -> (u32, Option<usize>) {
        let mut best = (FAR, None);
        self.each_way(view.table, view.set, |choice, target, length| {
            let cost = self.cost(target).saturating_add(length);
            let choice = choice.unwrap_or(view.offers.len());
            let possible = choice < view.offers.len() + usize::from(view.may_listen);
            if cost < best.0 && possible && view.is_open(choice) {
                best = (cost, Some(choice));
            }
        });
        best
    }

    /// Distances backwards from all sets where something is left to try.
    pub(super) fn refresh(&mut self, table: &Table) {
        self.age += 1;
        let young = self.age * EDGES < table.edges().len();
        if self.version == Some(table.version()) || (self.version.is_some() && young) {
            return;
        }
        (self.version, self.age) = (Some(table.version()), 0);
        let sets = || (0..table.sets() as u32).map(SetId);
        let into = self.arcs(table);
        self.costs = sets().map(|set| self.left(table, set)).collect();
        let mut waiting: BinaryHeap<Reverse<(u32, u32)>> =
            sets().map(|set| (self.cost(set), set.0)).filter(|(cost, _)| *cost < FAR).map(Reverse).collect();
        while let Some(Reverse((cost, set))) = waiting.pop() {
            if cost > self.costs[set as usize] {
                continue;
            }
            for (from, length) in into.of(set) {
                let longer = cost.saturating_add(*length);
                let known = &mut self.costs[*from as usize];
                if longer < *known {
                    *known = longer;
                    waiting.push(Reverse((longer, *from)));
                }
            }
        }
    }

    /// What it costs to try the best of what is left in a set. Where runs came along but could never choose, everything is left,
    /// but it seems to be hard to stop there.
    fn left(&self, table: &Table, set: SetId) -> u32 {
        let known = self.places.get(set.0 as usize).is_some_and(|place| place.foreseen.is_some());
        let never = table.given(set).iter().enumerate().filter(|(_, count)| **count == 0);
        match table.visits(set) {
            1.. if known => never.map(|(offer, _)| self.prospect(table, set, offer)).min().unwrap_or(FAR),
            visits @ 1.. => OLD + visits.min(LONGEST) as u32,
            0 => FAR,
        }
    }

    /// Every way out of a set: the offer, or `None` for listening, where it leads, and how long it is.
    fn each_way(&self, table: &Table, set: SetId, mut each: impl FnMut(Option<usize>, SetId, u32)) {
        let foreseen = self.foreseen(set);
        for (at, (offer, edge)) in foreseen.iter().enumerate() {
            let beside = |at: usize| foreseen.get(at).is_some_and(|(other, _)| other == offer);
            let alone = !beside(at + 1) && !beside(at.wrapping_sub(1));
            let edge = table.edge(*edge);
            let given = table.given(set).get(*offer as usize).copied().unwrap_or(0);
            if let Some(target) = edge.target {
                each(Some(*offer as usize), target, if alone { 1 } else { length(given + 1, edge.taken) });
            }
        }
        // What was never heard may never come.
        let heard = || table.out(set).iter().map(|edge| table.edge(*edge)).filter(|edge| edge.offer.is_none());
        let all = heard().map(|edge| edge.taken).sum::<u64>().max(self.listened(set));
        for edge in heard().filter(|edge| edge.taken > 0) {
            if let Some(target) = edge.target {
                each(None, target, length(all, edge.taken));
            }
        }
    }

    fn arcs(&self, table: &Table) -> Arcs {
        let mut arcs = Vec::with_capacity(table.edges().len());
        for set in (0..table.sets() as u32).map(SetId) {
            self.each_way(table, set, |_, target, length| arcs.push((target.0, set.0, length)));
        }
        Arcs::new(table.sets(), &arcs)
    }

    fn foreseen(&self, set: SetId) -> &[(u32, EdgeId)] {
        self.places.get(set.0 as usize).and_then(|place| place.foreseen.as_deref()).unwrap_or_default()
    }

    fn place(&mut self, set: SetId) -> &mut Place {
        let at = set.0 as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, Place::default());
        }
        &mut self.places[at]
    }
}

/// So many times one must try, as far as was seen.
fn length(tries: u64, taken: u64) -> u32 {
    tries.div_ceil(taken.max(1)).clamp(1, LONGEST) as u32
}

/// The steps that may come of an offer. An input to which nothing belongs is a step by itself.
fn edges(table: &mut Table, set: SetId, offer: LabelId) -> Vec<EdgeId> {
    let model = table.instance().model();
    let answered = table.label(offer).events().any(|event| model.actions[event.action.0].result.is_some());
    let labels = match model.discipline == Discipline::Asynchronous && !answered {
        true => vec![offer],
        false => table.reactions(set, offer).unwrap_or_default(),
    };
    labels.into_iter().filter_map(|label| table.after(set, label).ok()).collect()
}

/// The ways into each set: `all[first[set]..first[set + 1]]`, where they begin and how long they are.
struct Arcs {
    first: Vec<u32>,
    all: Vec<(u32, u32)>,
}

impl Arcs {
    fn new(sets: usize, arcs: &[(u32, u32, u32)]) -> Arcs {
        let mut first = vec![0; sets + 1];
        for (target, ..) in arcs {
            first[*target as usize + 1] += 1;
        }
        for set in 0..sets {
            first[set + 1] += first[set];
        }
        let mut next = first.clone();
        let mut all = vec![(0, 0); arcs.len()];
        for (target, from, length) in arcs {
            let at = &mut next[*target as usize];
            all[*at as usize] = (*from, *length);
            *at += 1;
        }
        Arcs { first, all }
    }

    fn of(&self, set: u32) -> &[(u32, u32)] {
        &self.all[self.first[set as usize] as usize..self.first[set as usize + 1] as usize]
    }
}
