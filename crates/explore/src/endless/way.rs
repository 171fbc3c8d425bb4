//! A short way into a component and a short cycle there that sees all it needs: always the nearest thing that is missing, from several
//! places near the beginning.

use super::fair::{Component, Fair, Needs};
use super::product::Arc;
use super::stored::Stored;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many places are tried as the beginning of the cycle.
const STARTS: usize = 32;

/// Steps of the stored graph, by their places.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) start: u32,
    pub(crate) stem: Vec<usize>,
    pub(crate) cycle: Vec<usize>,
}

pub(crate) fn shortest(fair: &Fair<'_>, component: &Component) -> Way {
    let parents = parents(fair);
    let stem = |mut node: u32| {
        let mut places = Vec::new();
        while let Some((parent, place)) = parents[node as usize] {
            places.push(place);
            node = parent;
        }
        places.reverse();
        (fair.product.nodes[node as usize], places)
    };
    let mut starts: Vec<u32> = component.nodes.iter().copied().collect();
    starts.sort_unstable();
    starts.truncate(STARTS);
    let ways = starts.into_iter().map(|begin| {
        let (start, stem) = stem(begin);
        Way { start, stem, cycle: cycle(fair, component, begin) }
    });
    ways.min_by_key(|way| (way.stem.len() + way.cycle.len(), way.cycle.len())).expect("a component has nodes")
}

/// The same cycle entered earlier, where the way to it passes through one of its states: shorter ways, the shortest first. Only the evaluation
/// of the formula says whether they break it, too, because an automaton may need the longer way to find its place.
pub(crate) fn folded(stored: &Stored<'_>, way: &Way) -> Vec<Way> {
    let target = |place: &usize| stored.step(*place).0;
    let mut on_the_way = vec![way.start];
    on_the_way.extend(way.stem.iter().map(target));
    let mut on_the_cycle = vec![*on_the_way.last().expect("it begins somewhere")];
    on_the_cycle.extend(way.cycle.iter().map(target));
    on_the_cycle.pop();
    let mut ways = Vec::new();
    for (length, here) in on_the_way[..way.stem.len()].iter().enumerate() {
        for (turn, _) in on_the_cycle.iter().enumerate().filter(|(_, state)| *state == here) {
            let mut cycle = way.cycle.clone();
            cycle.rotate_left(turn);
            ways.push(Way { start: way.start, stem: way.stem[..length].to_vec(), cycle });
        }
    }
    ways
}

/// Of each node the one before it on a shortest way, and the step between.
fn parents(fair: &Fair<'_>) -> Vec<Option<(u32, usize)>> {
    let mut parents = vec![None; fair.product.nodes.len()];
    let mut met = vec![false; parents.len()];
    let mut open: VecDeque<u32> = fair.product.initial.iter().copied().collect();
    open.iter().for_each(|node| met[*node as usize] = true);
    while let Some(node) = open.pop_front() {
        for arc in fair.product.arcs(node) {
            if !std::mem::replace(&mut met[arc.target as usize], true) {
                parents[arc.target as usize] = Some((node, arc.place));
                open.push_back(arc.target);
            }
        }
    }
    parents
}

/// From one node to whatever is missing, again and again, and back.
fn cycle(fair: &Fair<'_>, component: &Component, begin: u32) -> Vec<usize> {
    let (mut needs, mut at, mut places) = (component.needs.clone(), begin, Vec::new());
    needs.see_node(fair, at);
    while !needs.is_met() {
        let walked = walk(fair, component, at, &|arc| sees(fair, &needs, arc));
        for arc in &walked {
            needs.see_arc(fair, arc);
            needs.see_node(fair, arc.target);
            places.push(arc.place);
        }
        at = walked.last().expect("what is missing is in the component").target;
    }
    if at != begin || places.is_empty() {
        places.extend(walk(fair, component, at, &|arc| arc.target == begin).iter().map(|arc| arc.place));
    }
    places
}

fn sees(fair: &Fair<'_>, needs: &Needs, arc: &Arc) -> bool {
    let mut after = needs.clone();
    after.see_arc(fair, arc) || after.see_node(fair, arc.target)
}

/// The shortest way inside the component whose last step is wanted; at least one step.
fn walk(fair: &Fair<'_>, component: &Component, from: u32, wanted: &dyn Fn(&Arc) -> bool) -> Vec<Arc> {
    let mut parents: FxHashMap<u32, (u32, Arc)> = FxHashMap::default();
    let mut open = VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        let inner = fair.product.arcs(node).iter();
        for arc in inner.filter(|arc| arc.turns && component.nodes.contains(&arc.target)) {
            if wanted(arc) {
                let (mut way, mut at) = (vec![*arc], node);
                while at != from {
                    let (parent, arc) = parents[&at];
                    way.push(arc);
                    at = parent;
                }
                way.reverse();
                return way;
            }
            if arc.target != from && !parents.contains_key(&arc.target) {
                parents.insert(arc.target, (node, *arc));
                open.push_back(arc.target);
            }
        }
    }
    Vec::new()
}
