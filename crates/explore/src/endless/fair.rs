//! Components that hold a fair cycle with all marks.
//!
//! Marks, weak fairness and the own steps of the system are satisfied by some edge or state, so the larger the component the better: one that lacks
//! them is given up whole. Strong fairness may ask for less instead: an action that is possible inside and never taken makes the states
//! where it is possible useless, and what is left is cut into components again. No list of disjunctions is ever written out.

use super::product::{Arc, Product};
use super::stored::Stored;
use interplay_temporal::{Edges, NOWHERE, components};
use rustc_hash::FxHashSet;

pub(crate) struct Fair<'f> {
    pub(crate) stored: &'f Stored<'f>,
    pub(crate) product: &'f Product,
}

/// What a cycle has to see; each is a need of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) marks: u64,
    /// An own step, or a state without one.
    pub(crate) own: bool,
    /// Classes that are taken, or not possible somewhere.
    pub(crate) weak: Vec<u32>,
    /// Classes that are taken.
    pub(crate) taken: Vec<u32>,
}

impl Needs {
    pub(crate) fn is_met(&self) -> bool {
        self.marks == 0 && !self.own && self.weak.is_empty() && self.taken.is_empty()
    }

    /// What is left after a step.
    pub(crate) fn see_arc(&mut self, fair: &Fair<'_>, arc: &Arc) -> bool {
        let before = self.clone();
        let (_, kind) = fair.stored.step(arc.place);
        self.marks &= !arc.marks;
        self.own &= !kind.own;
        self.weak.retain(|class| !kind.classes.contains(class));
        self.taken.retain(|class| !kind.classes.contains(class));
        *self != before
    }

    /// What is left after a state.
    pub(crate) fn see_node(&mut self, fair: &Fair<'_>, node: u32) -> bool {
        if !self.own && self.weak.is_empty() {
            return false;
        }
        let before = self.clone();
        let state = fair.product.nodes[node as usize];
        self.own &= fair.stored.possible(state).any(|kind| kind.owed);
        let possible = fair.possible(node);
        self.weak.retain(|class| possible.contains(class));
        *self != before
    }
}

impl Fair<'_> {
    /// The classes that are possible at a node.
    fn possible(&self, node: u32) -> FxHashSet<u32> {
        let state = self.product.nodes[node as usize];
        self.stored.possible(state).flat_map(|kind| kind.classes.iter().copied()).collect()
    }
}

/// The nodes of a component that holds a fair cycle, and what that cycle has to see; of several the nearest.
pub(crate) struct Component {
    pub(crate) nodes: FxHashSet<u32>,
    pub(crate) needs: Needs,
}

pub(crate) fn fair_component(fair: &Fair<'_>) -> Option<Component> {
    let all = (0..fair.product.nodes.len() as u32).collect();
    let mut open: Vec<Vec<u32>> = vec![all];
    let mut best: Option<Component> = None;
    let first = |nodes: &FxHashSet<u32>| nodes.iter().min().copied();
    while let Some(nodes) = open.pop() {
        for nodes in cut(fair, &nodes) {
            match judged(fair, &nodes) {
                Found::Fair(needs) => {
                    let found = Component { nodes: nodes.into_iter().collect(), needs };
                    if best.as_ref().is_none_or(|best| first(&found.nodes) < first(&best.nodes)) {
                        best = Some(found);
                    }
                }
                Found::Less(nodes) => open.push(nodes),
                Found::Nothing => {}
            }
        }
    }
    best
}

/// The components among these nodes that have a cycle.
fn cut(fair: &Fair<'_>, nodes: &[u32]) -> Vec<Vec<u32>> {
    let whole = nodes.len() == fair.product.nodes.len();
    let mut place = vec![NOWHERE; if whole { 0 } else { fair.product.nodes.len() }];
    if !whole {
        nodes.iter().enumerate().for_each(|(index, node)| place[*node as usize] = index as u32);
    }
    let at = |node: u32| if whole { node } else { place[node as usize] };
    let mut edges = Edges { offsets: vec![0], targets: Vec::new() };
    for node in nodes {
        let inner = fair.product.arcs(*node).iter().filter(|arc| arc.turns).map(|arc| at(arc.target));
        edges.targets.extend(inner);
        edges.offsets.push(edges.targets.len());
    }
    let (component, count) = components(&edges);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for (index, node) in nodes.iter().enumerate() {
        members[component[index] as usize].push(*node);
    }
    let loops = |node: u32| fair.product.arcs(node).iter().any(|arc| arc.turns && arc.target == node);
    members.retain(|members| members.len() > 1 || members.iter().any(|node| loops(*node)));
    members
}

enum Found {
    Fair(Needs),
    /// What is left if strong fairness is to be kept.
    Less(Vec<u32>),
    Nothing,
}

fn judged(fair: &Fair<'_>, nodes: &[u32]) -> Found {
    let inside: FxHashSet<u32> = nodes.iter().copied().collect();
    let (mut possible, mut weak): (FxHashSet<u32>, FxHashSet<u32>) = Default::default();
    for node in nodes.iter().filter(|_| !fair.stored.classes.is_empty()) {
        possible.extend(fair.possible(*node));
    }
    weak.extend(possible.iter().filter(|class| !fair.stored.classes[**class as usize].strongly));
    let mut strong: Vec<u32> = possible.difference(&weak).copied().collect();
    strong.sort_unstable();
    let mut weak: Vec<u32> = weak.into_iter().collect();
    weak.sort_unstable();
    let needs = Needs { marks: fair.product.marks, own: true, weak, taken: strong };
    let mut left = needs.clone();
    for node in nodes {
        left.see_node(fair, *node);
        for arc in fair.product.arcs(*node).iter().filter(|arc| arc.turns && inside.contains(&arc.target)) {
            left.see_arc(fair, arc);
        }
        if left.is_met() {
            return Found::Fair(needs);
        }
    }
    if left.marks != 0 || left.own || !left.weak.is_empty() {
        return Found::Nothing;
    }
    let useless = |node: &u32| fair.possible(*node).iter().any(|class| left.taken.contains(class));
    Found::Less(nodes.iter().copied().filter(|node| !useless(node)).collect())
}
