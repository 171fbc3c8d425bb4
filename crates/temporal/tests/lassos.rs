//! The automata of formulas that promise something without a bound agree with the plain definition on lassos: on random
//! formulas and random endless words.

use interplay_diagnostics::Span;
use interplay_model::ActionId;
use interplay_temporal::{
    Atom, Class, Diagrams, Edges, Formula, Lasso, Node, NodeId, Oracle, Part, Position, Refutation, Run, Successor,
    TRUE, Table, Truth, components,
};

const ATOMS: usize = 3;
const MOST_STATES: usize = 3_000;

/// A small generator of random numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn atom(formula: &mut Formula, index: usize) -> NodeId {
    formula.atom(Atom::presence(ActionId(index), 0), Span::default())
}

/// Any operators in any place.
fn write(dice: &mut Dice, formula: &mut Formula, depth: u32) -> NodeId {
    let span = Span::default();
    if depth == 0 || dice.below(8) == 0 {
        return atom(formula, dice.below(ATOMS as u64) as usize);
    }
    let kind = dice.below(13);
    let one = write(dice, formula, depth - 1);
    let other = match kind {
        2..=5 | 9 | 10 => write(dice, formula, depth - 1),
        _ => one,
    };
    match kind {
        0 | 1 => formula.not(one, span),
        2 => formula.and(one, other, span),
        3 => formula.or(one, other, span),
        4 => formula.implies(one, other, span),
        5 => formula.add(Node::Since(one, other), span),
        6 => formula.add(Node::Previous(one), span),
        7 => formula.add(Node::Next(one), span),
        8 => formula.add(Node::Within(dice.below(3) as u32, one), span),
        9 | 10 => formula.add(Node::Unless(one, other), span),
        11 => formula.add(Node::Always(one), span),
        _ => formula.eventually(one, span),
    }
}

fn random_formula(dice: &mut Dice) -> (Formula, Part) {
    let mut formula = Formula::default();
    (0..ATOMS).for_each(|index| _ = atom(&mut formula, index));
    let depth = 1 + dice.below(4) as u32;
    let id = write(dice, &mut formula, depth);
    (formula, Part { id, late: true })
}

fn random_word(dice: &mut Dice, least: u64, most: u64) -> Vec<Position> {
    let count = least + dice.below(most - least + 1);
    let position = |dice: &mut Dice| {
        let letter = (0..ATOMS).map(|_| dice.below(2) == 1).collect();
        Position { letter, between: Vec::new() }
    };
    (0..count).map(|_| position(dice)).collect()
}

fn random_lasso(dice: &mut Dice) -> Lasso {
    Lasso { stem: random_word(dice, 0, 4), cycle: random_word(dice, 1, 4), has_first: false }
}

/// Some run of the automaton over the lasso sees every mark again and again.
fn accepts(automaton: &Refutation, lasso: &Lasso) -> bool {
    let positions: Vec<&Position> = lasso.stem.iter().chain(&lasso.cycle).collect();
    let next = |position: usize| if position + 1 < positions.len() { position + 1 } else { lasso.stem.len() };
    let states = automaton.transitions.len();
    let node = |position: usize, state: u32| (position * states) as u32 + state;
    let (mut targets, mut marks) = (Vec::new(), Vec::new());
    for (position, letter) in positions.iter().enumerate() {
        for state in 0..states as u32 {
            let choices = automaton.step(state, |atom| letter.letter[atom as usize]);
            targets.push(choices.iter().map(|choice| node(next(position), choice.target)).collect::<Vec<u32>>());
            marks.push(choices.iter().map(|choice| automaton.marks(state, *choice)).collect::<Vec<u64>>());
        }
    }
    let (component, count) = components(&Edges::of(&targets));
    let (mut seen, mut inner) = (vec![0u64; count as usize], vec![false; count as usize]);
    for (from, targets) in targets.iter().enumerate() {
        for (target, marks) in targets.iter().zip(&marks[from]) {
            if component[from] == component[*target as usize] {
                seen[component[from] as usize] |= marks;
                inner[component[from] as usize] = true;
            }
        }
    }
    let all = u64::MAX.checked_shr(64 - automaton.marks).unwrap_or(0);
    let good = |node: u32| {
        let own = component[node as usize] as usize;
        inner[own] && seen[own] == all
    };
    let mut open: Vec<u32> = automaton.initial.iter().map(|state| node(0, *state)).collect();
    let mut met = vec![false; targets.len()];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut met[at as usize], true) {
            if good(at) {
                return true;
            }
            open.extend(&targets[at as usize]);
        }
    }
    false
}

/// The states of the oracle along the stem and some rounds.
fn states(oracle: &Oracle, lasso: &Lasso) -> Vec<u32> {
    let rounds = lasso.cycle.iter().cycle().take(lasso.cycle.len() * (oracle.len() + 1));
    let mut state = oracle.initial();
    let step = |position: &Position| {
        let Ok(next) = oracle.step(state, &|atom: u32| position.letter[atom as usize], |_| false);
        let Successor::State(next) = next else { panic!("all letters are allowed") };
        state = next;
        state
    };
    lasso.stem.iter().chain(rounds).map(step).collect()
}

fn judge(seed: u64, formulas: usize, words: usize) -> [usize; 3] {
    let mut dice = Dice(seed);
    let [mut judged, mut broken, mut classes] = [0; 3];
    for _ in 0..formulas {
        let (mut formula, part) = random_formula(&mut dice);
        let opposite = Part { id: formula.not(part.id, Span::default()), ..part };
        let refutation = |part| Refutation::new(&formula, part, Diagrams::default(), TRUE, MOST_STATES);
        let (Ok(breaks), Ok(keeps)) = (refutation(part), refutation(opposite)) else { continue };
        let Ok(oracle) = Oracle::new(&formula, part, Diagrams::default(), TRUE, MOST_STATES) else { continue };
        classes |= 1 << oracle.class() as usize;
        for _ in 0..words {
            let lasso = random_lasso(&mut dice);
            let kept = lasso.keeps(&formula, part).expect("it has no bound in time");
            assert_eq!(accepts(&breaks, &lasso), !kept, "{formula:?} {part:?} {lasso:?}");
            assert_eq!(accepts(&keeps, &lasso), kept, "{formula:?} {part:?} {lasso:?}");
            let states = states(&oracle, &lasso);
            let (bad, safe) = (states.contains(&Oracle::BAD), states.iter().any(|state| oracle.is_safe(*state)));
            assert!(!(bad && kept), "violated, and kept after all: {formula:?} {part:?} {lasso:?}");
            assert!(!safe || kept, "satisfied for good, and broken: {formula:?} {part:?} {lasso:?}");
            match oracle.class() {
                Class::Safety => assert!(kept || bad, "no prefix breaks it: {formula:?} {part:?} {lasso:?}"),
                Class::Liveness => assert!(!bad, "a prefix breaks it: {formula:?} {part:?} {lasso:?}"),
                Class::Guarantee | Class::Mixed => {}
            }
            (judged, broken) = (judged + 1, broken + usize::from(!kept));
        }
    }
    [judged, broken, classes]
}

#[test]
fn automata_agree_with_the_definition_on_lassos() {
    let [judged, broken, classes] = judge(1, 1_500, 4);
    assert!(judged > 5_000 && broken > judged / 5 && broken < judged * 4 / 5, "{judged} {broken}");
    assert_eq!(classes, 0b1111, "formulas of all classes");
}

#[test]
#[ignore = "long"]
fn automata_agree_with_the_definition_on_a_hundred_thousand_lassos() {
    let [judged, ..] = judge(2, 28_000, 4);
    assert!(judged >= 100_000, "{judged}");
}

/// What is owed when a run is over is judged as the definition says.
#[test]
fn a_run_that_is_over_owes_what_has_not_come() {
    let mut dice = Dice(3);
    let mut owed = 0;
    for _ in 0..1_500 {
        let (formula, part) = random_formula(&mut dice);
        let Ok(oracle) = Oracle::new(&formula, part, Diagrams::default(), TRUE, MOST_STATES) else { continue };
        let word = random_word(&mut dice, 1, 5);
        let letters = word.iter().map(|position| position.letter.iter().map(|holds| Truth::from(*holds)).collect());
        let run = Run { letters: letters.collect(), is_over: true, is_late: true, ..Run::default() };
        let wanted = Table::new(&formula, part.id, &run).of(part.id)[0];
        let lasso = Lasso {
            stem: word,
            cycle: vec![Position { letter: vec![false; ATOMS], between: Vec::new() }],
            has_first: false,
        };
        let state = states(&oracle, &lasso)[lasso.stem.len() - 1];
        let ends = state != Oracle::BAD && oracle.may_end(state);
        // What asks for a step that does not come is excused by one and may be decided by the other.
        match wanted {
            Truth::False => assert!(!ends, "{formula:?} {part:?} {lasso:?}"),
            Truth::True => assert!(ends, "{formula:?} {part:?} {lasso:?}"),
            Truth::Unknown => {}
        }
        owed += usize::from(!ends);
    }
    assert!(owed > 200, "{owed}");
}

#[test]
fn the_class_is_that_of_the_automaton_not_of_the_words() {
    let class = |build: &dyn Fn(&mut Formula, NodeId, NodeId) -> NodeId| {
        let mut formula = Formula::default();
        let (a, b) = (atom(&mut formula, 0), atom(&mut formula, 1));
        let id = build(&mut formula, a, b);
        let part = Part { id, late: true };
        Oracle::new(&formula, part, Diagrams::default(), TRUE, MOST_STATES).expect("it is small").class()
    };
    let span = Span::default();
    let until = |formula: &mut Formula, a: NodeId, b: NodeId| {
        let unless = formula.add(Node::Unless(a, b), span);
        let eventually = formula.eventually(b, span);
        formula.and(unless, eventually, span)
    };
    assert_eq!(class(&|formula, a, _| formula.eventually(a, span)), Class::Guarantee);
    assert_eq!(class(&|formula, a, b| until(formula, a, b)), Class::Guarantee);
    assert_eq!(
        class(&|formula, a, _| {
            let eventually = formula.eventually(a, span);
            formula.always(eventually, span)
        }),
        Class::Liveness
    );
    // Strong words, and a safety property after all: what is not kept for ever was not kept at some time.
    assert_eq!(
        class(&|formula, a, b| {
            let (until, always) = (until(formula, a, b), formula.always(a, span));
            formula.or(until, always, span)
        }),
        Class::Safety
    );
    assert_eq!(
        class(&|formula, a, b| {
            let (always, eventually) = (formula.always(a, span), formula.eventually(b, span));
            formula.and(always, eventually, span)
        }),
        Class::Mixed
    );
}
