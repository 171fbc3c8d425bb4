//! Two conversations become one: events are taken from the front of either, and one is refused (a veto) if the rest of the
//! other conversation could then no longer do what it is for. What both begin with happens once.

use super::mine::{Mask, held};
use super::run::Player;
use crate::Wanted;
use hashbrown::HashSet;
use interplay_semantics::{Event, Value};

/// A conversation and the conjuncts it is for.
pub(super) struct Side<'s> {
    pub(super) events: &'s [Event],
    pub(super) mask: Mask,
}

/// So many steps of one merge are tried.
const TRIES: usize = 4_000;

/// The events of both sides, so that both have what they are for at the end.
pub(super) fn merge(
    player: &mut Player<'_>,
    wanted: &Wanted,
    values: &[Value],
    start: u32,
    sides: [Side<'_>; 2],
) -> Option<Vec<Event>> {
    let mut merging = Merging { player, wanted, values, sides, hopeless: HashSet::new(), tries: 0 };
    let mut result = Vec::new();
    merging.go(start, [0, 0], &mut result).then_some(result)
}

struct Merging<'m, 'p> {
    player: &'m mut Player<'p>,
    wanted: &'m Wanted,
    values: &'m [Value],
    sides: [Side<'m>; 2],
    hopeless: HashSet<(u32, [usize; 2])>,
    tries: usize,
}

impl Merging<'_, '_> {
    /// The invariant: from here the rest of either side alone does what it is for.
    fn go(&mut self, state: u32, at: [usize; 2], result: &mut Vec<Event>) -> bool {
        let heads = [0, 1].map(|side| self.sides[side].events.get(at[side]));
        if heads == [None, None] {
            return self.does(state, 0) && self.does(state, 1);
        }
        self.tries += 1;
        if self.tries > TRIES || self.hopeless.contains(&(state, at)) {
            return false;
        }
        if let [Some(one), Some(other)] = heads
            && one == other
            && self.take(state, &one.clone(), [at[0] + 1, at[1] + 1], result)
        {
            return true;
        }
        for side in [0, 1] {
            let Some(event) = self.sides[side].events.get(at[side]) else { continue };
            let mut next = at;
            next[side] += 1;
            if self.is_allowed(state, event, side, at) && self.take(state, event, next, result) {
                return true;
            }
        }
        self.hopeless.insert((state, at));
        false
    }

    fn take(&mut self, state: u32, event: &Event, next: [usize; 2], result: &mut Vec<Event>) -> bool {
        let Some(target) = self.player.step(state, event) else { return false };
        result.push(event.clone());
        if self.go(target, next, result) {
            return true;
        }
        result.pop();
        false
    }

    /// The other side can still do what it is for.
    fn is_allowed(&mut self, state: u32, event: &Event, side: usize, at: [usize; 2]) -> bool {
        let other = 1 - side;
        let Some(target) = self.player.step(state, event) else { return false };
        let rest = &self.sides[other].events[at[other]..];
        self.player.play(target, rest).is_some_and(|end| self.does(end, other))
    }

    fn does(&self, state: u32, side: usize) -> bool {
        let mask = self.sides[side].mask;
        held(self.player.instance, self.wanted, &self.player.states[state as usize], self.values) & mask == mask
    }
}
