//! Reading Aldebaran (`.aut`): `des (first, transitions, states)`, then one line `(from, label, to)` for each arc.
//!
//! `?a` and `a?` are inputs, `!a` and `a!` outputs; `i`, `tau` and `τ` are internal, in quotation marks or not; any other label
//! without a mark is an input.

use crate::Malformed;
use crate::automaton::{Arc, Automaton, directed};
use crate::input::Input;

/// More states are refused: nobody reads such a specification, and [`interplay_semantics`] would not explore it faster.
const MOST_STATES: usize = 100_000;

/// A specification that moves as the automaton does.
pub fn read(text: &str, system: &str) -> Result<String, Malformed> {
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
        return input.wrong_at(states_at, format!("{states} states, but at most {MOST_STATES} are supported"));
    }
    if start >= states {
        return input.wrong_at(start_at, format!("no state {start}: the {states} states are numbered from 0"));
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
            false => input.wrong_at(at, format!("no state {number}: the {states} states are numbered from 0")),
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
