//! IC3: an inductive invariant out of many small questions, each about one step.
//!
//! A level holds cubes that no state has which is reached in so many steps. A bad state of the last level, lifted to the latches that
//! matter, is blocked level by level, or leads back to the start. What blocks it is made as general as one step allows, also by blocking
//! the counterexamples to that (CTG), and pushed as far as it goes. When two levels are the same, they are the invariant.

use crate::bounded::{Trace, bounded};
use crate::circuit::{Bit, Circuit};
use crate::frames::Frames;
use crate::sat::{Copy, Sat};
use crate::{Cube, Stopped};
use batsat::Lit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Counterexamples to one generalisation that are blocked themselves.
const MOST_COUNTER: usize = 3;
/// After so many questions with their own literals the solver begins anew.
const MOST_USED: usize = 4_000;

#[derive(Clone, Debug)]
pub enum Answer {
    /// It is never bad; no reachable state has all values of one of these cubes.
    Never(Vec<Cube>),
    /// It can be, in so few steps as possible.
    Reached(Trace),
    Stopped,
}

/// Whether the circuit can ever be bad. `stop` is asked often.
pub fn ic3(circuit: &Circuit, stop: &dyn Fn() -> bool) -> Answer {
    let found = Search::new(circuit, stop).and_then(|mut search| search.run());
    let reached = |depth| bounded(circuit, depth, stop, &|_| {});
    match found {
        Ok(Found::Invariant(cubes)) => Answer::Never(cubes),
        Ok(Found::Way(depth)) => match reached(depth) {
            Ok(Some(trace)) => Answer::Reached(trace),
            Ok(None) => unreachable!("IC3 found a way of {depth} steps"),
            Err(Stopped) => Answer::Stopped,
        },
        Err(Stopped) => Answer::Stopped,
    }
}

/// Looks at an invariant with a fresh solver: it holds at the start, every step keeps it, and it excludes what is bad.
pub fn is_invariant(circuit: &Circuit, cubes: &[Cube]) -> bool {
    let never = || false;
    let (mut sat, mut copy) = (Sat::new(&never), Copy::default());
    let first = |(latch, value): &(usize, bool)| circuit.latches[*latch].first == *value;
    if cubes.iter().any(|cube| cube.iter().all(first)) {
        return false;
    }
    exclude(circuit, &mut sat, &mut copy);
    for cube in cubes {
        let literals = literals(circuit, &mut sat, &mut copy, cube, false);
        sat.clause(literals.into_iter().map(|literal| !literal));
    }
    let bad = sat.literal(circuit, &mut copy, circuit.bad);
    sat.ask(&[bad]) == Ok(false)
        && cubes.iter().all(|cube| {
            let next = literals(circuit, &mut sat, &mut copy, cube, true);
            sat.ask(&next) == Ok(false)
        })
}

enum Found {
    Invariant(Vec<Cube>),
    /// There is one of at most so many steps.
    Way(usize),
}

/// What one question about a cube showed.
enum Asked {
    /// This part of it is not reached from the level before.
    Blocked(Cube),
    /// A state of the level before leads there.
    From(Vec<bool>, Vec<bool>),
}

struct Search<'s> {
    circuit: &'s Circuit,
    stop: &'s dyn Fn() -> bool,
    sat: Sat<'s>,
    copy: Copy,
    /// Where a cube is lifted: the gates alone.
    lifting: Sat<'s>,
    lifted: Copy,
    frames: Frames,
    /// By level, what switches its clauses on.
    active: Vec<Lit>,
    /// How often a latch was needed.
    needed: Vec<u32>,
    used: usize,
}

impl<'s> Search<'s> {
    fn new(circuit: &'s Circuit, stop: &'s dyn Fn() -> bool) -> Result<Search<'s>, Stopped> {
        let mut search = Search {
            circuit,
            stop,
            sat: Sat::new(stop),
            copy: Copy::default(),
            lifting: Sat::new(stop),
            lifted: Copy::default(),
            frames: Frames { levels: vec![Vec::new()] },
            active: Vec::new(),
            needed: vec![0; circuit.latches.len()],
            used: 0,
        };
        search.renew();
        Ok(search)
    }

    /// A solver without the remains of old questions.
    fn renew(&mut self) {
        (self.sat, self.copy, self.used) = (Sat::new(self.stop), Copy::default(), 0);
        exclude(self.circuit, &mut self.sat, &mut self.copy);
        self.active = Vec::new();
        for _ in 0..self.frames.levels.len() {
            let active = self.sat.fresh();
            self.active.push(active);
        }
        let start = self.active[0];
        for latch in &self.circuit.latches {
            let literal = self.sat.literal(self.circuit, &mut self.copy, latch.bit);
            self.sat.clause([!start, if latch.first { literal } else { !literal }]);
        }
        let known: Vec<(usize, Cube)> = self
            .frames
            .levels
            .iter()
            .enumerate()
            .flat_map(|(level, cubes)| cubes.iter().map(move |cube| (level, cube.clone())))
            .collect();
        for (level, cube) in known {
            self.forbid(&cube, level);
        }
        (self.lifting, self.lifted) = (Sat::new(self.stop), Copy::default());
    }

    fn run(&mut self) -> Result<Found, Stopped> {
        self.open_level();
        let bad = self.bit(self.circuit.bad);
        if self.ask(0, &[bad])? {
            return Ok(Found::Way(0));
        }
        loop {
            let last = self.frames.levels.len() - 1;
            loop {
                let bad = self.bit(self.circuit.bad);
                if !self.ask(last, &[bad])? {
                    break;
                }
                let (state, inputs) = self.state();
                let cube = self.lift(&state, &inputs, &[(self.circuit.bad, true)])?;
                if let Some(depth) = self.block_all(cube, last)? {
                    return Ok(Found::Way(depth));
                }
            }
            self.open_level();
            if let Some(invariant) = self.push_all(last)? {
                return Ok(Found::Invariant(invariant));
            }
        }
    }

    fn open_level(&mut self) {
        self.frames.levels.push(Vec::new());
        let active = self.sat.fresh();
        self.active.push(active);
    }

    /// Blocks the cube at this level and whatever leads to it; otherwise how many steps lead there from the start.
    fn block_all(&mut self, cube: Cube, last: usize) -> Result<Option<usize>, Stopped> {
        let mut waiting = BinaryHeap::from([Reverse((last, 0usize, cube))]);
        while let Some(Reverse((level, steps, cube))) = waiting.pop() {
            if level == 0 || self.is_first(&cube) {
                return Ok(Some(steps));
            }
            let later = |cube| Reverse((level + 1, steps, cube));
            if self.frames.exclude(&cube, level) {
                if level < last {
                    waiting.push(later(cube));
                }
                continue;
            }
            match self.relative(&cube, level)? {
                Asked::Blocked(part) => {
                    let general = self.generalise(part, level)?;
                    self.forbid_far(general, level, last)?;
                    if level < last {
                        waiting.push(later(cube));
                    }
                }
                Asked::From(state, inputs) => {
                    let targets: Vec<(Bit, bool)> =
                        cube.iter().map(|(latch, value)| (self.circuit.latches[*latch].next, *value)).collect();
                    let before = self.lift(&state, &inputs, &targets)?;
                    waiting.push(Reverse((level - 1, steps + 1, before)));
                    waiting.push(Reverse((level, steps, cube)));
                }
            }
            if self.used > MOST_USED {
                self.renew();
            }
        }
        Ok(None)
    }

    /// Forbids the cube at the highest level that one step allows.
    fn forbid_far(&mut self, cube: Cube, mut level: usize, last: usize) -> Result<(), Stopped> {
        while level < last && matches!(self.relative(&cube, level + 1)?, Asked::Blocked(_)) {
            level += 1;
        }
        cube.iter().for_each(|(latch, _)| self.needed[*latch] += 1);
        self.forbid(&cube, level);
        self.frames.add(cube, level);
        Ok(())
    }

    /// Everything that holds one step later, too, moves up. Where a level is empty then, those above it are the invariant.
    fn push_all(&mut self, last: usize) -> Result<Option<Vec<Cube>>, Stopped> {
        for level in 1..=last {
            for cube in self.frames.levels[level].clone() {
                if !self.frames.levels[level].contains(&cube) {
                    continue;
                }
                if let Asked::Blocked(part) = self.relative(&cube, level + 1)? {
                    self.forbid(&part, level + 1);
                    self.frames.add(part, level + 1);
                    self.frames.levels[level].retain(|each| *each != cube);
                }
            }
            if self.frames.levels[level].is_empty() {
                return Ok(Some(self.frames.levels[level + 1..].iter().flatten().cloned().collect()));
            }
        }
        if self.used > MOST_USED {
            self.renew();
        }
        Ok(None)
    }

    /// Is the cube reached in one step from another state of the level before?
    fn relative(&mut self, cube: &Cube, level: usize) -> Result<Asked, Stopped> {
        let other = self.sat.fresh();
        self.used += 1;
        let here = literals(self.circuit, &mut self.sat, &mut self.copy, cube, false);
        self.sat.clause(here.into_iter().map(|literal| !literal).chain([!other]));
        let next = literals(self.circuit, &mut self.sat, &mut self.copy, cube, true);
        let assumed: Vec<Lit> = [other].into_iter().chain(next.iter().copied()).collect();
        let found = if self.ask(level - 1, &assumed)? {
            let (state, inputs) = self.state();
            Asked::From(state, inputs)
        } else {
            let kept = cube.iter().zip(&next).filter(|(_, literal)| self.sat.blames(**literal));
            let mut part: Cube = kept.map(|(literal, _)| *literal).collect();
            if self.is_first(&part) {
                let differs = |(latch, value): &&(usize, bool)| self.circuit.latches[*latch].first != *value;
                part.extend(cube.iter().find(differs));
                part.sort_unstable();
            }
            Asked::Blocked(part)
        };
        self.sat.clause([!other]);
        Ok(found)
    }

    /// Fewer latches, as long as one step keeps it blocked; those that were needed least often go first.
    fn generalise(&mut self, mut cube: Cube, level: usize) -> Result<Cube, Stopped> {
        let mut order = cube.clone();
        order.sort_by_key(|(latch, _)| self.needed[*latch]);
        for literal in order {
            if cube.len() < 2 || !cube.contains(&literal) {
                continue;
            }
            let fewer: Cube = cube.iter().filter(|each| **each != literal).copied().collect();
            if let Some(smaller) = self.down(fewer, level)? {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    fn down(&mut self, mut cube: Cube, level: usize) -> Result<Option<Cube>, Stopped> {
        let mut counter = 0;
        loop {
            if self.is_first(&cube) {
                return Ok(None);
            }
            let state = match self.relative(&cube, level)? {
                Asked::Blocked(part) => return Ok(Some(part)),
                Asked::From(state, _) => state,
            };
            let whole: Cube = state.iter().copied().enumerate().collect();
            if counter < MOST_COUNTER
                && level > 1
                && !self.is_first(&whole)
                && let Asked::Blocked(part) = self.relative(&whole, level - 1)?
            {
                counter += 1;
                self.forbid_far(part, level - 1, level)?;
                continue;
            }
            counter = 0;
            let before = cube.len();
            cube.retain(|(latch, value)| state[*latch] == *value);
            if cube.len() == before || cube.is_empty() {
                return Ok(None);
            }
        }
    }

    /// The latches of a state that are enough to reach these values with these inputs.
    fn lift(&mut self, state: &[bool], inputs: &[bool], targets: &[(Bit, bool)]) -> Result<Cube, Stopped> {
        let missed = self.lifting.fresh();
        let mut clause = vec![!missed];
        for (bit, value) in targets {
            let literal = self.lifting.literal(self.circuit, &mut self.lifted, *bit);
            clause.push(if *value { !literal } else { literal });
        }
        self.lifting.clause(clause);
        let mut assumed = vec![missed];
        for (input, value) in self.circuit.inputs.iter().zip(inputs) {
            let literal = self.lifting.literal(self.circuit, &mut self.lifted, *input);
            assumed.push(if *value { literal } else { !literal });
        }
        let mut latches = Vec::new();
        for (latch, value) in self.circuit.latches.iter().zip(state) {
            let literal = self.lifting.literal(self.circuit, &mut self.lifted, latch.bit);
            latches.push(if *value { literal } else { !literal });
        }
        assumed.extend(&latches);
        let can_miss = self.lifting.ask(&assumed)?;
        assert!(!can_miss, "a state with its inputs leads to one state");
        let kept = latches.iter().enumerate().filter(|(_, literal)| self.lifting.blames(**literal));
        let cube = kept.map(|(latch, _)| (latch, state[latch])).collect();
        self.lifting.clause([!missed]);
        Ok(cube)
    }

    fn forbid(&mut self, cube: &Cube, level: usize) {
        let here = literals(self.circuit, &mut self.sat, &mut self.copy, cube, false);
        let active = self.active[level];
        self.sat.clause(here.into_iter().map(|literal| !literal).chain([!active]));
    }

    /// In a state of this level.
    fn ask(&mut self, level: usize, assumed: &[Lit]) -> Result<bool, Stopped> {
        let all: Vec<Lit> = self.active[level..].iter().chain(assumed).copied().collect();
        self.sat.ask(&all)
    }

    /// Latches and inputs in the model that was found.
    fn state(&mut self) -> (Vec<bool>, Vec<bool>) {
        let value = |bit: Bit| self.copy.known(bit).is_some_and(|literal| self.sat.value(literal));
        let latches = self.circuit.latches.iter().map(|latch| value(latch.bit)).collect();
        let inputs = self.circuit.inputs.iter().map(|input| value(*input)).collect();
        (latches, inputs)
    }

    fn bit(&mut self, bit: Bit) -> Lit {
        self.sat.literal(self.circuit, &mut self.copy, bit)
    }

    fn is_first(&self, cube: &Cube) -> bool {
        cube.iter().all(|(latch, value)| self.circuit.latches[*latch].first == *value)
    }
}

/// The literals of a cube, in this state or in the next one.
fn literals(circuit: &Circuit, sat: &mut Sat<'_>, copy: &mut Copy, cube: &Cube, next: bool) -> Vec<Lit> {
    let mut literals = Vec::with_capacity(cube.len());
    for (latch, value) in cube {
        let latch = &circuit.latches[*latch];
        let literal = sat.literal(circuit, copy, if next { latch.next } else { latch.bit });
        literals.push(if *value { literal } else { !literal });
    }
    literals
}

/// What is known of the latches without asking.
fn exclude(circuit: &Circuit, sat: &mut Sat<'_>, copy: &mut Copy) {
    for group in &circuit.exclusive {
        let bits: Vec<Lit> =
            group.iter().map(|latch| sat.literal(circuit, copy, circuit.latches[*latch].bit)).collect();
        for (at, one) in bits.iter().enumerate() {
            bits[..at].iter().for_each(|other| sat.clause([!*one, !*other]));
        }
    }
}
