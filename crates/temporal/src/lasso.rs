//! The definition of the formulas on endless runs, as a program: the truth of every subformula at every position of a *lasso*, a run
//! that repeats its last part for ever. No automaton takes part, so that whatever an automaton finds can be checked by it.
//!
//! What lasts is a greatest fixpoint, what has to come a least one. What was before the loop is different in its first rounds; after as many
//! rounds as operators about the past are nested it repeats too, so the loop is written out so often. A run that repeats only steps that nobody
//! sees has a last position, and is judged by [`Table`] as a run that is over.

use crate::formula::{Formula, Node, NodeId};
use crate::naive::{Run, Table};
use crate::read::Part;
use crate::truth::Truth;
use rustc_hash::FxHashMap;

/// One position of a run with the states behind it, before the next one.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The truth of each atom.
    pub letter: Vec<bool>,
    pub between: Vec<Vec<bool>>,
}

/// A run without end.
#[derive(Clone, Debug, Default)]
pub struct Lasso {
    pub stem: Vec<Position>,
    /// Repeated for ever; without a position nothing is heard any more.
    pub cycle: Vec<Position>,
    /// The first position is the initial state, which is no step.
    pub has_first: bool,
}

impl Lasso {
    /// Whether the run keeps a part of a property; `None` for bounds in time.
    pub fn keeps(&self, formula: &Formula, part: Part) -> Option<bool> {
        let order = formula.closure(part.id);
        if order.iter().any(|id| matches!(formula.node(*id), Node::Soon(..))) {
            return None;
        }
        let begin = usize::from(part.late && self.has_first);
        if self.cycle.is_empty() {
            return Some(self.keeps_to_the_end(formula, part, begin));
        }
        let rounds =
            1 + order.iter().filter(|id| matches!(formula.node(**id), Node::Previous(_) | Node::Since(..))).count();
        let mut positions: Vec<&Position> = self.stem.iter().collect();
        (0..=rounds).for_each(|_| positions.extend(&self.cycle));
        let back = positions.len() - self.cycle.len();
        let mut rows =
            Rows { formula, late: part.late, has_first: self.has_first, positions, back, rows: FxHashMap::default() };
        for id in order {
            let row = rows.row(id);
            rows.rows.insert(id, row);
        }
        Some(rows.rows[&part.id][begin])
    }

    fn keeps_to_the_end(&self, formula: &Formula, part: Part, begin: usize) -> bool {
        let letter = |letter: &Vec<bool>| letter.iter().map(|holds| Truth::from(*holds)).collect();
        let run = Run {
            letters: self.stem.iter().map(|position| letter(&position.letter)).collect(),
            between: self.stem.iter().map(|position| position.between.iter().map(letter).collect()).collect(),
            has_first: self.has_first,
            is_late: part.late,
            is_over: true,
            ..Run::default()
        };
        run.letters.len() <= begin || Table::new(formula, part.id, &run).of(part.id)[begin] != Truth::False
    }
}

struct Rows<'l> {
    formula: &'l Formula,
    late: bool,
    has_first: bool,
    positions: Vec<&'l Position>,
    /// Where the last position leads.
    back: usize,
    rows: FxHashMap<NodeId, Vec<bool>>,
}

impl Rows<'_> {
    fn row(&self, id: NodeId) -> Vec<bool> {
        let count = self.positions.len();
        let at = |id: NodeId, position: usize| self.rows[&id][position];
        let next = |position: usize| if position + 1 < count { position + 1 } else { self.back };
        let each = |value: &dyn Fn(usize) -> bool| (0..count).map(value).collect::<Vec<bool>>();
        // What does not speak of the state alone has no position 0.
        let first = |id: NodeId| usize::from(self.has_first && self.late && !self.formula.has_first(id));
        let from = |position: usize| position.min(self.back)..count;
        match self.formula.node(id) {
            Node::Constant(value) => vec![value; count],
            Node::Present { .. } => vec![true; count],
            Node::Atom(atom) => each(&|position| self.positions[position].letter[atom as usize]),
            Node::Not(inner) => each(&|position| !at(inner, position)),
            Node::And(left, right) => each(&|position| at(left, position) && at(right, position)),
            Node::Or(left, right) => each(&|position| at(left, position) || at(right, position)),
            Node::Previous(inner) => each(&|position| position > first(inner) && at(inner, position - 1)),
            Node::Since(left, right) => {
                let mut row: Vec<bool> = Vec::with_capacity(count);
                for position in 0..count {
                    let before = position > 0 && row[position - 1] && at(left, position);
                    row.push(position >= first(right) && at(right, position) || before);
                }
                row
            }
            Node::Next(inner) => each(&|position| at(inner, next(position))),
            Node::Always(inner) => each(&|position| {
                let ahead = if position < self.back { position..count } else { from(position) };
                ahead.into_iter().all(|later| at(inner, later))
            }),
            Node::Throughout(inner) => each(&|position| {
                let ahead = if position < self.back { position..count } else { from(position) };
                let between = |later: usize| {
                    self.positions[later].between.iter().all(|letter| plain(self.formula, inner, letter))
                };
                ahead.into_iter().all(|later| at(inner, later) && between(later))
            }),
            Node::Unless(left, right) => self.greatest(&|position, later: &[bool]| {
                at(right, position) || at(left, position) && later[next(position)]
            }),
            Node::Within(steps, inner) => each(&|position| {
                let ahead = std::iter::successors(Some(position), |position| Some(next(*position)));
                ahead.take(steps as usize + 1).any(|later| at(inner, later))
            }),
            Node::Soon(..) => unreachable!("bounds in time were refused"),
        }
    }

    fn greatest(&self, holds: &dyn Fn(usize, &[bool]) -> bool) -> Vec<bool> {
        let mut row = vec![true; self.positions.len()];
        loop {
            let mut changed = false;
            for position in (0..row.len()).rev() {
                let now = holds(position, &row);
                changed |= row[position] != now;
                row[position] = now;
            }
            if !changed {
                return row;
            }
        }
    }
}

/// A condition on one state.
fn plain(formula: &Formula, id: NodeId, letter: &[bool]) -> bool {
    let of = |id: NodeId| plain(formula, id, letter);
    match formula.node(id) {
        Node::Constant(value) => value,
        Node::Atom(atom) => letter[atom as usize],
        Node::Not(inner) => !of(inner),
        Node::And(left, right) => of(left) && of(right),
        Node::Or(left, right) => of(left) || of(right),
        other => unreachable!("{other:?} is not about one state"),
    }
}
