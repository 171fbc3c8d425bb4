//! The default: do what was done least. Where something was never given, give it; otherwise walk to the nearest place
//! where something is left to try; where nothing is left to reach, begin again if that is allowed, or do what was done least.
//! Every now and then anything may happen, because an implementation may remember what the model does not.

use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};
use crate::table::{Edge, LabelId, SetId, Table};
use interplay_model::ActionId;
use interplay_semantics::{Event, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Once in so many times the choice is free.
const FREE: usize = 8;
/// With so many offers the edges of their numbers come first.
const MANY: usize = 16;

#[derive(Default)]
pub struct Coverage {
    /// How often it was listened in a set.
    listened: FxHashMap<SetId, u64>,
    /// By set: steps to the nearest one where something was never tried.
    distances: Vec<Option<u32>>,
    version: Option<u64>,
    /// Choices since the distances were computed.
    age: usize,
    /// Of sets with many offers: those with the smallest and the largest numbers, where mistakes are most likely.
    extremes: FxHashMap<SetId, Vec<usize>>,
}

impl Strategy for Coverage {
    fn name(&self) -> &'static str {
        "coverage"
    }

    fn forget(&mut self) {
        *self = Coverage::default();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        let all = view.offers.len() + usize::from(view.may_listen);
        if choices.once_in(FREE) {
            return self.take(&view, choices.below(all));
        }
        let least = self.extreme(&view, choices).unwrap_or_else(|| self.least(&mut view, choices));
        if self.count(&view, least) == 0 {
            return self.take(&view, least);
        }
        self.refresh(view.table);
        match self.nearer(&view) {
            Some(choice) => self.take(&view, choice),
            None if view.may_stop && self.distance(view.table.start()).is_some() => Move::Restart,
            None => self.take(&view, least),
        }
    }
}

impl Coverage {
    /// How often a choice was made here: an offer, or listening after all of them.
    fn count(&self, view: &View<'_>, choice: usize) -> u64 {
        match view.table.given(view.set).get(choice) {
            Some(count) => *count,
            None => self.listened.get(&view.set).copied().unwrap_or(0),
        }
    }

    /// Where much can be given: an offer at the edge of its numbers that was never given.
    fn extreme(&mut self, view: &View<'_>, choices: &mut Choices) -> Option<usize> {
        if view.offers.len() < MANY {
            return None;
        }
        let extremes = self.extremes.entry(view.set).or_insert_with(|| extremes(view));
        let given = view.table.given(view.set);
        let never: Vec<usize> = extremes.iter().copied().filter(|offer| given.get(*offer) == Some(&0)).collect();
        (!never.is_empty()).then(|| never[choices.below(never.len())])
    }

    /// The choice that was made least; of those one that leads somewhere, if there is one.
    fn least(&self, view: &mut View<'_>, choices: &mut Choices) -> usize {
        let all = view.offers.len() + usize::from(view.may_listen);
        let keys: Vec<u64> = (0..all).map(|choice| self.key(view, choice)).collect();
        let least = keys.iter().copied().min().unwrap_or(0);
        let ties: Vec<usize> = (0..all).filter(|choice| keys[*choice] == least).collect();
        ties[choices.below(ties.len())]
    }

    /// Where all that may come was heard already, listening is less worth than giving: it will be heard anyway, and what is
    /// given meanwhile may meet it.
    fn key(&self, view: &mut View<'_>, choice: usize) -> u64 {
        let count = self.count(view, choice);
        let stays = u64::from(stays(view, choice));
        match choice < view.offers.len() || has_news(view) {
            true => 2 * count + stays,
            false => 4 * count + 1 + stays,
        }
    }

    fn take(&mut self, view: &View<'_>, choice: usize) -> Move {
        if choice < view.offers.len() {
            return Move::Give(choice);
        }
        *self.listened.entry(view.set).or_default() += 1;
        Move::Listen
    }

    fn distance(&self, set: SetId) -> Option<u32> {
        self.distances.get(set.0 as usize).copied().flatten()
    }

    /// The choice that may lead a step nearer to something new.
    fn nearer(&self, view: &View<'_>) -> Option<usize> {
        let edges = view.table.out(view.set).iter().map(|edge| view.table.edge(*edge)).filter(|edge| is_way(edge));
        let near = edges.filter_map(|edge| Some((self.distance(edge.target?)?, edge))).min_by_key(|(far, _)| *far)?;
        match near.1.offer {
            Some(offer) => view.offers.iter().position(|each| *each == offer),
            None => view.may_listen.then_some(view.offers.len()),
        }
    }

    /// Distances backwards from all sets where something is left to try. They may be a little old: computing them costs a
    /// look at every edge, and is paid for by that many choices.
    fn refresh(&mut self, table: &Table) {
        self.age += 1;
        if self.version == Some(table.version()) || (self.version.is_some() && self.age * 64 < table.edges().len()) {
            return;
        }
        (self.version, self.age) = (Some(table.version()), 0);
        let mut into: Vec<Vec<SetId>> = vec![Vec::new(); table.sets()];
        for edge in table.edges().iter().filter(|edge| is_way(edge)) {
            if let Some(target) = edge.target {
                into[target.0 as usize].push(edge.from);
            }
        }
        self.distances = vec![None; table.sets()];
        let mut waiting: VecDeque<SetId> =
            (0..table.sets() as u32).map(SetId).filter(|set| table.given(*set).contains(&0)).collect();
        for set in &waiting {
            self.distances[set.0 as usize] = Some(0);
        }
        while let Some(set) = waiting.pop_front() {
            let next = self.distance(set).map(|far| far + 1);
            for from in &into[set.0 as usize] {
                if self.distances[from.0 as usize].is_none() {
                    self.distances[from.0 as usize] = next;
                    waiting.push_back(*from);
                }
            }
        }
    }
}

/// The offers all of whose numbers are the smallest or the largest that the action is offered with here.
fn extremes(view: &View<'_>) -> Vec<usize> {
    let numbers = |offer: &LabelId| -> Vec<(ActionId, usize, i64)> {
        let numbered = |event: &Event| {
            let action = event.action;
            let number = |(at, value): (usize, &Value)| match value {
                Value::Int(number) => Some((action, at, *number)),
                _ => None,
            };
            event.args.iter().enumerate().filter_map(number).collect::<Vec<_>>()
        };
        view.table.label(*offer).events().flat_map(numbered).collect()
    };
    let mut edges: FxHashMap<(ActionId, usize), (i64, i64)> = FxHashMap::default();
    for (action, at, number) in view.offers.iter().flat_map(numbers) {
        let (low, high) = edges.entry((action, at)).or_insert((number, number));
        (*low, *high) = ((*low).min(number), (*high).max(number));
    }
    let is_edge = |(action, at, number): (ActionId, usize, i64)| {
        let (low, high) = edges[&(action, at)];
        number == low || number == high
    };
    let extreme = |offer: &LabelId| {
        let numbers = numbers(offer);
        !numbers.is_empty() && numbers.into_iter().all(is_edge)
    };
    (0..view.offers.len()).filter(|at| extreme(&view.offers[*at])).collect()
}

/// What was never heard may never come.
fn is_way(edge: &Edge) -> bool {
    edge.offer.is_some() || edge.taken > 0
}

/// Nothing would change by this, as far as the model says.
fn stays(view: &mut View<'_>, choice: usize) -> bool {
    match view.offers.get(choice) {
        Some(offer) => match view.table.after(view.set, *offer) {
            Ok(edge) => view.table.edge(edge).target == Some(view.set),
            Err(_) => false,
        },
        None => view.table.heard(view.set).is_ok_and(|heard| heard.is_empty()),
    }
}

/// Something may come that never came here.
fn has_news(view: &mut View<'_>) -> bool {
    let Ok(heard) = view.table.heard(view.set) else { return false };
    let taken = |label| view.table.known(view.set, label).is_some_and(|edge| view.table.edge(edge).taken > 0);
    heard.iter().any(|label| !taken(*label))
}
