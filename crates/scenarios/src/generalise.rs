//! The method of the paper (SGEN2, corrected): pieces of library scenarios are generalised, given common values, and merged
//! into a new scenario.
//!
//! 1. *Mine* the library for places at which some of the conjuncts hold.
//! 2. *Generalise*: carry what holds there back to the beginning, so that the values become parameters with a constraint.
//! 3. *Instantiate* two such scenarios with values that suit both, and *merge* their events.
//! 4. Until all conjuncts hold, generalise the result and go on with the next piece.
//!
//! The published test for success (nothing is left to add) and its variables that outlive a failed attempt are wrong; here
//! success is that all conjuncts hold, and every attempt has its own variables. A piece is tried without the events that
//! it does not need, as it is, and as long as what it is for still holds: what looks superfluous may be what makes
//! merging possible.

mod explain;
mod general;
mod instantiate;
mod merge;
mod mine;
mod path;
mod run;
mod show;
mod term;

pub use general::General;
pub use run::LeftOut;
pub use show::{show_condition, show_general};

use crate::way::reactions;
use crate::{Prover, Wanted, Way};
use general::generalise;
use hashbrown::HashMap;
use instantiate::{Joined, Pool};
use interplay_model::{ActionId, ScenarioId};
use interplay_semantics::{Event, Instance, Label, State, Value};
use merge::{Side, merge};
use mine::{Mask, Satisfier, all_of, held, mine, numbers};
use run::{Player, Run, library};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The library as it is after playing it once.
pub struct Library {
    runs: Vec<(String, Run)>,
    pub left_out: Vec<LeftOut>,
}

impl Library {
    /// Plays these scenarios; the ones that use an action that the setup does not give are not for this place.
    pub fn new(instance: &Instance, scenarios: &[ScenarioId]) -> Library {
        let (runs, left_out) = library(instance, scenarios, &|action: ActionId| !instance.is_excluded(action));
        Library { runs, left_out }
    }

    /// Its scenarios as the setup allows them.
    pub(crate) fn ways(&self, instance: &Instance) -> Vec<Vec<Label>> {
        self.runs.iter().filter_map(|(_, run)| drive(instance, &run.states[0], &run.events)).collect()
    }
}

/// The generalised scenario behind a way to a goal.
pub fn generalised(instance: &Instance, wanted: &Wanted, way: &Way) -> Option<General> {
    let mut player = Player::new(instance);
    let start = player.number(&way.start);
    let events: Option<Vec<Event>> = way.steps.iter().map(|(label, _)| run::event_of(label).cloned()).collect();
    let run = player.run(start, &events?)?;
    let conjuncts: Vec<usize> = (0..wanted.conditions.len()).collect();
    generalise(instance, wanted, &conjuncts, &way.values, &run)
}

/// Every place of the library, generalised: with which conjuncts of the goal each one leads to.
pub fn pieces(instance: &Instance, wanted: &Wanted, library: &Library) -> Vec<General> {
    let found = mine(instance, wanted, &library.runs).into_iter();
    let general = |each: Satisfier| {
        let whole = &library.runs[each.scenario].1;
        let run = Run {
            events: whole.events[..each.at].to_vec(),
            states: whole.states[..=each.at].to_vec(),
            rules: whole.rules[..each.at].to_vec(),
        };
        generalise(instance, wanted, &numbers(each.mask), &each.values, &run)
    };
    found.filter_map(general).collect()
}

/// What became of it.
pub(crate) struct Attempt {
    pub(crate) reached: Option<Way>,
    pub(crate) nearest: Option<Near>,
}

/// What came nearest: the events, what lacks, and the scenario of the library if it is one.
#[derive(Clone, Debug)]
pub struct Near {
    pub events: Vec<Label>,
    pub lacks: Vec<usize>,
    pub scenario: Option<String>,
}

/// Tries until the time is over, or so many merges were tried.
pub(crate) fn attempt(
    instance: &Instance,
    wanted: &Wanted,
    library: &Library,
    prover: Option<&dyn Prover>,
    merges: Option<usize>,
    over: &(dyn Fn() -> bool + Sync),
) -> Attempt {
    let Some(start) = instance.initial().ok().and_then(|mut all| (all.len() == 1).then(|| all.remove(0))) else {
        return Attempt { reached: None, nearest: None };
    };
    let mut player = Player::new(instance);
    let number = player.number(&start);
    let mut search = Search {
        instance,
        wanted,
        library,
        prover,
        over,
        pool: Pool { events: library.runs.iter().flat_map(|(_, run)| run.events.clone()).collect() },
        found: mine(instance, wanted, &library.runs),
        player,
        start: number,
        any: start,
        known: HashMap::new(),
        nearest: None,
        merges: merges.unwrap_or(usize::MAX),
    };
    let reached = search.all();
    let nearest = search.near();
    Attempt { reached, nearest }
}

/// How much of a scenario is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cut {
    /// Only what is needed.
    Pruned,
    /// All up to the place.
    Whole,
    /// All as long as it still holds.
    Late,
}

struct Search<'s> {
    instance: &'s Instance,
    wanted: &'s Wanted,
    library: &'s Library,
    prover: Option<&'s dyn Prover>,
    over: &'s (dyn Fn() -> bool + Sync),
    pool: Pool,
    found: Vec<Satisfier>,
    player: Player<'s>,
    start: u32,
    /// A state for terms that do not speak of one.
    any: State,
    known: HashMap<(usize, Mask, Cut), Option<Rc<General>>>,
    /// Which conjuncts hold, after which events, and the scenario if it is one of the library.
    nearest: Option<(Mask, Vec<Event>, Option<usize>)>,
    /// How many merges may still be tried.
    merges: usize,
}

impl Search<'_> {
    fn all(&mut self) -> Option<Way> {
        let full = all_of(self.wanted);
        for cut in [Cut::Pruned, Cut::Late, Cut::Whole] {
            let mut tried: BTreeMap<Mask, usize> = BTreeMap::new();
            for index in 0..self.found.len() {
                if self.is_over() {
                    return None;
                }
                let Satisfier { mask, scenario, at, .. } = self.found[index];
                let times = tried.entry(mask).or_default();
                *times += 1;
                // The first of those alike in the first round, the others later.
                if *times > if cut == Cut::Pruned { 1 } else { 2 } {
                    continue;
                }
                self.note(mask, &self.library.runs[scenario].1.events[..at], Some(scenario));
                let Some(general) = self.general(index, mask, cut) else { continue };
                let way = match mask == full {
                    true => self.alone(&general),
                    false => self.further(&general, mask, 1),
                };
                if way.is_some() {
                    return way;
                }
            }
        }
        None
    }

    /// One scenario does it all; other values may be needed.
    fn alone(&mut self, general: &General) -> Option<Way> {
        let generals = [general];
        let joined = Joined::new(&generals);
        for offer in self.offers(&joined) {
            if let Some((mut events, values)) = joined.events(self.instance, &self.any, &offer)
                && let Some(way) = self.driven(&events.remove(0), &values)
            {
                return Some(way);
            }
        }
        None
    }

    /// Adds pieces until all conjuncts hold.
    fn further(&mut self, general: &General, done: Mask, level: usize) -> Option<Way> {
        let mut candidates: Vec<(usize, Mask)> =
            (0..self.found.len()).map(|index| (index, self.found[index].mask & !done)).collect();
        candidates.retain(|(_, adds)| *adds != 0);
        candidates.sort_by_key(|(_, adds)| std::cmp::Reverse(adds.count_ones()));
        for cut in [Cut::Pruned, Cut::Late] {
            let mut tried = BTreeSet::new();
            for (index, adds) in &candidates {
                if self.is_over() {
                    return None;
                }
                if !tried.insert(*adds) {
                    continue;
                }
                let Some(piece) = self.general(*index, *adds, cut) else { continue };
                if let Some(way) = self.together(general, &piece, (done, *adds), level) {
                    return Some(way);
                }
            }
        }
        None
    }

    fn together(&mut self, one: &General, other: &General, (done, adds): (Mask, Mask), level: usize) -> Option<Way> {
        let full = all_of(self.wanted);
        let generals = [one, other];
        let joined = Joined::new(&generals);
        for offer in self.offers(&joined) {
            if self.is_over() {
                return None;
            }
            let Some((events, values)) = joined.events(self.instance, &self.any, &offer) else { continue };
            let sides = [Side { events: &events[0], mask: done }, Side { events: &events[1], mask: adds }];
            self.merges -= 1;
            let Some(merged) = merge(&mut self.player, self.wanted, &values, self.start, sides) else { continue };
            let end = self.player.play(self.start, &merged)?;
            let holds = held(self.instance, self.wanted, &self.player.states[end as usize], &values);
            self.note(holds, &merged, None);
            if holds == full {
                match self.driven(&merged, &values) {
                    Some(way) => return Some(way),
                    None => continue,
                }
            }
            let run = self.player.run(self.start, &merged)?;
            let whole = generalise(self.instance, self.wanted, &numbers(holds), &values, &run)?;
            // Where a scenario has been found that does more, other values for the same are not tried.
            return if level < self.wanted.conditions.len() { self.further(&whole, holds, level + 1) } else { None };
        }
        None
    }

    fn is_over(&self) -> bool {
        self.merges == 0 || (self.over)()
    }

    fn offers(&self, joined: &Joined<'_>) -> Vec<Vec<Option<Value>>> {
        let offers = joined.offers(self.instance, &self.any, &self.pool);
        match (offers.is_empty(), self.prover) {
            (true, Some(prover)) => joined.solved(self.instance, prover).into_iter().collect(),
            _ => offers,
        }
    }

    fn general(&mut self, index: usize, mask: Mask, cut: Cut) -> Option<Rc<General>> {
        if let Some(known) = self.known.get(&(index, mask, cut)) {
            return known.clone();
        }
        let satisfier = self.found[index].clone();
        let run = &self.library.runs[satisfier.scenario].1;
        let events = match cut {
            Cut::Pruned => satisfier.pruned(&mut self.player, self.wanted, run, mask),
            Cut::Whole => run.events[..satisfier.at].to_vec(),
            Cut::Late => run.events[..satisfier.latest(self.instance, self.wanted, run, mask)].to_vec(),
        };
        let general = match run.states[0] == self.any {
            true => self.player.run(self.start, &events),
            false => None,
        };
        let general = general
            .and_then(|run| generalise(self.instance, self.wanted, &numbers(mask), &satisfier.values, &run))
            .map(Rc::new);
        self.known.insert((index, mask, cut), general.clone());
        general
    }

    /// The events as the setup allows them: where it wants something else first, that is put in.
    fn driven(&self, events: &[Event], values: &[Value]) -> Option<Way> {
        let labels = drive(self.instance, &self.any, events)?;
        let way = Way::play_for(self.instance, self.wanted, &self.any, &labels, Some(values))?;
        Some(way.minimised(self.instance, self.wanted))
    }

    fn note(&mut self, mask: Mask, events: &[Event], scenario: Option<usize>) {
        let better = |(known, length, _): &(Mask, Vec<Event>, Option<usize>)| {
            (mask.count_ones(), length.len()) > (known.count_ones(), events.len())
        };
        if self.nearest.as_ref().is_none_or(better) {
            self.nearest = Some((mask, events.to_vec(), scenario));
        }
    }

    fn near(&mut self) -> Option<Near> {
        let (mask, events, scenario) = self.nearest.clone()?;
        let mut state = self.any.clone();
        let mut labels = Vec::new();
        for event in &events {
            let step = self.instance.outcomes(&state, event).into_iter().flatten().next()?;
            labels.push(step.label);
            state = step.target;
        }
        let lacks = (0..self.wanted.conditions.len()).filter(|bit| mask >> bit & 1 == 0).collect();
        let scenario = scenario.map(|index| self.library.runs[index].0.clone());
        Some(Near { events: labels, lacks, scenario })
    }
}

/// So many events may be put in before one that the setup does not allow yet, and so many states are looked at.
const PUT_IN: usize = 6;
const LOOKED_AT: usize = 300;

fn drive(instance: &Instance, start: &State, events: &[Event]) -> Option<Vec<Label>> {
    let mut labels: Vec<Label> = Vec::new();
    let mut state = start.clone();
    for event in events {
        let label = label_of(instance, event);
        let (between, (label, target)) = allowed(instance, &state, &label)?;
        labels.extend(between);
        labels.push(label);
        state = target;
    }
    Some(labels)
}

type Allowed = (Vec<Label>, (Label, State));

/// The event, after as few others as the setup wants first.
fn allowed(instance: &Instance, state: &State, label: &Label) -> Option<Allowed> {
    let mut layer: Vec<(Vec<Label>, State)> = vec![(Vec::new(), state.clone())];
    let mut seen: BTreeSet<State> = [state.clone()].into();
    for _ in 0..=PUT_IN {
        for (between, state) in &layer {
            if let Some(step) = reactions(instance, state, label).into_iter().next() {
                return Some((between.clone(), step));
            }
        }
        let mut next = Vec::new();
        for (between, state) in &layer {
            for step in instance.transitions(state).into_iter().flatten() {
                if seen.len() < LOOKED_AT && seen.insert(step.target.clone()) {
                    next.push(([&between[..], &[step.label]].concat(), step.target));
                }
            }
        }
        layer = next;
    }
    None
}

fn label_of(instance: &Instance, event: &Event) -> Label {
    use interplay_model::Direction;
    match instance.model().actions[event.action.0].direction {
        Direction::Input => Label::input(event.clone()),
        Direction::Output => Label::output(event.clone()),
        Direction::Internal => Label::Internal(event.clone()),
    }
}
