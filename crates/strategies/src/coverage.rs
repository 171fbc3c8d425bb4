//! The default: do what was never done. Here, if something is left to try, and first what should lead to where no run was yet
//! or get an answer that none got: an input that is refused leads nowhere, but much goes wrong with refusals.
//! Otherwise on the shortest way to where something is left. The ways are those that the model foresees and those that were
//! seen; a step that the implementation chooses once in three times is three steps long, and a new start is a way like others.
//! Where nothing is left to reach: what did not follow the last step yet, then what was done least.
//! Every now and then anything may happen, because an implementation may remember what the model does not.

mod ways;

use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Choices, LabelId, SetId};
use interplay_model::ActionId;
use interplay_semantics::{Event, Value};
use rustc_hash::FxHashMap;
use ways::{FAR, NEW, OLD, STAYS, Ways};

/// Once in so many times the choice is free.
const FREE: usize = 8;
/// Once in so many times something new is given although something new may come.
const HASTE: usize = 8;
/// With so many offers the edges of their numbers come first; in a set that was never met before once in so many times. Where every step
/// leads to a new set there is always an edge that was never given there, and nothing else ever would be.
const MANY: usize = 16;
const EDGES: usize = 2;
/// A new start, in steps.
const RESTART: u32 = 3;

#[derive(Default)]
pub struct Coverage {
    ways: Ways,
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

    fn follows_ways(&self) -> bool {
        true
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        self.ways.foresee(view.table, view.set);
        if choices.once_in(FREE) {
            let chosen = view.anything(choices);
            return self.done(&view, chosen);
        }
        self.ways.refresh(view.table);
        let again = view.table.visits(view.set) > 1;
        let edges = view.offers.len() >= MANY && (again || choices.once_in(EDGES));
        let (cost, untried) = self.untried(&mut view, edges);
        let (far, way) = self.ways.nearest(&view);
        let anew = match view.may_stop && view.table.last().is_some() {
            true => self.ways.cost(view.table.start()).saturating_add(RESTART),
            false => FAR,
        };
        self.ways.correct(view.set, cost.min(far).min(anew));
        if cost < FAR && cost <= far.min(anew) {
            // Most mistakes show in what comes, but some only if it is not waited for.
            let listens = untried.last() == Some(&view.offers.len()) && !choices.once_in(HASTE);
            let chosen = if listens { view.offers.len() } else { view.one_of(&untried, choices) };
            return self.take(&view, chosen);
        }
        match way {
            _ if anew < far => Move::Restart,
            Some(choice) if far < FAR => self.take(&view, choice),
            _ => {
                let again = self.again(&mut view, choices);
                self.done(&view, again)
            }
        }
    }
}

impl Coverage {
    /// How often a choice was made here: an offer, or listening after all of them.
    fn count(&self, view: &View<'_>, choice: usize) -> u64 {
        match view.table.given(view.set).get(choice) {
            Some(count) => *count,
            None => self.ways.listened(view.set),
        }
    }

    /// What is left to try here and worth most, and what it costs to put up with it instead of something new; or edges.
    fn untried(&mut self, view: &mut View<'_>, edges: bool) -> (u32, Vec<usize>) {
        let extremes = if edges { self.extremes(view) } else { Vec::new() };
        if !extremes.is_empty() {
            return (NEW, extremes);
        }
        let (mut least, mut found) = (FAR, Vec::new());
        for choice in 0..view.offers.len() + usize::from(view.may_listen) {
            let cost = match choice < view.offers.len() {
                _ if self.count(view, choice) > 0 || !view.is_open(choice) => continue,
                true => self.ways.prospect(view.table, view.set, choice),
                false => self.listening(view),
            };
            if cost < least {
                (least, found) = (cost, Vec::new());
            }
            if cost == least {
                found.push(choice);
            }
        }
        (least, found)
    }

    /// What it costs to listen here for the first time.
    fn listening(&self, view: &mut View<'_>) -> u32 {
        match view.table.heard(view.set) {
            Ok(heard) if heard.is_empty() => STAYS,
            _ if has_news(view) => NEW,
            _ => OLD,
        }
    }

    /// Where much can be given: the offers at the edge of their numbers that were never given.
    fn extremes(&mut self, view: &View<'_>) -> Vec<usize> {
        let extremes = self.extremes.entry(view.set).or_insert_with(|| extremes(view));
        let given = view.table.given(view.set);
        extremes.iter().copied().filter(|offer| given.get(*offer) == Some(&0)).collect()
    }

    /// All was tried: what did not follow the last step yet, and of that the action that was done least, and its value; or the
    /// input that was done least.
    fn again(&mut self, view: &mut View<'_>, choices: &mut Choices) -> Move {
        let groups = view.open_groups();
        let lists = groups.iter().all(|group| !view.groups()[*group].lazy);
        if lists && !view.counts_actions(choices) {
            let offers = groups.iter().flat_map(|group| view.groups()[*group].members.clone());
            let offers: Vec<usize> = offers.chain(view.may_listen.then_some(view.offers.len())).collect();
            return match self.least(view, &offers, choices) {
                Some(offer) if offer < view.offers.len() => Move::Give(offer),
                Some(_) => Move::Listen,
                None => view.anything(choices),
            };
        }
        let mut keys: Vec<(bool, u64)> = groups.iter().map(|group| self.group_key(view, *group)).collect();
        if view.may_listen {
            let listening = view.offers.len();
            keys.push((follows(view, listening), self.key(view, listening)));
        }
        let Some(least) = keys.iter().min().copied() else { return view.anything(choices) };
        let ties: Vec<usize> = (0..keys.len()).filter(|at| keys[*at] == least).collect();
        let Some(group) = groups.get(ties[choices.below(ties.len())]).copied() else { return Move::Listen };
        if view.groups()[group].lazy {
            return view.give_one_of(&[group], &[1], choices).unwrap_or_else(|| view.anything(choices));
        }
        let members = view.groups()[group].members.clone();
        self.least(view, &members, choices).map_or_else(|| view.anything(choices), Move::Give)
    }

    /// Of these choices one that did not follow the last step yet, or was made least.
    fn least(&self, view: &mut View<'_>, among: &[usize], choices: &mut Choices) -> Option<usize> {
        let keys: Vec<(bool, u64)> = among.iter().map(|at| (follows(view, *at), self.key(view, *at))).collect();
        let least = keys.iter().min().copied()?;
        let ties: Vec<usize> = (0..keys.len()).filter(|at| keys[*at] == least).collect();
        Some(among[ties[choices.below(ties.len())]])
    }

    /// The same for all offers of an action together.
    fn group_key(&self, view: &mut View<'_>, group: usize) -> (bool, u64) {
        let members = view.groups()[group].members.clone();
        let follow = members.iter().all(|member| follows(view, *member));
        let count: u64 = members.iter().map(|member| self.count(view, *member)).sum();
        let moves = |member: &usize| self.ways.prospect(view.table, view.set, *member) != STAYS;
        (follow && !members.is_empty(), 2 * count + u64::from(!members.iter().any(moves)))
    }

    /// Where all that may come was heard already, listening is less worth than giving: it will be heard anyway, and what is
    /// given meanwhile may meet it.
    fn key(&self, view: &mut View<'_>, choice: usize) -> u64 {
        let count = self.count(view, choice);
        match choice < view.offers.len() {
            true => 2 * count + u64::from(self.ways.prospect(view.table, view.set, choice) == STAYS),
            false if has_news(view) => 2 * count,
            false => 4 * count + 1,
        }
    }

    fn take(&mut self, view: &View<'_>, choice: usize) -> Move {
        let chosen = if choice < view.offers.len() { Move::Give(choice) } else { Move::Listen };
        self.done(view, chosen)
    }

    fn done(&mut self, view: &View<'_>, chosen: Move) -> Move {
        if chosen == Move::Listen {
            self.ways.listen(view.set);
        }
        chosen
    }
}

/// The choice was made right after the last step at some time.
fn follows(view: &View<'_>, choice: usize) -> bool {
    let offer = view.offers.get(choice).copied();
    let followed = view.table.last().map_or(&[][..], |last| &last.followed[..]);
    followed.iter().any(|next| view.table.edge(*next).offer == offer)
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

/// Something may come that never came here.
fn has_news(view: &mut View<'_>) -> bool {
    let Ok(heard) = view.table.heard(view.set) else { return false };
    let taken = |label| view.table.known(view.set, label).is_some_and(|edge| view.table.edge(edge).taken > 0);
    heard.iter().any(|label| !taken(*label))
}
