//! Small labelled transition systems, and what it means that one conforms to another: written from the definitions over plain numbers,
//! with nothing of ours, so that whoever compares specifications can be compared with it.
//!
//! A set of states is a word of bits. Silence is seen at rest and where internal steps never end; an input is refused where it is not taken and
//! nothing inside goes on, or where internal steps never end.

use crate::dice::Dice;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    Input(u8),
    Output(u8),
    Inside,
}

/// It begins in state 0.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub states: u8,
    pub steps: Vec<(u8, Move, u8)>,
    /// So many inputs and outputs are declared.
    pub inputs: u8,
    pub outputs: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    Ioco,
    Uioco,
    Alternating,
    Traces,
    Equivalence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    Step(Move),
    Silence,
    Refused(u8),
}

type States = u16;

impl Labelled {
    /// At most twelve states, the same ones for the same seed.
    pub fn random(seed: u64) -> Labelled {
        let mut dice = Dice::new(seed);
        let states = 1 + dice.below(12) as u8;
        let (inputs, outputs) = (1 + dice.below(2) as u8, 1 + dice.below(2) as u8);
        let inside = if dice.percent(70) { 25 } else { 0 };
        let count = dice.below(3 * states as usize + 1);
        let steps = (0..count).map(|_| Labelled::step(&mut dice, states, inputs, outputs, inside)).collect();
        Labelled { states, steps, inputs, outputs }
    }

    /// The same with up to three steps more, less or elsewhere; or an action more.
    pub fn changed(&self, seed: u64) -> Labelled {
        let mut dice = Dice::new(seed ^ 0x5bd1_e995);
        let mut changed = self.clone();
        for _ in 0..dice.below(4) {
            match dice.below(4) {
                0 if !changed.steps.is_empty() => _ = changed.steps.swap_remove(dice.below(changed.steps.len())),
                1 if !changed.steps.is_empty() => {
                    let at = dice.below(changed.steps.len());
                    changed.steps[at].2 = dice.below(self.states as usize) as u8;
                }
                2 if dice.percent(20) => (changed.inputs, changed.outputs) = (changed.inputs + 1, changed.outputs + 1),
                _ => {
                    let (inputs, outputs) = (changed.inputs, changed.outputs);
                    changed.steps.push(Labelled::step(&mut dice, self.states, inputs, outputs, 25));
                }
            }
        }
        changed
    }

    fn step(dice: &mut Dice, states: u8, inputs: u8, outputs: u8, inside: u32) -> (u8, Move, u8) {
        let by = if dice.percent(inside) {
            Move::Inside
        } else if dice.percent(50) {
            Move::Input(dice.below(inputs as usize) as u8)
        } else {
            Move::Output(dice.below(outputs as usize) as u8)
        };
        (dice.below(states as usize) as u8, by, dice.below(states as usize) as u8)
    }

    /// The text of a specification that moves so.
    pub fn text(&self) -> String {
        let names = |word: &str, count: u8| (0..count).map(|at| format!("{word}{at}")).collect::<Vec<_>>().join(", ");
        let mut text = format!("system Labelled\nvar s: 0..{} = 0\n", self.states.saturating_sub(1).max(1));
        _ = writeln!(text, "input {}\noutput {}\ninternal t", names("i", self.inputs), names("o", self.outputs));
        if self.steps.is_empty() {
            // Without any rule everything would be allowed.
            text += "on t when s == 0 and s == 1\n";
        }
        for (from, by, to) in &self.steps {
            let by = match by {
                Move::Input(at) => format!("i{at}"),
                Move::Output(at) => format!("o{at}"),
                Move::Inside => "t".into(),
            };
            _ = writeln!(text, "on {by} when s == {from} {{ s = {to} }}");
        }
        text
    }

    fn after(&self, from: States, by: Move) -> States {
        let steps = self.steps.iter().filter(|(state, label, _)| *label == by && from >> state & 1 == 1);
        self.closed(steps.fold(0, |to, (_, _, target)| to | 1 << target))
    }

    fn closed(&self, mut states: States) -> States {
        for _ in 0..self.states {
            for (from, by, to) in &self.steps {
                if *by == Move::Inside && states >> from & 1 == 1 {
                    states |= 1 << to;
                }
            }
        }
        states
    }

    fn some(&self, state: u8, of: impl Fn(Move) -> bool) -> bool {
        self.steps.iter().any(|(from, by, _)| *from == state && of(*by))
    }

    fn diverges(&self, state: u8) -> bool {
        let mut endless = self.closed(1 << state);
        for _ in 0..self.states {
            let goes_on = |from: u8| {
                self.steps.iter().any(|(at, by, to)| *at == from && *by == Move::Inside && endless >> to & 1 == 1)
            };
            endless = (0..self.states)
                .filter(|from| endless >> from & 1 == 1 && goes_on(*from))
                .fold(0, |set, at| set | 1 << at);
        }
        endless >> state & 1 == 1
    }

    fn those(&self, states: States, of: impl Fn(u8) -> bool) -> States {
        (0..self.states).filter(|state| states >> state & 1 == 1 && of(*state)).fold(0, |set, state| set | 1 << state)
    }

    /// `patient`: as an implementation, which refuses nothing that it takes after internal steps.
    fn sees(&self, states: States, sight: Sight, patient: bool) -> States {
        match sight {
            Sight::Step(by) => self.after(states, by),
            Sight::Silence => {
                self.closed(self.those(states, |state| {
                    !self.some(state, |by| !matches!(by, Move::Input(_))) || self.diverges(state)
                }))
            }
            Sight::Refused(input) => self.closed(self.those(states, |state| {
                let waits = !self.some(state, |by| by == Move::Inside) || self.diverges(state);
                !self.some(state, |by| by == Move::Input(input)) && (waits || !patient)
            })),
        }
    }

    fn gives(&self, states: States, input: u8, likeness: Likeness) -> bool {
        let takes = |state| self.some(state, |by| by == Move::Input(input));
        let needed = match likeness {
            Likeness::Uioco => self.those(states, |state| !self.some(state, |by| by == Move::Inside)),
            Likeness::Alternating => states,
            _ => 0,
        };
        self.those(states, takes) != 0 && self.those(needed, |state| !takes(state)) == 0
    }
}

/// How many observations the shortest difference has; `None` if the implementation conforms.
pub fn difference(specification: &Labelled, implementation: &Labelled, likeness: Likeness) -> Option<usize> {
    let forth = one_way(specification, implementation, likeness);
    if likeness != Likeness::Equivalence {
        return forth;
    }
    let back = one_way(implementation, specification, likeness);
    forth.into_iter().chain(back).min()
}

fn one_way(allows: &Labelled, does: &Labelled, likeness: Likeness) -> Option<usize> {
    let start = (allows.closed(1), does.closed(1));
    let (mut known, mut waiting) = (BTreeSet::from([start]), VecDeque::from([(start, 0)]));
    while let Some(((allowed, done), length)) = waiting.pop_front() {
        for sight in sights(allows, does, (allowed, done), likeness) {
            let seen = does.sees(done, sight, true);
            if seen == 0 {
                continue;
            }
            let next = (allows.sees(allowed, sight, false), seen);
            if next.0 == 0 {
                return Some(length + 1);
            }
            if known.insert(next) {
                waiting.push_back((next, length + 1));
            }
        }
    }
    None
}

fn sights(allows: &Labelled, does: &Labelled, pair: (States, States), likeness: Likeness) -> Vec<Sight> {
    let mut all: Vec<Sight> = (0..does.outputs).map(|at| Sight::Step(Move::Output(at))).collect();
    let inputs = allows.inputs.max(does.inputs);
    if likeness == Likeness::Traces {
        all.extend((0..inputs).map(|at| Sight::Step(Move::Input(at))));
        return all;
    }
    all.push(Sight::Silence);
    for input in 0..inputs {
        let more = likeness == Likeness::Equivalence && does.gives(pair.1, input, likeness);
        if more || allows.gives(pair.0, input, likeness) {
            all.extend([Sight::Step(Move::Input(input)), Sight::Refused(input)]);
        }
    }
    all
}
