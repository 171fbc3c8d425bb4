//! `always e`, where `e` speaks only of the past, in constant memory and without an automaton: one truth value for each
//! subformula that the next step needs (Havelund and Rosu).
//!
//! The memory starts as "false", or as "not known" in the middle of a run.

use crate::formula::{Formula, Node, NodeId};
use crate::oracle::Letter;
use crate::truth::Truth;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Past {
    /// Parts before wholes; operands are places in this list.
    program: Vec<Node>,
    /// Places whose value the next step needs.
    remembered: Vec<u32>,
    place: FxHashMap<u32, usize>,
}

impl Past {
    /// `None` if the formula is not `always e` with `e` about the past.
    pub fn new(formula: &Formula, root: NodeId) -> Option<Past> {
        let Node::Always(body) = formula.node(root) else { return None };
        if formula.has_future(body) {
            return None;
        }
        let order = formula.closure(body);
        let number: FxHashMap<NodeId, NodeId> =
            order.iter().enumerate().map(|(index, id)| (*id, NodeId(index as u32))).collect();
        let moved = |node: Node| match node {
            Node::Not(inner) => Node::Not(number[&inner]),
            Node::And(left, right) => Node::And(number[&left], number[&right]),
            Node::Or(left, right) => Node::Or(number[&left], number[&right]),
            Node::Previous(inner) => Node::Previous(number[&inner]),
            Node::Since(left, right) => Node::Since(number[&left], number[&right]),
            plain => plain,
        };
        let program: Vec<Node> = order.iter().map(|id| moved(formula.node(*id))).collect();
        let mut remembered = Vec::new();
        for (index, node) in program.iter().enumerate() {
            let needed = match node {
                Node::Previous(inner) => inner.0,
                Node::Since(..) => index as u32,
                _ => continue,
            };
            if !remembered.contains(&needed) {
                remembered.push(needed);
            }
        }
        let place = remembered.iter().enumerate().map(|(index, at)| (*at, index)).collect();
        Some(Past { program, remembered, place })
    }

    pub fn start(&self, from_the_middle: bool) -> Box<[Truth]> {
        let before = if from_the_middle { Truth::Unknown } else { Truth::False };
        vec![before; self.remembered.len()].into()
    }

    /// The truth of `e` in this step. An atom that cannot be judged is a mistake only if the answer depends on it.
    pub fn step<L: Letter>(&self, memory: &mut [Truth], letter: &L) -> Result<Truth, L::Error> {
        let mut values: Vec<Truth> = Vec::with_capacity(self.program.len());
        let mut wrong = None;
        for (index, node) in self.program.iter().enumerate() {
            let at = |id: NodeId| values[id.0 as usize];
            values.push(match *node {
                Node::Constant(value) => value.into(),
                Node::Atom(atom) => letter.holds(atom).map(Truth::from).unwrap_or_else(|error| {
                    wrong = Some(error);
                    Truth::Unknown
                }),
                Node::Not(inner) => !at(inner),
                Node::And(left, right) => at(left).and(at(right)),
                Node::Or(left, right) => at(left).or(at(right)),
                Node::Previous(inner) => memory[self.place[&inner.0]],
                Node::Since(left, right) => at(right).or(at(left).and(memory[self.place[&(index as u32)]])),
                other => unreachable!("{other:?} speaks of the future"),
            });
        }
        for (slot, at) in memory.iter_mut().zip(&self.remembered) {
            *slot = values[*at as usize];
        }
        match (values.last().copied().unwrap_or(Truth::True), wrong) {
            (Truth::Unknown, Some(error)) => Err(error),
            (truth, _) => Ok(truth),
        }
    }
}
