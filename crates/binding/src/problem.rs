//! A mistake in a binding: where it stands, what is wrong, and what to do about it.

use std::fmt;
use std::ops::Range;

/// One mistake. All mistakes of a file are told together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Counted from 1, as are columns.
    pub line: usize,
    pub column: usize,
    pub message: String,
    /// What to do; empty if the message says it.
    pub help: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, "\n  help: {}", self.help) }
    }
}

/// Collects the mistakes of one text.
pub(crate) struct Problems<'t> {
    text: &'t str,
    pub(crate) found: Vec<Problem>,
}

impl<'t> Problems<'t> {
    pub(crate) fn new(text: &'t str) -> Problems<'t> {
        Problems { text, found: Vec::new() }
    }

    pub(crate) fn add(&mut self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let (line, column) = place(self.text, span.start);
        self.found.push(Problem { line, column, message: message.into(), help: help.into() });
    }

    /// In the order of the text.
    pub(crate) fn sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| (problem.line, problem.column));
        self.found
    }
}

pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The known name that this one was probably meant to be, or all that are known.
pub(crate) fn meant<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let mut known: Vec<&str> = known.collect();
    let mut seen = Vec::new();
    known.retain(|each| !seen.contains(each) && (seen.push(*each), true).1);
    let near = known.iter().map(|each| (distance(name, each), each)).min();
    match near {
        Some((steps, each)) if steps <= 1 + name.chars().count() / 4 && steps < name.chars().count() => {
            format!("did you mean `{each}`?")
        }
        _ if known.is_empty() => "there are none".into(),
        _ => format!("known: {}", known.join(", ")),
    }
}

/// So many letters have to be put in, left out or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], index + 1);
        for (at, each) in other.iter().enumerate() {
            let changed = corner + usize::from(letter != *each);
            corner = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}
