//! The definition of the formulas, as a program: the truth of every subformula at every position of a finite run.
//!
//! It is slow and obvious on purpose, and is what oracles are compared with. What lies after the end is not known, and
//! neither is what lies before the beginning if the run starts in the middle. The same table tells a person why a
//! property is violated.

use crate::formula::{Formula, Node, NodeId};
use crate::truth::Truth;
use rustc_hash::FxHashMap;

/// A finite run, as a formula sees it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The truth of each atom in each step.
    pub letters: Vec<Vec<Truth>>,
    /// In microseconds; without it nothing is too late.
    pub times: Option<Vec<u64>>,
    /// So late it is now, if more than that of the last step is known: nothing has happened since.
    pub now: Option<u64>,
    /// Something unknown happened before.
    pub from_the_middle: bool,
    /// The first letter is the initial state, which is no step.
    pub has_first: bool,
    /// The formula is judged from the first step on.
    pub is_late: bool,
    /// After each position, the states that followed it before the next one. May be shorter.
    pub between: Vec<Vec<Vec<Truth>>>,
    /// Nothing comes any more: the last state rests.
    pub is_over: bool,
}

/// The truth of `id` and everything in it: one row for each position.
#[derive(Clone, Debug)]
pub struct Table {
    rows: FxHashMap<NodeId, Vec<Truth>>,
}

impl Table {
    pub fn new(formula: &Formula, id: NodeId, run: &Run) -> Table {
        let mut table = Table { rows: FxHashMap::default() };
        table.add(formula, id, run);
        table
    }

    /// Another subformula, of the same run.
    pub fn add(&mut self, formula: &Formula, id: NodeId, run: &Run) {
        if self.rows.contains_key(&id) {
            return;
        }
        for part in formula.closure(id) {
            if !self.rows.contains_key(&part) {
                let row = self.row(formula, part, run);
                self.rows.insert(part, row);
            }
        }
    }

    /// The truth of a subformula at each position.
    pub fn of(&self, id: NodeId) -> &[Truth] {
        &self.rows[&id]
    }

    fn row(&self, formula: &Formula, id: NodeId, run: &Run) -> Vec<Truth> {
        let length = run.letters.len();
        let at = |id: NodeId, position: usize| self.rows[&id].get(position).copied().unwrap_or(Truth::Unknown);
        let before = if run.from_the_middle { Truth::Unknown } else { Truth::False };
        let each = |value: &dyn Fn(usize) -> Truth| (0..length).map(value).collect::<Vec<Truth>>();
        // What does not speak of the state alone has no position 0.
        let first = |id: NodeId| usize::from(run.has_first && run.is_late && !formula.has_first(id));
        // What has not come by the end will not come.
        let beyond = if run.is_over { Truth::False } else { Truth::Unknown };
        // What lasts to the end has lasted.
        let lasted = if run.is_over { Truth::True } else { Truth::Unknown };
        match formula.node(id) {
            Node::Constant(value) => vec![value.into(); length],
            Node::Present { .. } => vec![Truth::True; length],
            Node::Atom(atom) => each(&|position| run.letters[position][atom as usize]),
            Node::Not(inner) => each(&|position| !at(inner, position)),
            Node::And(left, right) => each(&|position| at(left, position).and(at(right, position))),
            Node::Or(left, right) => each(&|position| at(left, position).or(at(right, position))),
            Node::Previous(inner) => {
                each(&|position| if position <= first(inner) { before } else { at(inner, position - 1) })
            }
            Node::Since(left, right) => each(&|position| {
                // `right` held at some `then`, and `left` ever since.
                let witness = |then: usize| {
                    (then + 1..=position).fold(at(right, then), |so_far, after| so_far.and(at(left, after)))
                };
                let earlier = (0..=position).fold(before, |so_far, after| so_far.and(at(left, after)));
                (first(right)..=position).map(witness).fold(earlier, Truth::or)
            }),
            Node::Next(inner) => each(&|position| at(inner, position + 1)),
            Node::Always(inner) => {
                each(&|position| (position..length).fold(lasted, |so_far, later| so_far.and(at(inner, later))))
            }
            Node::Throughout(inner) => each(&|position| {
                let between = run.between.iter().skip(position).flatten();
                let here = (position..length).fold(lasted, |so_far, later| so_far.and(at(inner, later)));
                between.fold(here, |so_far, letter| so_far.and(plain(formula, inner, letter)))
            }),
            Node::Unless(left, right) => each(&|position| {
                // `right` comes, with `left` before it; or `left` for ever, which nobody can know.
                let holds_until =
                    |until: usize| (position..until).fold(Truth::True, |so_far, then| so_far.and(at(left, then)));
                let comes = |until: usize| at(right, until).and(holds_until(until));
                let for_ever = holds_until(length).and(lasted);
                (position..length).map(comes).fold(for_ever, Truth::or)
            }),
            Node::Within(steps, inner) => each(&|position| {
                let at = |later: usize| if later < length { at(inner, later) } else { beyond };
                (position..=position + steps as usize).map(at).fold(Truth::False, Truth::or)
            }),
            Node::Soon(bound, inner) => each(&|position| match &run.times {
                None => (position..length).map(|later| at(inner, later)).fold(beyond, Truth::or),
                Some(times) => {
                    let deadline = times[position].saturating_add(bound);
                    let in_time = (position..length).take_while(|later| times[*later] <= deadline);
                    let over = times[position..].iter().chain(&run.now).any(|time| *time > deadline);
                    let otherwise = if over { Truth::False } else { beyond };
                    in_time.map(|later| at(inner, later)).fold(otherwise, Truth::or)
                }
            }),
        }
    }
}

/// A condition on one state.
fn plain(formula: &Formula, id: NodeId, letter: &[Truth]) -> Truth {
    let of = |id: NodeId| plain(formula, id, letter);
    match formula.node(id) {
        Node::Constant(value) => value.into(),
        Node::Atom(atom) => letter[atom as usize],
        Node::Not(inner) => !of(inner),
        Node::And(left, right) => of(left).and(of(right)),
        Node::Or(left, right) => of(left).or(of(right)),
        other => unreachable!("{other:?} is not about one state"),
    }
}
