//! Can all promises be kept, whatever comes? They may contradict each other only once something is given: `always (a implies p)` and
//! `always (a implies not p)` are both kept as long as nobody gives `a`.
//!
//! It is a game: one side gives inputs, the other answers with outputs, step by step. Whoever answers has lost where some input
//! has no answer that keeps all properties and is not lost itself. Inputs that a property forbids by itself do not count.

use super::{MOST_PRODUCT, together};
use crate::diagram::{Diagram, Diagrams, FALSE, TRUE};
use crate::oracle::Oracle;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Properties that cannot all be kept, though each of them alone has an answer, and the inputs that begin it.
pub(super) struct Unanswerable {
    pub(super) members: Vec<usize>,
    pub(super) inputs: Vec<u32>,
}

/// Each property is a list of oracles; `is_input` says which atoms are given. What is beyond the limit of the search is not claimed.
pub(super) fn unanswerable(members: &[Vec<Oracle>], is_input: &dyn Fn(u32) -> bool) -> Option<Unanswerable> {
    let lost = |chosen: &[usize]| {
        let members = chosen.iter().map(|member| members[*member].as_slice()).collect();
        Game { members, is_input }.lost_by()
    };
    let mut chosen: Vec<usize> = (0..members.len()).collect();
    let mut inputs = lost(&chosen)?;
    // Leaves out whoever is not needed.
    for member in (0..members.len()).rev() {
        let fewer: Vec<usize> = chosen.iter().copied().filter(|each| *each != member).collect();
        if let Some(by) = lost(&fewer) {
            (chosen, inputs) = (fewer, by);
        }
    }
    Some(Unanswerable { members: chosen, inputs })
}

struct Game<'g> {
    members: Vec<&'g [Oracle]>,
    is_input: &'g dyn Fn(u32) -> bool,
}

/// The places that can be reached while all is kept, by number, and from where.
#[derive(Default)]
struct Places {
    all: Vec<Vec<u32>>,
    ids: FxHashMap<Vec<u32>, usize>,
    from: Vec<Vec<usize>>,
    lost: Vec<bool>,
}

impl Places {
    fn id(&mut self, place: Vec<u32>) -> usize {
        *self.ids.entry(place).or_insert_with_key(|place| {
            self.all.push(place.clone());
            self.from.push(Vec::new());
            self.lost.push(false);
            self.all.len() - 1
        })
    }
}

impl Game<'_> {
    /// The inputs that cannot be answered at the start, if there are any.
    fn lost_by(&self) -> Option<Vec<u32>> {
        let mut places = self.places()?;
        let mut open: VecDeque<usize> = (0..places.all.len()).rev().collect();
        while let Some(place) = open.pop_front() {
            if places.lost[place] || self.hopeless(&places, place).is_none() {
                continue;
            }
            places.lost[place] = true;
            open.extend(&places.from[place]);
        }
        if !places.lost[0] {
            return None;
        }
        places.lost[0] = false;
        self.hopeless(&places, 0)
    }

    fn places(&self) -> Option<Places> {
        let oracles: Vec<&Oracle> = self.members.iter().copied().flatten().collect();
        let mut places = Places::default();
        places.id(oracles.iter().map(|oracle| oracle.initial()).collect());
        let mut done = 0;
        while done < places.all.len() {
            if done > MOST_PRODUCT {
                return None;
            }
            let next = together(&oracles, &places.all[done]);
            for next in next.into_iter().filter(|next| !next.contains(&Oracle::BAD)) {
                let id = places.id(next);
                places.from[id].push(done);
            }
            done += 1;
        }
        Some(places)
    }

    /// Inputs to which every property alone has an answer, but no answer keeps all of them and hope.
    fn hopeless(&self, places: &Places, place: usize) -> Option<Vec<u32>> {
        let mut store = Diagrams::default();
        let at = &places.all[place];
        let oracles: Vec<&Oracle> = self.members.iter().copied().flatten().collect();
        let goes_on = |next: &Vec<u32>| places.ids.get(next).is_some_and(|next| !places.lost[*next]);
        let answered = self.answered(&oracles, at, &goes_on, &mut store);
        let mut asked = store.not(answered);
        let mut first = 0;
        for member in &self.members {
            let own = &at[first..first + member.len()];
            first += member.len();
            if asked != FALSE {
                let oracles: Vec<&Oracle> = member.iter().collect();
                let alone = self.answered(&oracles, own, &|next| !next.contains(&Oracle::BAD), &mut store);
                asked = store.and(asked, alone);
            }
        }
        given(&store, asked)
    }

    /// The inputs to which some output leads to a place that is good.
    fn answered(
        &self,
        oracles: &[&Oracle],
        at: &[u32],
        good: &dyn Fn(&Vec<u32>) -> bool,
        store: &mut Diagrams,
    ) -> Diagram {
        let start = oracles.iter().zip(at).map(|(oracle, state)| oracle.transitions(*state)).collect();
        Answers { oracles, is_input: self.is_input, good, store, known: FxHashMap::default() }.of(start)
    }
}

struct Answers<'a> {
    oracles: &'a [&'a Oracle],
    is_input: &'a dyn Fn(u32) -> bool,
    good: &'a dyn Fn(&Vec<u32>) -> bool,
    store: &'a mut Diagrams,
    known: FxHashMap<Vec<Diagram>, Diagram>,
}

impl Answers<'_> {
    fn of(&mut self, parts: Vec<Diagram>) -> Diagram {
        if let Some(known) = self.known.get(&parts) {
            return *known;
        }
        let tops = self.oracles.iter().zip(&parts).filter_map(|(oracle, part)| oracle.diagrams().split(*part));
        let found = match tops.map(|(variable, ..)| variable).min() {
            None => {
                let number = |(oracle, part): (&&Oracle, &Diagram)| oracle.diagrams().number(*part);
                let next: Option<Vec<u32>> = self.oracles.iter().zip(&parts).map(number).collect();
                let inside = next.filter(|next| !next.contains(&Oracle::OUTSIDE));
                if inside.is_some_and(|next| (self.good)(&next)) { TRUE } else { FALSE }
            }
            Some(variable) => {
                let branches = |(oracle, part): (&&Oracle, &Diagram)| oracle.diagrams().branches(*part, variable);
                let (low, high) = self.oracles.iter().zip(&parts).map(branches).unzip();
                let (low, high) = (self.of(low), self.of(high));
                match (self.is_input)(variable) {
                    true => self.store.node(variable, low, high),
                    false => self.store.or(low, high),
                }
            }
        };
        self.known.insert(parts, found);
        found
    }
}

/// The inputs of one letter for which a function over inputs is true: a letter with few of them.
fn given(store: &Diagrams, function: Diagram) -> Option<Vec<u32>> {
    let mut open = VecDeque::from([(function, Vec::new())]);
    while let Some((at, given)) = open.pop_front() {
        match store.split(at) {
            None if store.number(at) == Some(1) => return Some(given),
            None => {}
            Some((variable, low, high)) => {
                open.push_front((low, given.clone()));
                open.push_back((high, [&given[..], &[variable]].concat()));
            }
        }
    }
    None
}
