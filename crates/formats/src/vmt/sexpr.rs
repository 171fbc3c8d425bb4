//! S-expressions with their places.

use crate::Malformed;
use crate::input::Input;

/// Deeper nesting is refused.
const MOST_DEPTH: usize = 400;

#[derive(Clone, Debug)]
pub(super) struct Sexpr {
    /// The byte where it begins.
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Atom(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub(super) fn atom(&self) -> Option<&str> {
        match &self.kind {
            Kind::Atom(text) => Some(text),
            Kind::List(_) => None,
        }
    }

    pub(super) fn items(&self) -> &[Sexpr] {
        match &self.kind {
            Kind::Atom(_) => &[],
            Kind::List(items) => items,
        }
    }
}

/// All expressions of a text.
pub(super) fn read(input: &mut Input) -> Result<Vec<Sexpr>, Malformed> {
    let mut open: Vec<(usize, Vec<Sexpr>)> = vec![(0, Vec::new())];
    loop {
        input.skip_blanks();
        let at = input.at();
        let found = match input.peek() {
            None => break,
            Some(';') => {
                input.take_while(|each| each != '\n');
                continue;
            }
            Some('(') => {
                input.take(1);
                if open.len() > MOST_DEPTH {
                    return input.wrong_at(at, "this is nested too deeply");
                }
                open.push((at, Vec::new()));
                continue;
            }
            Some(')') if open.len() == 1 => return input.wrong("this parenthesis closes nothing"),
            Some(')') => {
                input.take(1);
                let (at, items) = open.pop().unwrap_or_default();
                Sexpr { at, kind: Kind::List(items) }
            }
            Some('"') => Sexpr { at, kind: Kind::Atom(format!("\"{}\"", input.string()?)) },
            Some('|') => {
                input.take(1);
                let name = input.take_while(|each| each != '|').to_string();
                if !input.eat("|") {
                    return input.wrong_at(at, "this name has no closing `|`");
                }
                Sexpr { at, kind: Kind::Atom(name) }
            }
            Some(_) => {
                let word =
                    input.take_while(|each| !each.is_whitespace() && !matches!(each, '(' | ')' | ';' | '"' | '|'));
                Sexpr { at, kind: Kind::Atom(word.to_string()) }
            }
        };
        if let Some((_, items)) = open.last_mut() {
            items.push(found);
        }
    }
    match open.pop() {
        Some((_, items)) if open.is_empty() => Ok(items),
        Some((at, _)) => input.wrong_at(at, "this parenthesis is not closed"),
        None => Ok(Vec::new()),
    }
}
