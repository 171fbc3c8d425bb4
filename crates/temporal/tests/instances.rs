//! `for every x: T` means one copy of the formula for each value: random quantified formulas are compared with the same formulas
//! written out for each value, on random runs.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;
use interplay_semantics::{Event, Instance, Label, Value};
use interplay_temporal::{Monitors, Step, Verdict};
use std::collections::BTreeMap;

/// A small generator of random numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

struct Writer<'d> {
    dice: &'d mut Dice,
    variables: &'d [&'d str],
    conditions: bool,
}

impl Writer<'_> {
    fn argument(&mut self) -> &str {
        match self.dice.below(4) {
            0 => self.dice.one(&["_", "0", "1", "2"]),
            _ => self.dice.one(self.variables),
        }
    }

    fn atom(&mut self) -> String {
        if self.conditions && self.dice.below(4) == 0 {
            let left = self.dice.one(self.variables);
            let right = [self.variables, &["1", "2"]].concat();
            return format!("({left} {} {})", self.dice.one(&["<", "==", ">="]), self.dice.one(&right));
        }
        match self.dice.below(6) {
            0 => "r".into(),
            1..=3 => format!("p({})", self.argument()),
            _ => {
                let first = self.argument().to_string();
                format!("q({first}, {})", self.argument())
            }
        }
    }

    fn past(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        match self.dice.below(3) {
            0 => self.atom(),
            1 => {
                let word = self.dice.one(&["not", "once", "previously", "historically"]);
                format!("({word} {})", self.past(depth - 1))
            }
            _ => {
                let left = self.past(depth - 1);
                let word = self.dice.one(&["and", "or", "implies", "since"]);
                format!("({left} {word} {})", self.past(depth - 1))
            }
        }
    }

    fn property(&mut self) -> String {
        let (left, right) = (self.past(1), self.past(2));
        match self.dice.below(6) {
            0 => format!("never ({left} and {right})"),
            1 => format!("always ({left} implies next {right})"),
            2 => format!("always ({left} implies within {} {right})", 1 + self.dice.below(3)),
            3 => format!("({left} unless {right})"),
            _ => format!("always ({left} implies {right})"),
        }
    }
}

fn model(ty: &str, properties: &str) -> Model {
    let text = format!("system S\ninput p(n: {ty}), q(a: {ty}, b: {ty}), r\n{properties}");
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), &text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems);
    assert!(!problems.has_errors(), "{text}\n{:?}", problems.sorted());
    model.expect("the text is right")
}

fn run(dice: &mut Dice, model: &Model) -> Vec<Label> {
    let event = |dice: &mut Dice| {
        let name = dice.one(&["p", "p", "q", "q", "r"]);
        let action = model.action_named(name).expect("it is declared");
        let args = model.actions[action.0].params.iter().map(|_| Value::Int(dice.below(3) as i64)).collect();
        Label::input(Event::new(action, args))
    };
    (0..1 + dice.below(12)).map(|_| event(dice)).collect()
}

/// When each property was violated first.
fn violations(model: Model, run: &[Label]) -> BTreeMap<String, usize> {
    let monitors = Monitors::new(&Instance::new(model.into(), None).expect("no constant is missing"), None);
    assert!(monitors.refused.is_empty(), "{:?}", monitors.refused);
    let mut states = monitors.start(None).expect("it starts");
    let mut found = BTreeMap::new();
    for step in 0..=run.len() {
        if let Some(label) = step.checked_sub(1).map(|at| &run[at]) {
            monitors.step(&mut states, Step::new(label)).expect("nothing fails here");
        }
        for (monitor, _) in
            monitors.monitors.iter().zip(&states).filter(|(_, state)| state.verdict == Verdict::Violated)
        {
            found.entry(monitor.name.clone()).or_insert(step);
        }
    }
    found
}

fn compare(seed: u64, ty: &str, conditions: bool) {
    let mut dice = Dice(seed);
    let names: &[&str] = if dice.below(2) == 0 { &["x"] } else { &["x", "y"] };
    let formula = Writer { dice: &mut dice, variables: names, conditions }.property();
    // Numbers that no run carries stand for all the others.
    let values: &[&str] =
        if ty == "Int" { &["0", "1", "2", "77", "78", "(0 - 7)", "(0 - 8)"] } else { &["0", "1", "2"] };
    let mut written_out = String::new();
    for first in values {
        for second in if names.len() > 1 { values } else { &values[..1] } {
            let formula: String = formula
                .chars()
                .map(|letter| match letter {
                    'x' => first.to_string(),
                    'y' => second.to_string(),
                    other => other.to_string(),
                })
                .collect();
            // The words with these letters are written again.
            let formula = ["ne?t", "previousl?", "historicall?", "alwa?s"].iter().fold(formula, |text, word| {
                let (before, after) = word.split_once('?').expect("it has a gap");
                let gap = if *word == "ne?t" { first } else { second };
                let letter = if *word == "ne?t" { "x" } else { "y" };
                text.replace(&format!("{before}{gap}{after}"), &format!("{before}{letter}{after}"))
            });
            written_out += &format!("property P{}: {formula}\n", written_out.len());
        }
    }
    let binders: Vec<String> = names.iter().map(|name| format!("{name}: {ty}")).collect();
    let quantified = format!("property Q: for every {}: {formula}", binders.join(", "));
    let run = run(&mut dice, &model(ty, ""));
    let wanted = violations(model(ty, &written_out), &run).into_values().min();
    let found = violations(model(ty, &quantified), &run).remove("Q");
    // A copy does not know that two of its patterns cannot happen together, so it may wait a few steps in vain.
    const LATE: usize = 4;
    let agree = match (wanted, found) {
        (Some(wanted), Some(found)) => (wanted..=wanted + LATE).contains(&found),
        (Some(wanted), None) => wanted + LATE > run.len(),
        (None, found) => found.is_none(),
    };
    assert!(agree, "seed {seed}: {quantified}\n{run:?}\nwritten out: {wanted:?}, found: {found:?}");
}

#[test]
fn every_value_has_its_copy() {
    for seed in 0..2_000 {
        let ty = if seed % 2 == 0 { "Int" } else { "0..2" };
        compare(seed, ty, seed % 4 < 2);
    }
}

#[test]
fn an_object_counts_when_it_is_there() {
    let text = "system S\nobject Thing\nvar last: Option<Thing>\ninput make { last = some(new Thing) }\ninput use(t: Thing)\n\
                property nobody: for every t: Thing: always false\nproperty pairs: for every t: (Thing, Thing): (make or once false)\n";
    let mut problems = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId::default(), text, &mut problems);
    let model = interplay_lower::check(&[tree], &mut problems).unwrap_or_else(|| panic!("{problems:?}"));
    let instance = Instance::new(model.into(), None).unwrap();
    let monitors = Monitors::new(&instance, None);
    let start = instance.initial().unwrap().remove(0);
    let mut states = monitors.start(Some(&start)).unwrap();
    assert!(states.iter().all(|state| state.verdict == Verdict::Open), "there is no object yet");
    let made = instance.transitions(&start).into_iter().next().unwrap().unwrap();
    monitors.step(&mut states, Step::new(&made.label).into(&made.target)).unwrap();
    assert_eq!(states[0].verdict, Verdict::Violated, "the first object breaks it");
    assert_eq!(states[1].verdict, Verdict::Satisfied, "the pair keeps it at its first position");
}
