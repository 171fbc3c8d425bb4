//! The automaton of a formula that promises something without a bound: transition-based generalised Büchi, by guessing.
//!
//! A state is a set of promises that all have to be kept, and what the past operators remember: the same functions as in
//! [`crate::derive`], cut into products. Where a function is a sum the automaton guesses which product comes true. What has to end at some
//! time (`not always`, `not unless`) ends now or is *postponed*; an edge carries the mark of each such promise that its state does not have or that
//! it does not postpone, and a run counts if it sees every mark again and again. Marks stand on edges, never on states.
//!
//! From this automaton and the one of the opposite follow the questions that no finite automaton answers: which prefixes
//! nothing can mend, which nothing can break, and to which class the formula belongs.

use crate::components::{Edges, components};
use crate::cover::cover;
use crate::derive::{BAD, Derivation, OUTSIDE, Promise, Tuple};
use crate::diagram::{Diagram, Diagrams, FALSE, TRUE};
use crate::formula::{Formula, NodeId};
use crate::read::Part;
use crate::refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};

/// More promises without a bound are not told apart in one formula.
const MOST_MARKS: usize = 64;

/// A state that a letter may lead to, and the promises that are postponed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    pub target: u32,
    pub postponed: u64,
}

/// What was guessed so far.
#[derive(Default)]
pub(crate) struct Tableau {
    states: FxHashMap<Tuple, u32>,
    tuples: Vec<Tuple>,
    /// Of each state, the promises that have to end.
    pending: Vec<u64>,
    marks: Vec<NodeId>,
    choices: Vec<Vec<Choice>>,
    known: FxHashMap<Vec<Choice>, u32>,
    overflow: bool,
}

/// What only endless runs decide, for each state of a deterministic automaton.
pub(crate) struct Endless {
    /// No endless run goes on from here that keeps the formula.
    pub(crate) empty: Vec<bool>,
    /// Every endless run that goes on from here keeps it.
    pub(crate) universal: Vec<bool>,
    /// Whoever breaks it does so in finite time.
    pub(crate) is_safety: bool,
    /// Whoever keeps it does so in finite time.
    pub(crate) is_guarantee: bool,
}

/// The runs that break a part of a property, as an automaton for endless runs.
#[derive(Clone, Debug)]
pub struct Refutation {
    pub diagrams: Diagrams,
    /// For each state a diagram over the atoms, with indices of `choices` as leaves; [`Refutation::OUTSIDE`] for letters that cannot come.
    pub transitions: Vec<Diagram>,
    pub choices: Vec<Vec<Choice>>,
    pub pending: Vec<u64>,
    /// How many marks there are.
    pub marks: u32,
    pub initial: Vec<u32>,
    /// The initial state of a run is its first letter.
    pub takes_first: bool,
}

impl Refutation {
    pub const OUTSIDE: u32 = OUTSIDE;

    pub fn new(
        formula: &Formula,
        part: Part,
        diagrams: Diagrams,
        alphabet: Diagram,
        most_states: usize,
    ) -> Result<Refutation, Refusal> {
        let (mut derivation, bounds) = Derivation::new(formula, part, diagrams);
        if !bounds.is_empty() {
            return Err(Refusal::Clock { span: formula.span(part.id) });
        }
        let (start, after) = derivation.start(part);
        let mut transitions = Vec::new();
        let (initial, takes_first) = match after {
            None => (derivation.opposite(&start), true),
            Some(after) if derivation.asks_first(&after) => {
                let mut after = after;
                after[1] = derivation.diagrams.not(after[1]);
                // The state before anything was seen is like no other.
                let before = derivation.guess(Tuple::from(&[FALSE][..]), 0);
                let first = derivation.split(&after, &mut FxHashMap::default(), Derivation::choice);
                transitions.push((before, first));
                (vec![before], true)
            }
            Some(after) => (derivation.opposite(&after[1..]), false),
        };
        let first = transitions.pop();
        let transitions = derivation.guesses(alphabet, most_states, first)?;
        let Derivation { diagrams, tableau: Tableau { choices, pending, marks, .. }, .. } = derivation;
        let marks = marks.len() as u32;
        Ok(Refutation { diagrams, transitions, choices, pending, marks, initial, takes_first })
    }

    /// Where a letter may lead from a state; nothing follows a letter that cannot come.
    pub fn step(&self, state: u32, holds: impl Fn(u32) -> bool) -> &[Choice] {
        match self.diagrams.evaluate(self.transitions[state as usize], holds) {
            OUTSIDE => &[],
            leaf => &self.choices[leaf as usize],
        }
    }

    /// The marks that an edge carries.
    pub fn marks(&self, state: u32, choice: Choice) -> u64 {
        !(self.pending[state as usize] & choice.postponed) & mask(self.marks as usize)
    }
}

fn mask(marks: usize) -> u64 {
    u64::MAX.checked_shr(64 - marks as u32).unwrap_or(0)
}

impl<'f> Derivation<'f> {
    /// The states that guess the opposite of what is promised here.
    fn opposite(&mut self, tuple: &[Diagram]) -> Vec<u32> {
        let mut opposite: Tuple = tuple.into();
        opposite[0] = self.diagrams.not(opposite[0]);
        self.resolve(&opposite).into_iter().map(|choice| choice.target).collect()
    }

    /// The products of what is promised, each with what is remembered guessed and owed.
    fn resolve(&mut self, tuple: &[Diagram]) -> Vec<Choice> {
        let mut open = vec![(tuple[0], Vec::new())];
        for part in &tuple[1..] {
            let not = self.diagrams.not(*part);
            let mut next = Vec::new();
            for (promise, bits) in open {
                for (bit, owed) in [(TRUE, *part), (FALSE, not)] {
                    let both = self.diagrams.and(promise, owed);
                    if both != FALSE {
                        next.push((both, [&bits[..], &[bit]].concat()));
                    }
                }
            }
            open = next;
        }
        let mut choices = Vec::new();
        for (promise, bits) in open {
            for product in cover(&mut self.diagrams, promise, self.care) {
                choices.extend(self.product(&product, &bits));
            }
        }
        choices.sort_unstable();
        choices.dedup();
        choices
    }

    /// `None` if it contradicts itself.
    fn product(&mut self, literals: &[(u32, bool)], bits: &[Diagram]) -> Option<Choice> {
        let (mut promise, mut pending, mut postponed) = (TRUE, 0, 0);
        for (variable, holds) in literals {
            let kind = self.variables.promise(*variable).expect("letters were split before");
            let literal = match (kind, holds) {
                (Promise::Later(_), false) => continue,
                (Promise::Later(id), true) => {
                    postponed |= self.mark(id);
                    pending |= self.mark(id);
                    self.diagrams.variable(*variable)
                }
                (Promise::Holds(id), false) if self.formula.lasts(id) => {
                    pending |= self.mark(id);
                    self.promise(Promise::Later(id))
                }
                (Promise::Holds(id), true) if self.formula.lasts(id) => {
                    let later = self.promise(Promise::Later(id));
                    let never = self.diagrams.not(later);
                    // The opposite beside it is a contradiction; alone it says nothing.
                    promise = self.diagrams.and(promise, never);
                    self.diagrams.variable(*variable)
                }
                (_, true) => self.diagrams.variable(*variable),
                (_, false) => {
                    let positive = self.diagrams.variable(*variable);
                    self.diagrams.not(positive)
                }
            };
            promise = self.diagrams.and(promise, literal);
        }
        if promise == FALSE {
            return None;
        }
        for variable in self.diagrams.support(promise) {
            // Only what is owed is kept of it.
            if matches!(self.variables.promise(variable), Some(Promise::Later(id)) if pending & self.mark(id) == 0) {
                promise = self.diagrams.exists(promise, &|other| other == variable);
            }
        }
        let mut tuple: Tuple = [&[promise][..], bits].concat().into();
        if promise == TRUE {
            tuple[1..].fill(FALSE);
        }
        Some(Choice { target: self.guess(tuple, pending), postponed })
    }

    fn mark(&mut self, id: NodeId) -> u64 {
        let marks = &mut self.tableau.marks;
        let index = marks.iter().position(|known| *known == id).unwrap_or_else(|| {
            marks.push(id);
            marks.len() - 1
        });
        self.tableau.overflow |= index >= MOST_MARKS;
        1 << (index % MOST_MARKS)
    }

    fn guess(&mut self, tuple: Tuple, pending: u64) -> u32 {
        if let Some(known) = self.tableau.states.get(&tuple) {
            return *known;
        }
        let number = self.tableau.tuples.len() as u32;
        self.tableau.tuples.push(tuple.clone());
        self.tableau.pending.push(pending);
        self.tableau.states.insert(tuple, number);
        number
    }

    /// The number of a list of choices.
    fn choice(&mut self, tuple: Tuple) -> u32 {
        let choices = self.resolve(&tuple);
        if let Some(known) = self.tableau.known.get(&choices) {
            return *known;
        }
        let number = self.tableau.choices.len() as u32;
        self.tableau.choices.push(choices.clone());
        self.tableau.known.insert(choices, number);
        number
    }

    /// The transitions of all states that can be guessed from those that are there. The first may be known.
    fn guesses(
        &mut self,
        alphabet: Diagram,
        most_states: usize,
        first: Option<(u32, Diagram)>,
    ) -> Result<Vec<Diagram>, Refusal> {
        let (mut transitions, mut known) = (Vec::new(), FxHashMap::default());
        while transitions.len() < self.tableau.tuples.len() {
            if self.tableau.tuples.len() > most_states || self.tableau.overflow {
                return Err(Refusal::TooLarge { states: most_states });
            }
            let state = transitions.len();
            if let Some((own, transition)) = first
                && own as usize == state
            {
                transitions.push(transition);
                continue;
            }
            let tuple = self.tableau.tuples[state].clone();
            let mut next = self.successor(&tuple);
            next.insert(0, alphabet);
            transitions.push(self.split(&next, &mut known, Derivation::choice));
        }
        Ok(transitions)
    }

    /// What endless runs say about the states of the deterministic automaton.
    pub(crate) fn endless(
        &mut self,
        part: Part,
        (deterministic, initial): (&[Diagram], u32),
        alphabet: Diagram,
        most_states: usize,
    ) -> Result<Endless, Refusal> {
        let tuples = self.tuples.clone();
        let (mut kept, mut broken) = (Vec::new(), Vec::new());
        for tuple in &tuples {
            kept.push(self.resolve(tuple).into_iter().map(|choice| choice.target).collect::<Vec<u32>>());
            broken.push(self.opposite(tuple));
        }
        // The state before the first letter is told by those after it.
        let (_, after) = self.start(part);
        let before = after.filter(|after| self.asks_first(after)).map(|after| {
            let opposite = [&[TRUE, self.diagrams.not(after[1])][..], &after[2..]].concat();
            [after, opposite].map(|after| self.split(&after, &mut FxHashMap::default(), Derivation::choice))
        });
        let transitions = self.guesses(alphabet, most_states, None)?;
        let live = self.live(&transitions);
        let any = |states: &[u32]| states.iter().any(|state| live[*state as usize]);
        let mut empty: Vec<bool> = kept.iter().map(|states| !any(states)).collect();
        let mut universal: Vec<bool> = broken.iter().map(|states| !any(states)).collect();
        (empty[BAD as usize], universal[BAD as usize]) = (true, false);
        if let Some([yes, no]) = before {
            let some =
                |leaf: u32| self.tableau.choices[leaf as usize].iter().any(|choice| live[choice.target as usize]);
            let leads = |diagram: Diagram| self.diagrams.leaves(diagram).into_iter().any(some);
            (empty[initial as usize], universal[initial as usize]) = (!leads(yes), !leads(no));
        }
        let ask = |begin: &[Vec<u32>], first: Option<Diagram>, closed: &[bool]| {
            let starts: Vec<u32> = begin[initial as usize].clone();
            !self.meets((deterministic, initial, closed), (&transitions, starts, first))
        };
        // A prefix that no endless run mends may still be kept by a run that ends there (`next` is excused at an end): then no monitor calls it
        // broken, and only what monitors call broken counts.
        let mut called_broken = vec![false; empty.len()];
        called_broken[BAD as usize] = true;
        let is_safety = ask(&broken, before.map(|[_, no]| no), &called_broken);
        let is_guarantee = ask(&kept, before.map(|[yes, _]| yes), &universal);
        Ok(Endless { empty, universal, is_safety, is_guarantee })
    }

    /// The states from which some endless run counts.
    fn live(&self, transitions: &[Diagram]) -> Vec<bool> {
        let edges: Vec<Vec<(u32, u64)>> = (0..transitions.len() as u32)
            .map(|state| {
                let leaves = self.diagrams.leaves(transitions[state as usize]);
                let choices = leaves.into_iter().filter(|leaf| *leaf != OUTSIDE);
                let choices = choices.flat_map(|leaf| self.tableau.choices[leaf as usize].iter());
                choices.map(|choice| (choice.target, self.tableau.edge_marks(state, choice))).collect()
            })
            .collect();
        living(&edges, mask(self.tableau.marks.len()))
    }

    /// Some endless run stays among the open states of the deterministic automaton and counts for the other one.
    fn meets(
        &self,
        (deterministic, initial, closed): (&[Diagram], u32, &[bool]),
        (transitions, starts, first): (&[Diagram], Vec<u32>, Option<Diagram>),
    ) -> bool {
        if closed[initial as usize] {
            return false;
        }
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs = Vec::new();
        let mut number = |pairs: &mut Vec<(u32, u32)>, pair: (u32, u32)| {
            *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })
        };
        match first {
            None => starts.into_iter().for_each(|state| _ = number(&mut pairs, (initial, state))),
            Some(first) => {
                for (next, leaf) in self.together(deterministic[initial as usize], first) {
                    for choice in &self.tableau.choices[leaf as usize] {
                        if !closed[next as usize] {
                            number(&mut pairs, (next, choice.target));
                        }
                    }
                }
            }
        }
        let mut edges: Vec<Vec<(u32, u64)>> = Vec::new();
        while edges.len() < pairs.len() {
            let (at, state) = pairs[edges.len()];
            let mut own = Vec::new();
            for (next, leaf) in self.together(deterministic[at as usize], transitions[state as usize]) {
                if closed[next as usize] {
                    continue;
                }
                for choice in &self.tableau.choices[leaf as usize] {
                    let marks = self.tableau.edge_marks(state, choice);
                    own.push((number(&mut pairs, (next, choice.target)), marks));
                }
            }
            edges.push(own);
        }
        living(&edges, mask(self.tableau.marks.len())).into_iter().any(|live| live)
    }

    /// Where one letter can lead both, without letters that cannot come.
    fn together(&self, one: Diagram, other: Diagram) -> Vec<(u32, u32)> {
        let (mut seen, mut open) = (FxHashSet::default(), vec![(one, other)]);
        let mut found = Vec::new();
        while let Some(pair) = open.pop() {
            if !seen.insert(pair) {
                continue;
            }
            let tops = [pair.0, pair.1].into_iter().filter_map(|part| self.diagrams.split(part));
            match tops.map(|(variable, ..)| variable).min() {
                Some(variable) => {
                    let (one, other) =
                        (self.diagrams.branches(pair.0, variable), self.diagrams.branches(pair.1, variable));
                    open.extend([(one.0, other.0), (one.1, other.1)]);
                }
                None => {
                    let numbers = [pair.0, pair.1].map(|leaf| self.diagrams.number(leaf).unwrap_or(OUTSIDE));
                    if !numbers.contains(&OUTSIDE) {
                        found.push((numbers[0], numbers[1]));
                    }
                }
            }
        }
        found
    }
}

impl Tableau {
    fn edge_marks(&self, state: u32, choice: &Choice) -> u64 {
        !(self.pending[state as usize] & choice.postponed) & mask(self.marks.len())
    }
}

/// The nodes from which a cycle with all marks can be reached.
fn living(edges: &[Vec<(u32, u64)>], all: u64) -> Vec<bool> {
    let targets: Vec<Vec<u32>> = edges.iter().map(|own| own.iter().map(|(target, _)| *target).collect()).collect();
    let (component, count) = components(&Edges::of(&targets));
    let (mut marks, mut inner, mut live) =
        (vec![0; count as usize], vec![false; count as usize], vec![false; count as usize]);
    for (node, own) in edges.iter().enumerate() {
        let here = component[node];
        for (_, carried) in own.iter().filter(|(target, _)| component[*target as usize] == here) {
            marks[here as usize] |= carried;
            inner[here as usize] = true;
        }
    }
    let mut order: Vec<u32> = (0..edges.len() as u32).collect();
    order.sort_unstable_by_key(|node| component[*node as usize]);
    for node in order {
        let here = component[node as usize] as usize;
        let beyond = |(target, _): &(u32, u64)| live[component[*target as usize] as usize];
        let found = inner[here] && marks[here] == all || edges[node as usize].iter().any(beyond);
        live[here] |= found;
    }
    component.into_iter().map(|own| live[own as usize]).collect()
}
