//! Plan, then send: which ways of filling a `collect` node are worth a run each.
//!
//! Checks are pure, so all ways through the node can be computed without sending anything. Two ways that lead to the same place
//! with the same observable events in the same order are the same to every property over these events, and one of them is
//! enough. This is the corrected form of the published algorithm, which loses behaviours (see [`crate::published_is_complete`]).
//!
//! Slots that no violable check speaks of, and all unobservable slots of a node without targets, only matter when
//! everything else is there. They are filled last, in one order; without that, `n` independent inputs would cost `2^n`.

use crate::driver::{Driving, Merge};
use crate::service::{Collect, EventId, Filling, Landing, Received, Service};
use crate::{Move, MoveEnd, Problem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Everything that is worth being sent to one node in one state.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    exits: Vec<Way>,
    /// A shortest way to every observable word that does not lead out, shortest first.
    stays: Vec<Way>,
    /// A shortest way to each violation without a target, if these are wanted.
    violations: Vec<Way>,
}

#[derive(Clone, Debug)]
struct Way {
    events: Vec<EventId>,
    /// Its observable events.
    word: Vec<EventId>,
    end: MoveEnd,
}

/// A partly filled node, and how it came to be so.
struct Filled<A> {
    at: A,
    received: Received,
    word: Vec<EventId>,
    /// The slots that were corrected, in order.
    corrected: Vec<u8>,
    events: Vec<EventId>,
}

/// Ways that are told apart: by what is observed, where they lead, whether by a violation, and what was corrected.
type ExitKey = (Vec<EventId>, u32, bool, Vec<u8>);
type SeenKey<A> = (Vec<EventId>, Received, A, Vec<u8>);

/// More ways through one node are not planned.
const MOST_WAYS: usize = 100_000;

pub(crate) fn too_many(place: &str) -> Problem {
    let message = format!(
        "the node `{place}` has more than {MOST_WAYS} ways to be filled: use smaller domains in a setup, fewer properties, or `--driver simple` with a small depth"
    );
    Problem::NotAService { message }
}

/// So many ways are not too many.
pub(crate) fn few_enough(ways: impl IntoIterator<Item = usize>) -> bool {
    ways.into_iter().try_fold(1usize, |all, more| all.checked_mul(more)).is_some_and(|all| all <= MOST_WAYS)
}

pub(crate) fn plan<S: Service>(service: &mut S, node: &Collect, driving: &Driving) -> Result<Plan, Problem> {
    let empty = node.slots.iter().filter(|slot| !slot.filled);
    if !few_enough(empty.map(|slot| slot.events.len().max(1))) {
        let place = service.place().node;
        return Err(too_many(&service.show_place(place)));
    }
    let idle = idle_slots(service, node, driving)?;
    let start = Filled {
        at: service.here(),
        received: node.received(),
        word: Vec::new(),
        corrected: Vec::new(),
        events: Vec::new(),
    };
    let mut planner = Planner {
        service,
        node,
        driving,
        idle,
        plan: Plan::default(),
        kept: FxHashMap::default(),
        seen: FxHashSet::default(),
        words: FxHashSet::default(),
        violated: Vec::new(),
    };
    let mut level = vec![start];
    while !level.is_empty() {
        let mut next = Vec::new();
        for filled in &level {
            planner.expand(filled, &mut next)?;
            if planner.seen.len() + planner.plan.exits.len() > MOST_WAYS {
                let place = planner.service.place().node;
                return Err(too_many(&planner.service.show_place(place)));
            }
        }
        level = next;
    }
    Ok(planner.plan)
}

struct Planner<'p, S: Service> {
    service: &'p mut S,
    node: &'p Collect,
    driving: &'p Driving,
    idle: u64,
    plan: Plan,
    kept: FxHashMap<ExitKey, FxHashSet<Received>>,
    seen: FxHashSet<SeenKey<S::At>>,
    words: FxHashSet<Vec<EventId>>,
    /// Checks whose violation the plan exercises already, and how well; in the order of [`Plan::violations`].
    violated: Vec<(usize, u8)>,
}

impl<S: Service> Planner<'_, S> {
    fn expand(&mut self, filled: &Filled<S::At>, next: &mut Vec<Filled<S::At>>) -> Result<(), Problem> {
        if self.words.insert(filled.word.clone()) {
            let (events, word) = (filled.events.clone(), filled.word.clone());
            self.plan.stays.push(Way { events, word, end: MoveEnd::Stop });
        }
        for slot in self.slots_to_fill(filled) {
            let node = self.node;
            for event in &node.slots[slot].events {
                self.extend(filled, slot, *event, next)?;
            }
        }
        Ok(())
    }

    /// The empty ones, idle ones last; and those that may be corrected.
    fn slots_to_fill(&self, filled: &Filled<S::At>) -> Vec<usize> {
        let empty = |slot: &usize| filled.received.0[*slot] == Filling::Nothing;
        let idle = |slot: &usize| self.idle >> slot & 1 == 1;
        let all = 0..self.node.slots.len();
        let corrections = (filled.corrected.len() as u64) < u64::from(self.driving.overwrite);
        let mut slots: Vec<usize> = all.clone().filter(|slot| !idle(slot) && (corrections || empty(slot))).collect();
        if !slots.iter().any(empty) {
            slots.extend(all.clone().filter(|slot| idle(slot) && empty(slot)).take(1));
        }
        slots
    }

    fn extend(
        &mut self,
        filled: &Filled<S::At>,
        slot: usize,
        event: EventId,
        next: &mut Vec<Filled<S::At>>,
    ) -> Result<(), Problem> {
        let received = filled.received.with(slot, event);
        let landing = self.service.follow(&filled.at, &received, event)?;
        if landing == Landing::Nowhere {
            return Ok(());
        }
        let mut word = filled.word.clone();
        if self.driving.observes(self.node.slots[slot].label) {
            word.push(event);
        }
        let mut corrected = filled.corrected.clone();
        if filled.received.0[slot] != Filling::Nothing {
            corrected.push(slot as u8);
            corrected.sort_unstable();
        }
        let mut events = filled.events.clone();
        events.push(event);
        match landing {
            Landing::Stay(at) => {
                let key = (word, received, at, corrected);
                if self.seen.contains(&key) {
                    return Ok(());
                }
                self.seen.insert(key.clone());
                let (word, received, at, corrected) = key;
                let filled = Filled { at, received, word, corrected, events };
                self.note_violation(&filled)?;
                next.push(filled);
            }
            Landing::Leave { node } => {
                let violation = first_violated(self.service, self.node, &received)?.is_some();
                let kept = self.kept.entry((word.clone(), node, violation, corrected)).or_default();
                let merged = match self.driving.merge {
                    Merge::Node => !kept.is_empty(),
                    Merge::Data => has_part_of(kept, &received),
                    Merge::Full => kept.contains(&received),
                };
                if !merged {
                    kept.insert(received);
                    self.plan.exits.push(Way { events, word, end: MoveEnd::Leave(node) });
                }
            }
            Landing::Nowhere => {}
        }
        Ok(())
    }

    /// Keeps the best way to each violation that leads nowhere: one that fills the node, so that a service without the check
    /// would go on and be seen, and violates nothing else.
    fn note_violation(&mut self, filled: &Filled<S::At>) -> Result<(), Problem> {
        if !self.driving.violations_once {
            return Ok(());
        }
        let Some(check) = first_violated(self.service, self.node, &filled.received)? else { return Ok(()) };
        let complete = !filled.received.0.contains(&Filling::Nothing);
        let later = check + 1..self.node.checks.len();
        let rank = match complete {
            false => 0,
            true if later.into_iter().all(|later| matches!(self.service.holds(later, &filled.received), Ok(true))) => 2,
            true => 1,
        };
        let known = self.violated.iter().position(|known| known.0 == check);
        if known.is_some_and(|known| self.violated[known].1 >= rank) {
            return Ok(());
        }
        let way = Way { events: filled.events.clone(), word: filled.word.clone(), end: MoveEnd::Stop };
        match known {
            Some(known) => (self.violated[known].1, self.plan.violations[known]) = (rank, way),
            None => {
                self.violated.push((check, rank));
                self.plan.violations.push(way);
            }
        }
        Ok(())
    }
}

impl Plan {
    /// What to send if only so many events may still be sent. Ways that are cut to the same events become one; an observable
    /// word that can be seen within the limit is seen.
    pub(crate) fn moves(&self, limit: usize) -> Rc<[Move]> {
        let mut chosen = Chosen::default();
        for way in &self.exits {
            let cut = way.events.len() > limit;
            let end = if cut { MoveEnd::Stop } else { way.end };
            chosen.add(&way.events[..way.events.len().min(limit)], &way.word, end);
        }
        for way in &self.violations {
            let events = &way.events[..way.events.len().min(limit)];
            if !chosen.starts_with(events) {
                chosen.add(events, &way.word, way.end);
            }
        }
        let mut stays: Vec<&Way> = self.stays.iter().filter(|way| way.events.len() <= limit).collect();
        stays.sort_by_key(|way| std::cmp::Reverse(way.word.len()));
        for way in stays {
            if !chosen.covered.contains(&way.word) {
                chosen.add(&way.events, &way.word, way.end);
            }
        }
        chosen.moves.into()
    }

    /// The length of the longest way.
    pub(crate) fn longest(&self) -> usize {
        let ways = self.exits.iter().chain(&self.stays).chain(&self.violations);
        ways.map(|way| way.events.len()).max().unwrap_or(0)
    }
}

#[derive(Default)]
struct Chosen {
    moves: Vec<Move>,
    known: FxHashSet<Vec<EventId>>,
    /// The observable words that are seen on the way.
    covered: FxHashSet<Vec<EventId>>,
}

impl Chosen {
    /// `word` may be longer than what the events show, if they were cut.
    fn add(&mut self, events: &[EventId], word: &[EventId], end: MoveEnd) {
        if !self.known.insert(events.to_vec()) {
            return;
        }
        let mut seen = 0;
        self.covered.insert(Vec::new());
        for event in events {
            if word.get(seen) == Some(event) {
                seen += 1;
                self.covered.insert(word[..seen].to_vec());
            }
        }
        self.moves.push(Move { events: events.into(), end });
    }

    fn starts_with(&self, events: &[EventId]) -> bool {
        self.moves.iter().any(|each| each.events.starts_with(events))
    }
}

/// One of them is a part of this: its parts are looked up, or all of them are looked at, whatever is less.
fn has_part_of(kept: &FxHashSet<Received>, received: &Received) -> bool {
    let filled: Vec<usize> = (0..received.0.len()).filter(|slot| received.0[*slot] != Filling::Nothing).collect();
    if filled.len() >= 20 || kept.len() < 1 << filled.len() {
        return kept.iter().any(|part| part.is_part_of(received));
    }
    let part = |mask: u32| {
        let mut part = received.clone();
        let left_out = filled.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 0);
        left_out.for_each(|(_, slot)| part.0[*slot] = Filling::Nothing);
        part
    };
    (0..1 << filled.len()).any(|mask| kept.contains(&part(mask)))
}

/// The first check that can be judged and is false.
pub(crate) fn first_violated<S: Service>(
    service: &mut S,
    node: &Collect,
    received: &Received,
) -> Result<Option<usize>, Problem> {
    let there = received.mask();
    for (index, check) in node.checks.iter().enumerate() {
        if check.signature & !there == 0 && !service.holds(index, received)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// The slots that may be filled last, in one order.
fn idle_slots<S: Service>(service: &mut S, node: &Collect, driving: &Driving) -> Result<u64, Problem> {
    if driving.merge == Merge::Full || driving.violations_once || driving.overwrite > 0 {
        return Ok(0);
    }
    let mut busy = 0;
    for (index, slot) in node.slots.iter().enumerate() {
        if driving.observes(slot.label) {
            busy |= 1 << index;
        }
    }
    if node.checks.iter().any(|check| check.target.is_some()) {
        for (index, check) in node.checks.iter().enumerate() {
            if check.signature & !busy != 0 && can_be_violated(service, node, index)? {
                busy |= check.signature;
            }
        }
    }
    Ok(!busy)
}

/// More combinations of values than this are not tried out.
const COMBINATIONS: usize = 4096;

fn can_be_violated<S: Service>(service: &mut S, node: &Collect, check: usize) -> Result<bool, Problem> {
    let signature = node.checks[check].signature;
    let mut all = vec![node.received()];
    for (index, slot) in node.slots.iter().enumerate().filter(|(index, _)| signature >> index & 1 == 1) {
        if all.len() * slot.events.len() > COMBINATIONS {
            return Ok(true);
        }
        all = all.iter().flat_map(|some| slot.events.iter().map(|event| some.with(index, *event))).collect();
    }
    for received in &all {
        // A check may rely on those before it, and fail where they do not hold: then it matters.
        if !matches!(service.holds(check, received), Ok(true)) {
            return Ok(true);
        }
    }
    Ok(false)
}
