//! The oracle of a formula: a deterministic, complete, minimal automaton whose edges are boolean functions over the atoms.
//!
//! All transitions of a state are one decision diagram with states as leaves, so judging a step is a walk down that
//! diagram. State [`Oracle::BAD`] is the violation; a state from which it cannot be reached is *safe*. Letters that the
//! relations of the system forbid lead nowhere: they are reported by whoever watches the relations.

use crate::class::Class;
use crate::derive::{BAD, ClockAction, Derived, First, OUTSIDE, derive};
use crate::diagram::{Diagram, Diagrams, Leaves};
use crate::formula::Formula;
use crate::read::Part;
use crate::refusal::Refusal;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Oracle {
    diagrams: Diagrams,
    transitions: Vec<Diagram>,
    initial: u32,
    clocks: Vec<Box<[ClockAction]>>,
    bounds: Vec<u64>,
    /// Steps to the violation, if it can be reached.
    distances: Vec<Option<u32>>,
    ends: Vec<bool>,
    first: First,
    hopeless: bool,
    /// For each state: an endless run may still break the formula, although no prefix of it does.
    endless: Vec<bool>,
    class: Class,
    atoms: u32,
    alphabet: Diagram,
}

/// What a letter says about the tests of an oracle. `None`: it cannot be said.
pub trait Letter {
    type Error;
    fn holds(&self, atom: u32) -> Result<bool, Self::Error>;

    /// What is wrong with an atom here or, if nothing is, with one that was looked at before.
    fn wrong(&self) -> Option<Self::Error> {
        None
    }
}

impl<F: Fn(u32) -> bool> Letter for F {
    type Error = std::convert::Infallible;
    fn holds(&self, atom: u32) -> Result<bool, Self::Error> {
        Ok(self(atom))
    }
}

/// Where a letter leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    State(u32),
    /// The relations forbid this letter.
    Outside,
}

impl Oracle {
    /// The violation.
    pub const BAD: u32 = BAD;

    /// `alphabet` says which letters can come, as a function over the atoms in `diagrams`.
    pub fn new(
        formula: &Formula,
        part: Part,
        diagrams: Diagrams,
        alphabet: Diagram,
        most_states: usize,
    ) -> Result<Oracle, Refusal> {
        let derived = derive(formula, part, diagrams, alphabet, most_states)?;
        Ok(derived.smallest(formula.atoms.len() as u32, alphabet))
    }

    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of states, with the violation.
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    /// The smallest number of steps to a violation; `None` in a safe state.
    pub fn distance(&self, state: u32) -> Option<u32> {
        self.distances[state as usize]
    }

    pub fn is_safe(&self, state: u32) -> bool {
        self.distance(state).is_none() && !self.endless[state as usize]
    }

    /// What decides the formula: prefixes, or only the whole of an endless run.
    pub fn class(&self) -> Class {
        self.class
    }

    /// A run that is over in this state keeps the formula: nothing is owed that had a bound.
    pub fn may_end(&self, state: u32) -> bool {
        self.ends[state as usize]
    }

    /// The initial state of a run is its first letter, before any step.
    pub fn takes_first(&self) -> bool {
        self.first != First::Nothing
    }

    /// Where it is before the initial state is seen is like nowhere else. The smallest automaton may have joined it with a place where
    /// it comes again.
    pub(crate) fn starts_apart(&self) -> bool {
        let comes_again = |state: u32| self.successors(state).contains(&self.initial);
        self.first == First::Memory && !(0..self.len() as u32).any(comes_again)
    }

    pub(crate) fn first(&self) -> First {
        self.first
    }

    /// No endless run keeps it.
    pub fn is_hopeless(&self) -> bool {
        self.hopeless
    }

    /// The bounds of the clocks, in microseconds.
    pub fn bounds(&self) -> &[u64] {
        &self.bounds
    }

    pub(crate) fn clock_actions(&self, state: u32) -> &[ClockAction] {
        &self.clocks[state as usize]
    }

    pub fn diagrams(&self) -> &Diagrams {
        &self.diagrams
    }

    /// All transitions of a state: a diagram over the atoms and then the clocks, with states (or [`Oracle::OUTSIDE`]) as leaves.
    pub fn transitions(&self, state: u32) -> Diagram {
        self.transitions[state as usize]
    }

    /// The number that stands for letters outside the relations in [`Oracle::transitions`].
    pub const OUTSIDE: u32 = OUTSIDE;

    /// The letters that can come.
    pub fn alphabet(&self) -> Diagram {
        self.alphabet
    }

    /// No letter is ruled out by a relation.
    pub fn knows_all_letters(&self) -> bool {
        self.alphabet == crate::TRUE
    }

    /// How many of the variables are atoms; those from here on say that a clock is late.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }

    /// Where a letter leads. `late` says whether the deadline of a clock has passed.
    pub fn step<L: Letter>(&self, state: u32, letter: &L, late: impl Fn(u32) -> bool) -> Result<Successor, L::Error> {
        let mut at = self.transitions[state as usize];
        while let Some((variable, low, high)) = self.diagrams.split(at) {
            let yes = if variable < self.atoms { letter.holds(variable)? } else { late(variable - self.atoms) };
            at = if yes { high } else { low };
        }
        Ok(match self.diagrams.number(at) {
            Some(OUTSIDE) | None => Successor::Outside,
            Some(state) => Successor::State(state),
        })
    }

    /// A step in which no atom holds moves nothing.
    pub fn ignores_other_steps(&self) -> bool {
        let stays = |state: u32| match self.step(state, &|_| false, |_| false) {
            Ok(Successor::State(next)) => next == state,
            Ok(Successor::Outside) => true,
            Err(never) => match never {},
        };
        (0..self.len() as u32).all(stays)
    }

    /// Whatever comes next is a violation. `late` says which deadlines have passed; the others may have passed by then.
    pub fn is_lost(&self, state: u32, late: impl Fn(u32) -> bool) -> bool {
        let mut open = vec![self.transitions[state as usize]];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut broken = false;
        while let Some(at) = open.pop() {
            match self.diagrams.split(at) {
                _ if !seen.insert(at) => {}
                None => match self.diagrams.number(at) {
                    Some(BAD) => broken = true,
                    Some(OUTSIDE) | None => {}
                    Some(_) => return false,
                },
                Some((variable, _, high)) if variable >= self.atoms && late(variable - self.atoms) => open.push(high),
                Some((_, low, high)) => open.extend([low, high]),
            }
        }
        broken
    }

    /// The states that one step leads to, in order.
    pub fn successors(&self, state: u32) -> Vec<u32> {
        let mut leaves = self.diagrams.leaves(self.transitions[state as usize]);
        leaves.retain(|leaf| *leaf != OUTSIDE);
        leaves
    }

    /// The smallest distance to the violation that a step with these known atoms may lead to, whatever the others are.
    /// `None`: only safe states can follow, or nothing can.
    pub fn distance_after(&self, state: u32, known: &dyn Fn(u32) -> Option<bool>) -> Option<u32> {
        let mut open = vec![self.transitions[state as usize]];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut best: Option<u32> = None;
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.diagrams.split(at) {
                None => {
                    let leaf = self.diagrams.number(at).filter(|leaf| *leaf != OUTSIDE);
                    let distance = leaf.and_then(|state| self.distance(state));
                    best = best.into_iter().chain(distance).min();
                }
                Some((variable, low, high)) => match (variable < self.atoms).then(|| known(variable)).flatten() {
                    Some(true) => open.push(high),
                    Some(false) => open.push(low),
                    None => open.extend([low, high]),
                },
            }
        }
        best
    }
}

impl Derived {
    /// An endless run may break the formula from here.
    fn is_endless(&self, state: usize) -> bool {
        self.endless.as_ref().is_some_and(|endless| !endless.universal[state])
    }

    /// The smallest automaton that judges the same.
    pub(crate) fn smallest(self, atoms: u32, alphabet: Diagram) -> Oracle {
        let classes = classes(&self);
        quotient(self, &classes, atoms, alphabet)
    }
}

/// The class of each state: states of one class allow the same futures. What cannot go on without violation is
/// violated already.
fn classes(derived: &Derived) -> Vec<u32> {
    let dead = dead(derived, true);
    let mut kinds: FxHashMap<(bool, bool, bool, &[ClockAction]), u32> = FxHashMap::default();
    let mut class: Vec<u32> = Vec::new();
    for (state, dead) in dead.iter().enumerate() {
        let ends = derived.ends[state];
        let key = match *dead {
            true => (true, false, false, &[][..]),
            false => (false, ends, derived.is_endless(state), &derived.clocks[state][..]),
        };
        let next = kinds.len() as u32;
        class.push(*kinds.entry(key).or_insert(next));
    }
    let mut count = kinds.len();
    let parts = derived.diagrams.parts(&derived.transitions);
    // A number for what each diagram says of classes; the same one for those that say the same.
    let mut said = vec![0; derived.diagrams.len()];
    loop {
        let mut known: FxHashMap<(u32, u32, u32), u32> = FxHashMap::default();
        for part in &parts {
            said[part.0 as usize] = match derived.diagrams.split(*part) {
                None => match derived.diagrams.number(*part) {
                    Some(leaf) if leaf != OUTSIDE => class[leaf as usize],
                    _ => count as u32,
                },
                Some((variable, low, high)) => {
                    let (low, high) = (said[low.0 as usize], said[high.0 as usize]);
                    let next = (count + 1 + known.len()) as u32;
                    if low == high { low } else { *known.entry((variable, low, high)).or_insert(next) }
                }
            };
        }
        let mut signatures: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(class.len());
        for (state, transition) in derived.transitions.iter().enumerate() {
            let signature = if dead[state] { u32::MAX } else { said[transition.0 as usize] };
            let next = signatures.len() as u32;
            finer.push(*signatures.entry((class[state], signature)).or_insert(next));
        }
        let refined = signatures.len();
        class = finer;
        if refined == count {
            return class;
        }
        count = refined;
    }
}

/// States every run from which reaches the violation: nothing that happens can keep the promise, nor that nothing happens any
/// more, if runs may be over.
fn dead(derived: &Derived, over: bool) -> Vec<bool> {
    let mut dead = vec![false; derived.transitions.len()];
    dead[BAD as usize] = true;
    let mut leaves = Leaves::new(&derived.diagrams);
    let next: Vec<Vec<u32>> = derived.transitions.iter().map(|transition| leaves.of(*transition)).collect();
    if let Some(endless) = &derived.endless {
        let ends = if over { may_still_end(&next, &derived.ends) } else { vec![false; dead.len()] };
        (0..dead.len()).for_each(|state| dead[state] |= endless.empty[state] && !ends[state]);
    }
    let lost = |leaves: &[u32], dead: &[bool]| {
        let mut inside = leaves.iter().filter(|leaf| **leaf != OUTSIDE).peekable();
        inside.peek().is_some() && inside.all(|leaf| dead[*leaf as usize])
    };
    loop {
        let goes_on = |state: usize| !(dead[state] || over && derived.ends[state]);
        let new: Vec<usize> = (0..dead.len()).filter(|state| goes_on(*state) && lost(&next[*state], &dead)).collect();
        if new.is_empty() {
            return dead;
        }
        new.into_iter().for_each(|state| dead[state] = true);
    }
}

/// From these states a run can go on to where it may be over.
fn may_still_end(next: &[Vec<u32>], ends: &[bool]) -> Vec<bool> {
    let mut before = vec![Vec::new(); next.len()];
    for (state, targets) in next.iter().enumerate() {
        targets.iter().filter(|target| **target != OUTSIDE).for_each(|target| before[*target as usize].push(state));
    }
    let mut found: Vec<bool> = ends.to_vec();
    found[BAD as usize] = false;
    let mut open: Vec<usize> = (0..found.len()).filter(|state| found[*state]).collect();
    while let Some(state) = open.pop() {
        for earlier in &before[state] {
            if *earlier != BAD as usize && !std::mem::replace(&mut found[*earlier], true) {
                open.push(*earlier);
            }
        }
    }
    found
}

/// One state for each class that can be reached, numbered as they are met; the violation is always there.
fn quotient(derived: Derived, classes: &[u32], atoms: u32, alphabet: Diagram) -> Oracle {
    let hopeless = dead(&derived, false)[derived.initial as usize];
    let is_endless: Vec<bool> = (0..derived.transitions.len()).map(|state| derived.is_endless(state)).collect();
    let Derived { diagrams, transitions, initial, clocks, bounds, ends, first, endless } = derived;
    let mut number: FxHashMap<u32, u32> = FxHashMap::from_iter([(classes[BAD as usize], BAD)]);
    let mut members = vec![BAD];
    number.entry(classes[initial as usize]).or_insert_with(|| {
        members.push(initial);
        1
    });
    let (mut index, mut leaves) = (0, Leaves::new(&diagrams));
    while index < members.len() {
        let transition = transitions[members[index] as usize];
        for leaf in leaves.of(transition) {
            if leaf != OUTSIDE && !number.contains_key(&classes[leaf as usize]) {
                number.insert(classes[leaf as usize], members.len() as u32);
                members.push(leaf);
            }
        }
        index += 1;
    }
    // Only the nodes that are needed.
    let (mut store, mut known) = (Diagrams::default(), FxHashMap::default());
    let renumber = |leaf: u32| if leaf == OUTSIDE { OUTSIDE } else { number[&classes[leaf as usize]] };
    let small: Vec<Diagram> = members
        .iter()
        .map(|member| renumbered(&diagrams, transitions[*member as usize], &mut store, &mut known, &renumber))
        .collect();
    let alphabet = copied(&diagrams, alphabet, &mut store, &mut FxHashMap::default());
    let clocks = members.iter().map(|member| clocks[*member as usize].clone()).collect();
    let initial = number[&classes[initial as usize]];
    let ends: Vec<bool> = members.iter().map(|member| ends[*member as usize]).collect();
    let is_endless: Vec<bool> = members.iter().map(|member| is_endless[*member as usize]).collect();
    let distances = distances(&store, &small, &ends);
    let first = if initial == BAD { First::Nothing } else { first };
    let class = match &endless {
        None => Class::Safety,
        Some(endless) => {
            let breaks = |transition: &Diagram| store.leaves(*transition).contains(&BAD);
            Class::of(endless.is_safety, endless.is_guarantee, !small[BAD as usize + 1..].iter().any(breaks))
        }
    };
    let (diagrams, transitions, endless) = (store, small, is_endless);
    Oracle {
        diagrams,
        transitions,
        initial,
        clocks,
        bounds,
        distances,
        ends,
        first,
        hopeless,
        endless,
        class,
        atoms,
        alphabet,
    }
}

/// The same function in another store.
pub(crate) fn copied(
    from: &Diagrams,
    diagram: Diagram,
    to: &mut Diagrams,
    known: &mut FxHashMap<Diagram, Diagram>,
) -> Diagram {
    renumbered(from, diagram, to, known, &|leaf| leaf)
}

/// The same function in another store, with other numbers as leaves.
fn renumbered(
    from: &Diagrams,
    diagram: Diagram,
    to: &mut Diagrams,
    known: &mut FxHashMap<Diagram, Diagram>,
    number: &dyn Fn(u32) -> u32,
) -> Diagram {
    if let Some(found) = known.get(&diagram) {
        return *found;
    }
    let found = match from.split(diagram) {
        Some((variable, low, high)) => {
            let (low, high) = (renumbered(from, low, to, known, number), renumbered(from, high, to, known, number));
            to.node(variable, low, high)
        }
        None => to.leaf(number(from.number(diagram).expect("what does not split is a leaf"))),
    };
    known.insert(diagram, found);
    found
}

/// Backwards from the violation; a run that is over too early is one too, where no step leads to another.
fn distances(diagrams: &Diagrams, transitions: &[Diagram], ends: &[bool]) -> Vec<Option<u32>> {
    let (mut before, mut leaves) = (vec![Vec::new(); transitions.len()], Leaves::new(diagrams));
    for (state, transition) in transitions.iter().enumerate() {
        for leaf in leaves.of(*transition).into_iter().filter(|leaf| *leaf != OUTSIDE) {
            before[leaf as usize].push(state);
        }
    }
    let mut distances = vec![None; transitions.len()];
    backwards(&before, vec![BAD as usize], 0, &mut distances);
    let early = (0..ends.len()).filter(|state| !ends[*state] && distances[*state].is_none()).collect();
    backwards(&before, early, 1, &mut distances);
    distances
}

fn backwards(before: &[Vec<usize>], mut layer: Vec<usize>, mut distance: u32, distances: &mut [Option<u32>]) {
    layer.iter().for_each(|state| distances[*state] = Some(distance));
    while !layer.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for state in layer.iter().flat_map(|state| &before[*state]) {
            if distances[*state].is_none() {
                distances[*state] = Some(distance);
                next.push(*state);
            }
        }
        layer = next;
    }
}
