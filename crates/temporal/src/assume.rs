//! Oracles under hints: a property that was tested before may be assumed while another one is tested.
//!
//! The oracle walks together with those of the hints. Where a hint is broken nothing is promised any more, so a state from
//! which a violation needs a broken hint is safe, and the inputs that lead there are of no interest to a tester.

use crate::class::Class;
use crate::derive::{BAD, ClockAction, Derived, OUTSIDE};
use crate::diagram::{Diagram, Diagrams};
use crate::oracle::{Oracle, copied};
use crate::read::{Aim, Part, Reading};
use crate::refusal::Refusal;
use interplay_diagnostics::Span;
use rustc_hash::FxHashMap;

/// A property that is assumed.
#[derive(Clone, Debug)]
pub(crate) struct Hint {
    reading: Reading,
    parts: Vec<Part>,
}

impl Hint {
    /// Only a promise about one run, without clocks, can be assumed.
    pub(crate) fn new(mut reading: Reading, span: Span) -> Result<Hint, Refusal> {
        let refused = |why| Err(Refusal::Hint { span, why });
        let parts = reading.parts();
        let formula = &reading.formula;
        let timed = |id: &crate::NodeId| matches!(formula.node(*id), crate::Node::Soon(..));
        match () {
            () if reading.unbounded.is_some() => refused("it promises something without a bound"),
            () if reading.aim != Aim::Never => refused("it is a possibility, not a promise"),
            () if !reading.slots.variables.is_empty() => refused("it is quantified over values"),
            () if parts.iter().any(|part| formula.closure(part.id).iter().any(timed)) => {
                refused("it has a bound in time")
            }
            () => Ok(Hint { reading, parts }),
        }
    }

    /// Writes its parts into another formula.
    pub(crate) fn import(&self, into: &mut Reading) -> Vec<Part> {
        let mut known = FxHashMap::default();
        let mut import = |part: &Part| {
            let id = into.formula.import(&self.reading.formula, part.id, &mut known);
            Part { id, ..*part }
        };
        self.parts.iter().map(&mut import).collect()
    }

    /// It looks at states between two steps.
    pub(crate) fn looks_between(&self) -> bool {
        self.reading.formula.looks_between(self.reading.root)
    }
}

/// The first state after [`BAD`]: a hint is broken.
const FREE: u32 = 1;

struct Together {
    diagrams: Diagrams,
    /// The transitions of each oracle, the judged one first, all in one store.
    transitions: Vec<Vec<Diagram>>,
    ids: FxHashMap<Vec<u32>, u32>,
    tuples: Vec<Vec<u32>>,
    known: FxHashMap<Vec<Diagram>, Diagram>,
}

impl Oracle {
    /// The same oracle for runs that keep the hints, which are over the same atoms; `None` if it has too many states.
    ///
    /// All of them have to begin at the same position.
    pub fn assuming(&self, hints: &[Oracle], most_states: usize) -> Option<Oracle> {
        let only_prefixes = std::iter::once(self).chain(hints).all(|oracle| oracle.class() == Class::Safety);
        if !only_prefixes || hints.iter().any(|hint| hint.first() != self.first()) {
            return None;
        }
        let mut diagrams = Diagrams::default();
        let mut transitions = Vec::new();
        let mut alphabet = crate::TRUE;
        for oracle in std::iter::once(self).chain(hints) {
            let mut known = FxHashMap::default();
            let copy = |state| copied(oracle.diagrams(), oracle.transitions(state), &mut diagrams, &mut known);
            transitions.push((0..oracle.len() as u32).map(copy).collect());
            alphabet = copied(oracle.diagrams(), oracle.alphabet(), &mut diagrams, &mut known);
        }
        let (ids, known) = Default::default();
        // The first two stand for themselves.
        let tuples = vec![Vec::new(), Vec::new()];
        let mut together = Together { diagrams, transitions, ids, tuples, known };
        let initial = together.id(std::iter::once(self).chain(hints).map(Oracle::initial).collect());
        let (bad, free, outside) =
            (together.diagrams.leaf(BAD), together.diagrams.leaf(FREE), together.diagrams.leaf(OUTSIDE));
        let mut steps =
            vec![together.diagrams.choose(alphabet, bad, outside), together.diagrams.choose(alphabet, free, outside)];
        let idle: Box<[ClockAction]> = self.bounds().iter().map(|_| ClockAction::Clear).collect();
        let (mut clocks, mut ends) = (vec![idle.clone(), idle], vec![false, true]);
        while steps.len() < together.tuples.len() {
            if steps.len() > most_states {
                return None;
            }
            let tuple = &together.tuples[steps.len()];
            clocks.push(self.clock_actions(tuple[0]).into());
            let broken = hints.iter().zip(&tuple[1..]).any(|(hint, state)| !hint.may_end(*state));
            ends.push(self.may_end(tuple[0]) || broken);
            let parts =
                tuple.iter().enumerate().map(|(oracle, state)| together.transitions[oracle][*state as usize]).collect();
            let step = together.step(parts);
            steps.push(step);
        }
        let bounds = self.bounds().to_vec();
        let (diagrams, first) = (together.diagrams, self.first());
        let derived = Derived { diagrams, transitions: steps, initial, clocks, bounds, ends, first, endless: None };
        Some(derived.smallest(self.atoms(), alphabet))
    }
}

impl Together {
    fn id(&mut self, tuple: Vec<u32>) -> u32 {
        // A hint that is broken in the same step takes the violation with it.
        match () {
            () if tuple[1..].contains(&BAD) => return FREE,
            () if tuple[0] == BAD => return BAD,
            () => {}
        }
        let next = self.tuples.len() as u32;
        *self.ids.entry(tuple).or_insert_with_key(|tuple| {
            self.tuples.push(tuple.clone());
            next
        })
    }

    /// All of them take the same letter.
    fn step(&mut self, parts: Vec<Diagram>) -> Diagram {
        if let Some(found) = self.known.get(&parts) {
            return *found;
        }
        let top = parts.iter().filter_map(|part| self.diagrams.split(*part)).map(|(variable, ..)| variable).min();
        let found = match top {
            Some(variable) => {
                let (low, high) = parts.iter().map(|part| self.diagrams.branches(*part, variable)).unzip();
                let (low, high) = (self.step(low), self.step(high));
                self.diagrams.node(variable, low, high)
            }
            None => {
                let leaves: Vec<u32> = parts.iter().filter_map(|part| self.diagrams.number(*part)).collect();
                let leaf = if leaves.contains(&OUTSIDE) { OUTSIDE } else { self.id(leaves) };
                self.diagrams.leaf(leaf)
            }
        };
        self.known.insert(parts, found);
        found
    }
}
