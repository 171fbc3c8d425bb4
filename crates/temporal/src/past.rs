//! `always e`, where `e` speaks only of the past, in constant memory and without an automaton: one truth value for each
//! subformula that the next step needs (Havelund and Rosu).
//!
//! The memory starts as "false", or as "not known" in the middle of a run.

use crate::atom::{Atom, Moment};
use crate::formula::{Formula, Node, NodeId};
use crate::oracle::Letter;
use crate::read::Part;
use crate::truth::Truth;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Past {
    /// Parts before wholes; operands are places in this list.
    program: Vec<Node>,
    /// Places whose value the next step needs.
    remembered: Vec<u32>,
    place: FxHashMap<u32, usize>,
    /// Of each place: it says something of the initial state.
    has_first: Vec<bool>,
    speaks: Vec<bool>,
    late: bool,
    /// The formula tells steps inside the system from positions.
    between: bool,
}

impl Past {
    /// `None` if the formula is not `always e` with `e` about the past.
    pub fn new(formula: &Formula, part: Part) -> Option<Past> {
        let (Node::Always(body) | Node::Throughout(body)) = formula.node(part.id) else { return None };
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
        let speaks = order.iter().map(|id| formula.speaks_of_events(*id)).collect();
        let has_first = order.iter().map(|id| formula.has_first(*id)).collect();
        let between = matches!(formula.node(part.id), Node::Always(_)) && formula.atoms.contains(&Atom::Between);
        Some(Past { program, remembered, place, has_first, speaks, late: part.late, between })
    }

    /// Something is remembered of the initial state: it was there, or what it waits for was.
    fn remembers_first(&self, at: u32) -> bool {
        let right = match self.program[at as usize] {
            Node::Since(_, right) => self.has_first[right.0 as usize],
            _ => false,
        };
        right || self.has_first[at as usize]
    }

    pub fn start(&self, from_the_middle: bool) -> Box<[Truth]> {
        let before = if from_the_middle { Truth::Unknown } else { Truth::False };
        vec![before; self.remembered.len()].into()
    }

    /// The truth of `e` in this step. An atom that cannot be judged is a mistake only if the answer depends on it.
    pub fn step<L: Letter>(&self, memory: &mut [Truth], letter: &L, moment: Moment) -> Result<Truth, L::Error> {
        if self.between && moment == Moment::Between {
            return Ok(Truth::True);
        }
        // What is judged from the first step on remembers the initial state as far as it speaks of states.
        let silent = |index: usize| self.late && moment == Moment::First && self.speaks[index];
        let mut values: Vec<Truth> = Vec::with_capacity(self.program.len());
        let mut wrong = None;
        for (index, node) in self.program.iter().enumerate() {
            let at = |id: NodeId| values[id.0 as usize];
            values.push(match *node {
                Node::Since(_, right) if silent(index) && self.has_first[right.0 as usize] => at(right),
                _ if silent(index) => Truth::False,
                Node::Constant(value) => value.into(),
                Node::Present { .. } => Truth::True,
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
            let absent = self.late && moment == Moment::First && !self.remembers_first(*at);
            *slot = if absent { Truth::False } else { values[*at as usize] };
        }
        if self.late && moment == Moment::First {
            return wrong.map_or(Ok(Truth::True), Err);
        }
        match (values.last().copied().unwrap_or(Truth::True), wrong) {
            (Truth::Unknown, Some(error)) => Err(error),
            (truth, _) => Ok(truth),
        }
    }
}
