//! Aldebaran (`.aut`): `des (first, transitions, states)`, then one line `(from, label, to)` for each arc. And how an
//! automaton, wherever it comes from, is written as a specification.
//!
//! `?a` and `a?` are inputs, `!a` and `a!` outputs; `i`, `tau` and `τ` are internal, in quotation marks or not; any other label
//! without a mark is an input.

use super::input::Input;
use super::{Malformed, quotable, system_name};
use interplay_model::Direction;
use interplay_semantics::show_name;
use std::collections::{BTreeMap, BTreeSet};

/// More states are refused: nobody reads such a specification, and [`interplay_semantics`] would not explore it faster.
const MOST_STATES: usize = 100_000;

/// States with labelled arcs.
#[derive(Default)]
pub(super) struct Automaton {
    /// By number.
    pub(super) names: Vec<String>,
    pub(super) start: usize,
    pub(super) arcs: Vec<Arc>,
}

pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: String,
    pub(super) direction: Direction,
    /// In a Mealy machine: what comes out.
    pub(super) emits: Option<String>,
}

/// A specification that moves as the automaton does.
pub fn aut(text: &str, system: &str) -> Result<String, Malformed> {
    let mut input = Input::new(text);
    input.expect("des")?;
    input.expect("(")?;
    let start_at = {
        input.skip_blanks();
        input.at()
    };
    let start = input.number()?;
    input.expect(",")?;
    let count_at = {
        input.skip_blanks();
        input.at()
    };
    let count = input.number()?;
    input.expect(",")?;
    let states_at = {
        input.skip_blanks();
        input.at()
    };
    let states = input.number()?;
    input.expect(")")?;
    if states > MOST_STATES {
        return input.wrong_at(states_at, format!("{states} states are more than {MOST_STATES}"));
    }
    if start >= states {
        return input.wrong_at(start_at, format!("there is no state {start}: the {states} states count from 0"));
    }
    let mut arcs = Vec::new();
    input.skip_blanks();
    while !input.rest().is_empty() {
        arcs.push(arc(&mut input, states)?);
        input.skip_blanks();
    }
    if arcs.len() != count {
        return input.wrong_at(count_at, format!("{count} transitions are announced, but {} follow", arcs.len()));
    }
    let names = (0..states).map(|state| format!("S{state}")).collect();
    Ok(Automaton { names, start, arcs }.specification(system))
}

fn arc(input: &mut Input, states: usize) -> Result<Arc, Malformed> {
    let state = |input: &mut Input| {
        input.skip_blanks();
        let at = input.at();
        let number = input.number()?;
        match number < states {
            true => Ok(number),
            false => input.wrong_at(at, format!("there is no state {number}: the {states} states count from 0")),
        }
    };
    input.expect("(")?;
    let from = state(input)?;
    input.expect(",")?;
    input.skip_blanks();
    let at = input.at();
    let text = match input.peek() {
        Some('"') => input.string()?,
        _ => bare(input),
    };
    let text = text.trim();
    if text.is_empty() {
        return input.wrong_at(at, "a label is missing here");
    }
    input.expect(",")?;
    let to = state(input)?;
    input.expect(")")?;
    let (label, direction) = directed(text, &["i", "tau", "τ"]);
    Ok(Arc { from, to, label, direction, emits: None })
}

/// A label without quotation marks: up to the comma that is not in parentheses.
fn bare(input: &mut Input) -> String {
    let mut depth = 0;
    let mut text = String::new();
    while let Some(each) = input.peek().filter(|each| *each != '\n' && (*each != ',' || depth > 0)) {
        depth += i32::from(each == '(') - i32::from(each == ')');
        text.push_str(input.take(each.len_utf8()));
    }
    text
}

/// What the marks say, and which labels stand for what happens inside.
pub(super) fn directed(text: &str, internal: &[&str]) -> (String, Direction) {
    let marked = |mark: char| {
        let rest = text.strip_prefix(mark).or_else(|| text.strip_suffix(mark)).map(str::trim);
        rest.filter(|rest| !rest.is_empty())
    };
    match (marked('?'), marked('!')) {
        (Some(rest), _) => (rest.into(), Direction::Input),
        (_, Some(rest)) => (rest.into(), Direction::Output),
        _ if internal.contains(&text) => ("tau".into(), Direction::Internal),
        _ => (text.into(), Direction::Input),
    }
}

/// Names that differ even where what cannot be written was replaced.
fn apart(names: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut apart = Vec::new();
    for plain in names {
        let mut all = std::iter::once(plain.clone()).chain((2..).map(|number| format!("{plain} {number}")));
        let name = all.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(name.clone());
        apart.push(name);
    }
    apart
}

impl Automaton {
    /// A label that comes in several directions gets a name for each.
    pub(super) fn specification(&self, system: &str) -> String {
        let mealy = self.arcs.iter().any(|arc| arc.emits.is_some());
        let emitted = self.arcs.iter().filter_map(|arc| arc.emits.as_ref().filter(|text| !text.is_empty()));
        let used = self.arcs.iter().map(|arc| (&arc.label, arc.direction));
        let used: BTreeSet<_> = used.chain(emitted.map(|text| (text, Direction::Output))).collect();
        let mut names: BTreeMap<(&String, Direction), String> = BTreeMap::new();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (label, direction) in used {
            let plain = quotable(label);
            let mut name = plain.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{plain} {number}");
                number += 1;
            }
            names.insert((label, direction), show_name(&name));
        }
        let mut text = format!("system {}{}\n\n", system_name(system), if mealy { " reactive" } else { "" });
        for (word, direction) in
            [("input", Direction::Input), ("output", Direction::Output), ("internal", Direction::Internal)]
        {
            let own = names.iter().filter(|((_, own), _)| *own == direction).map(|(_, name)| name.as_str());
            let own: Vec<&str> = own.collect();
            if !own.is_empty() {
                text += &format!("{word} {}\n", own.join(", "));
            }
        }
        let places: Vec<String> = apart(&self.names).iter().map(|name| show_name(name)).collect();
        text += &format!("\nstart {}\n", places.get(self.start).map_or("S0", String::as_str));
        for (state, place) in places.iter().enumerate() {
            text += &format!("\nat {place} {{\n");
            let rules = self.arcs.iter().filter(|arc| arc.from == state).map(|arc| {
                let emits = arc.emits.as_ref().and_then(|emits| names.get(&(emits, Direction::Output)));
                let block = emits.map_or(String::new(), |name| format!(" {{ emit {name} }}"));
                format!("    on {}{block} -> {}\n", names[&(&arc.label, arc.direction)], places[arc.to])
            });
            // The same arc twice is one.
            text.extend(rules.collect::<BTreeSet<String>>());
            text += "}\n";
        }
        text
    }
}
