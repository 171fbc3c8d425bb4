//! Oracles, the evaluator of past formulas and the plain definition agree, on random formulas and random runs.
//!
//! An oracle may see a violation before the definition does (when nothing that may come can help), so it is compared
//! from both sides: what the definition finds violated the oracle has found by then, and what the oracle finds violated
//! the definition finds violated after any further steps.

use interplay_diagnostics::Span;
use interplay_model::ActionId;
use interplay_temporal::{
    Atom, Diagrams, Formula, Moment, Node, NodeId, Oracle, Part, Past, Run, Successor, TRUE, Table, Truth,
};

const ATOMS: usize = 3;
const LENGTH: usize = 7;

/// A small generator of random numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

struct Writer<'d> {
    dice: &'d mut Dice,
    formula: Formula,
    future: bool,
}

impl Writer<'_> {
    /// `kept`: nothing here may be negated, so that it stays a safety property.
    fn write(&mut self, depth: u32, kept: bool) -> NodeId {
        let span = Span::default();
        if depth == 0 {
            let atom = Atom::presence(ActionId(self.dice.below(ATOMS as u64) as usize), 0);
            return self.formula.atom(atom, span);
        }
        let node = match self.dice.below(if self.future { 12 } else { 6 }) {
            0 | 1 => Node::Not(self.write(depth - 1, false)),
            2 => Node::And(self.write(depth - 1, kept), self.write(depth - 1, kept)),
            3 => Node::Or(self.write(depth - 1, kept), self.write(depth - 1, kept)),
            4 => Node::Previous(self.write(depth - 1, kept)),
            5 => Node::Since(self.write(depth - 1, kept), self.write(depth - 1, kept)),
            6 => Node::Next(self.write(depth - 1, kept)),
            7 => Node::Within(self.dice.below(3) as u32, self.write(depth - 1, kept)),
            8 | 9 if kept => Node::Always(self.write(depth - 1, kept)),
            10 if kept => Node::Unless(self.write(depth - 1, kept), self.write(depth - 1, kept)),
            _ => return self.write(0, kept),
        };
        self.formula.add(node, span)
    }
}

fn random_formula(dice: &mut Dice, future: bool) -> (Formula, NodeId) {
    let depth = 1 + dice.below(4) as u32;
    let mut formula = Formula::default();
    for atom in 0..ATOMS {
        formula.atom(Atom::presence(ActionId(atom), 0), Span::default());
    }
    let mut writer = Writer { dice, formula, future };
    let body = writer.write(depth, true);
    let root = match future && writer.dice.below(3) == 0 {
        true => body,
        false => writer.formula.add(Node::Always(body), Span::default()),
    };
    (writer.formula, root)
}

fn random_letters(dice: &mut Dice, length: usize) -> Vec<Vec<Truth>> {
    (0..length).map(|_| (0..ATOMS).map(|_| Truth::from(dice.below(2) == 1)).collect()).collect()
}

fn broken(formula: &Formula, root: NodeId, letters: &[Vec<Truth>]) -> bool {
    let run = Run { letters: letters.to_vec(), ..Run::default() };
    !letters.is_empty() && Table::new(formula, root, &run).of(root)[0] == Truth::False
}

/// The state of the oracle after each step.
fn states(oracle: &Oracle, letters: &[Vec<Truth>]) -> Vec<u32> {
    let mut state = oracle.initial();
    let step = |letter: &Vec<Truth>| {
        let holds = |atom: u32| letter[atom as usize] == Truth::True;
        match oracle.step(state, &holds, |_| false) {
            Ok(Successor::State(next)) => state = next,
            Ok(Successor::Outside) => panic!("all letters are allowed"),
            Err(never) => match never {},
        }
        state
    };
    letters.iter().map(step).collect()
}

fn pairs(seed: u64, formulas: usize, runs: usize, future: bool) -> usize {
    let mut dice = Dice(seed);
    let (mut judged, mut violations) = (0, 0);
    for _ in 0..formulas {
        let (formula, root) = random_formula(&mut dice, future);
        let oracle = match Oracle::new(&formula, Part { id: root, late: true }, Diagrams::default(), TRUE, 2_000) {
            Ok(oracle) => oracle,
            Err(_) => continue,
        };
        let past = Past::new(&formula, Part { id: root, late: true });
        for _ in 0..runs {
            let letters = random_letters(&mut dice, LENGTH);
            let states = states(&oracle, &letters);
            let first = (1..=LENGTH).find(|length| broken(&formula, root, &letters[..*length]));
            let seen = states.iter().position(|state| *state == Oracle::BAD).map(|index| index + 1);
            if let Some(first) = first {
                assert!(seen.is_some_and(|seen| seen <= first), "{formula:?} {root:?} {letters:?}");
            }
            if let Some(seen) = seen {
                let more = random_letters(&mut dice, oracle.len().max(LENGTH) + LENGTH);
                let whole = [&letters[..seen], &more].concat();
                assert!(broken(&formula, root, &whole), "{formula:?} {root:?} {whole:?}");
                violations += 1;
            }
            if let Some(safe) = states.iter().position(|state| oracle.is_safe(*state)) {
                let whole = [&letters[..=safe], &random_letters(&mut dice, LENGTH)].concat();
                assert!(!broken(&formula, root, &whole), "safe: {formula:?} {root:?} {whole:?}");
            }
            if let Some(past) = &past {
                let mut memory = past.start(false);
                let step = |letter: &Vec<Truth>| {
                    let holds = |atom: u32| letter[atom as usize] == Truth::True;
                    past.step(&mut memory, &holds, Moment::Position).expect("nothing can go wrong")
                };
                let found = letters.iter().map(step).position(|truth| truth == Truth::False).map(|index| index + 1);
                assert_eq!(found, first, "{formula:?} {root:?} {letters:?}");
            }
            judged += 1;
        }
    }
    assert!(violations > judged / 10, "random runs break random formulas now and then");
    judged
}

#[test]
fn on_a_hundred_thousand_pairs() {
    let judged = pairs(1, 6_000, 10, true) + pairs(2, 6_000, 10, false);
    assert!(judged >= 100_000, "{judged}");
}

#[test]
fn under_a_hint_only_runs_that_keep_it_are_judged() {
    let mut dice = Dice(3);
    let (mut excused, mut violated) = (0, 0);
    for _ in 0..2_000 {
        let (mut formula, judged) = random_formula(&mut dice, true);
        let hint = Writer { dice: &mut dice, formula: std::mem::take(&mut formula), future: true };
        let (formula, hint) = with_another(hint);
        let oracle = |root| Oracle::new(&formula, Part { id: root, late: true }, Diagrams::default(), TRUE, 500);
        let (Ok(alone), Ok(hint)) = (oracle(judged), oracle(hint)) else { continue };
        let Some(assuming) = alone.assuming(std::slice::from_ref(&hint), 100_000) else { continue };
        for _ in 0..10 {
            let letters = random_letters(&mut dice, LENGTH);
            let first = |oracle: &Oracle| {
                let states = [vec![oracle.initial()], states(oracle, &letters)].concat();
                states.iter().position(|state| *state == Oracle::BAD)
            };
            let wanted = match (first(&alone), first(&hint)) {
                (Some(violation), Some(broken)) if broken <= violation => {
                    excused += 1;
                    None
                }
                (violation, _) => violation,
            };
            assert_eq!(first(&assuming), wanted, "{formula:?} {judged:?} {letters:?}");
            violated += usize::from(wanted.is_some());
        }
    }
    assert!(excused > 500 && violated > 500, "{excused} {violated}");
}

fn with_another(mut writer: Writer<'_>) -> (Formula, NodeId) {
    let body = writer.write(2, true);
    let root = writer.formula.add(Node::Always(body), Span::default());
    (writer.formula, root)
}
