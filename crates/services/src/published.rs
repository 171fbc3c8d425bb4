//! The optimised driver as published (Figure 2 of the paper), kept as a baseline.
//!
//! It tosses a value for every event of the node at once, chooses one violated check with a target, and sends the events of
//! its signature, unobservable ones first. That loses behaviours: words of observable events that do not lead out of the node,
//! ways out that need more events than the signature has, or another order. [`published_is_complete`] says when it does not.

use crate::driver::Driving;
use crate::plan::{few_enough, too_many};
use crate::service::{CheckShape, Collect, EventId, Filling, Received, Service};
use crate::{Move, MoveEnd, Problem};
use std::rc::Rc;

pub(crate) fn published<S: Service>(service: &mut S, node: &Collect, driving: &Driving) -> Result<Rc<[Move]>, Problem> {
    let open: Vec<usize> = (0..node.slots.len()).filter(|slot| !node.slots[*slot].filled).collect();
    let mut moves = Vec::new();
    if open.is_empty() {
        return Ok(moves.into());
    }
    let observable = observable_slots(node, driving).count_ones() as usize;
    let values = open.iter().map(|slot| node.slots[*slot].events.len());
    if !few_enough(values.chain(1..=observable)) {
        let place = service.place().node;
        return Err(too_many(&service.show_place(place)));
    }
    for received in assignments(node, &open) {
        let marked = marked(service, node, &received, driving)?;
        let open = open.iter().fold(0, |mask, slot| mask | 1u64 << slot);
        let with_target = marked.iter().filter(|check| node.checks[**check].target.is_some());
        let chosen: Vec<u64> = match marked[..] {
            [] => vec![open],
            _ => with_target.map(|check| node.checks[*check].signature & open).filter(|mask| *mask != 0).collect(),
        };
        if chosen.is_empty() {
            moves.push(Move { events: [].into(), end: MoveEnd::Halt });
        }
        for mask in chosen {
            moves.extend(orders(node, &received, mask, driving));
        }
    }
    Ok(moves.into())
}

/// A value for every open slot, in all combinations, the last slot changing fastest.
fn assignments(node: &Collect, open: &[usize]) -> Vec<Received> {
    open.iter().fold(vec![node.received()], |rows, slot| {
        let events = &node.slots[*slot].events;
        rows.iter().flat_map(|row| events.iter().map(|event| row.with(*slot, *event))).collect()
    })
}

/// Step 2.c.iii: the violated checks, without those that an earlier one makes superfluous (or so it was thought).
fn marked<S: Service>(
    service: &mut S,
    node: &Collect,
    received: &Received,
    driving: &Driving,
) -> Result<Vec<usize>, Problem> {
    let observable = observable_slots(node, driving);
    let mut marked: Vec<usize> = Vec::new();
    for (index, check) in node.checks.iter().enumerate() {
        let superfluous = marked.iter().any(|earlier| {
            let earlier = &node.checks[*earlier];
            let same_way = earlier.target == check.target;
            earlier.signature & !check.signature == 0
                || same_way && earlier.signature & observable == check.signature & observable
        });
        // A check may rely on those before it; where it cannot be judged, one of them is violated.
        if !superfluous && !matches!(service.holds(index, received), Ok(true)) {
            marked.push(index);
        }
    }
    Ok(marked)
}

fn observable_slots(node: &Collect, driving: &Driving) -> u64 {
    let slots = node.slots.iter().enumerate().filter(|(_, slot)| driving.observes(slot.label));
    slots.fold(0, |mask, (index, _)| mask | 1 << index)
}

/// Unobservable events first, in one order; then the observable ones in all orders.
fn orders(node: &Collect, received: &Received, mask: u64, driving: &Driving) -> Vec<Move> {
    let observable = observable_slots(node, driving);
    let events = |mask: u64| -> Vec<EventId> {
        let chosen = received.0.iter().enumerate().filter(|(slot, _)| mask >> slot & 1 == 1);
        let event = |(_, filling): (usize, &Filling)| match filling {
            Filling::Event(event) => Some(*event),
            _ => None,
        };
        chosen.filter_map(event).collect()
    };
    let first = events(mask & !observable);
    let order = |last: Vec<EventId>| Move { events: [&first[..], &last].concat().into(), end: MoveEnd::Open };
    permutations(&events(mask & observable)).into_iter().map(order).collect()
}

fn permutations(events: &[EventId]) -> Vec<Vec<EventId>> {
    if events.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |index: usize| {
        let mut others = events.to_vec();
        let first = others.remove(index);
        permutations(&others).into_iter().map(move |rest| [&[first][..], &rest].concat())
    };
    (0..events.len()).flat_map(with_first).collect()
}

/// Why the published driver finds all ways out of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complete {
    /// No check has a target.
    NoTargets,
    /// Nothing in the node is observable, and no check is followed by one with a strictly smaller signature.
    NothingObservable,
    /// Every check with a target needs all observable events, and no check is followed by one with a strictly smaller signature.
    TargetsSeeAll,
}

/// Whether the published driver finds all ways out of a node with these checks; `observable` are the slots that the properties
/// speak of. Even then it loses observable words that stay at the node, if some slot is observable.
pub fn published_is_complete(checks: &[CheckShape], observable: u64) -> Option<Complete> {
    let smaller_later = checks.iter().enumerate().any(|(index, check)| {
        let smaller =
            |later: &CheckShape| later.signature & !check.signature == 0 && later.signature != check.signature;
        checks[index + 1..].iter().any(smaller)
    });
    let mut targets = checks.iter().filter(|check| check.target.is_some());
    if checks.iter().all(|check| check.target.is_none()) {
        Some(Complete::NoTargets)
    } else if smaller_later {
        None
    } else if observable == 0 {
        Some(Complete::NothingObservable)
    } else {
        targets.all(|check| observable & !check.signature == 0).then_some(Complete::TargetsSeeAll)
    }
}
