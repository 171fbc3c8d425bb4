//! A small specification that shows the same disagreement: parts of the text are left out or made simpler as long as it still
//! checks and the same pair still disagrees about the same thing.
//!
//! It works on tokens and knows the language only by its brackets: whole blocks go first, then ever shorter ranges of
//! tokens, then groups in parentheses become plain values. What makes no sense does not check, which costs next to nothing.

use crate::guard;
use crate::pairs::Pair;
use crate::subject::Known;
use crate::summary::Found;
use crate::tally::Disagreement;
use interplay_syntax::{TokenKind, lex};
use std::time::{Duration, Instant};

/// Ranges of tokens up to this length are left out.
const LONGEST: usize = 24;

pub(crate) fn shrink(found: &Found, pair: &Pair, time: Duration) -> Found {
    let mut shrinking = Shrinking { pair, end: Instant::now() + time, best: found.clone() };
    loop {
        let before = shrinking.best.text.len();
        shrinking.blocks();
        shrinking.ranges();
        shrinking.values();
        if shrinking.best.text.len() >= before || shrinking.is_late() {
            break;
        }
    }
    let tidy = interplay_syntax::format(&shrinking.best.text);
    shrinking.accept(tidy);
    shrinking.best
}

struct Shrinking<'s> {
    pair: &'s Pair,
    end: Instant,
    best: Found,
}

impl Shrinking<'_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Takes the text if it shows the same.
    fn accept(&mut self, text: String) -> bool {
        if text == self.best.text || !guard::checks(&text) {
            return false;
        }
        let seed = self.best.seed;
        let Some(tally) = guard::compare(self.pair, seed, &text, &Known::default()) else { return false };
        let same = |other: &&Disagreement| other.what == self.best.disagreement.what;
        match tally.disagreements.iter().find(same) {
            Some(disagreement) => {
                self.best = Found { text, disagreement: disagreement.clone(), ..self.best.clone() };
                true
            }
            None => false,
        }
    }

    /// Lines from one that opens a brace to the one that closes it, and single lines.
    fn blocks(&mut self) {
        let mut first = 0;
        while !self.is_late() {
            let lines: Vec<&str> = self.best.text.lines().collect();
            if first >= lines.len() {
                break;
            }
            let last = first + block(&lines[first..]);
            let without = |range: std::ops::Range<usize>| {
                let kept = lines.iter().enumerate().filter(|(index, _)| !range.contains(index));
                kept.map(|(_, line)| format!("{line}\n")).collect::<String>()
            };
            let (all, inside) = (without(first..last), without(first + 1..last.saturating_sub(1).max(first + 1)));
            let empties = last > first + 2;
            if !(self.accept(all) || empties && self.accept(inside)) {
                first += 1;
            }
        }
    }

    /// Ranges of tokens, the longest first.
    fn ranges(&mut self) {
        let mut length = LONGEST;
        while length > 0 {
            let mut first = 0;
            loop {
                let tokens = pieces(&self.best.text);
                if first + length > tokens.len() || self.is_late() {
                    break;
                }
                let range = &tokens[first..first + length];
                // Lines stay apart.
                let end = tokens[first..first + length].iter().any(|piece| piece == "\n");
                let end: &[String] = if end { &["\n".to_string()] } else { &[] };
                let rest = || join(&[&tokens[..first], end, &tokens[first + length..]].concat());
                let without = balanced(range).then(rest);
                if !without.is_some_and(|text| self.accept(text)) {
                    first += 1;
                }
            }
            length = if length > 6 { length * 2 / 3 } else { length - 1 };
        }
    }

    /// Groups in parentheses and operands become plain values.
    fn values(&mut self) {
        let mut first = 0;
        loop {
            let tokens = pieces(&self.best.text);
            if first >= tokens.len() || self.is_late() {
                break;
            }
            for length in (1..=LONGEST.min(tokens.len() - first)).rev() {
                let range = &tokens[first..first + length];
                let group = length > 1 && balanced(range) && matches!(range[0].as_str(), "(" | "{" | "[");
                let long = length > 2 && balanced(range);
                let single = length == 1 && range[0].chars().all(|sign| sign.is_alphanumeric() || sign == '_');
                if !(group || single || long) {
                    continue;
                }
                let simpler =
                    ["true", "false", "0", "1"].iter().filter(|value| length > 1 || range[0].len() > value.len());
                let texts: Vec<String> = simpler
                    .map(|value| join(&[&tokens[..first], &[value.to_string()], &tokens[first + length..]].concat()))
                    .collect();
                if texts.into_iter().any(|text| self.accept(text)) {
                    break;
                }
            }
            first += 1;
        }
    }
}

/// How many lines belong together.
fn block(lines: &[&str]) -> usize {
    let mut depth = 0i64;
    for (index, line) in lines.iter().enumerate() {
        let signs = |wanted: char| line.chars().filter(|sign| *sign == wanted).count() as i64;
        depth += signs('{') - signs('}');
        if depth <= 0 {
            return index + 1;
        }
    }
    lines.len()
}

/// The tokens and the ends of lines; comments are lost.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for token in lex(text) {
        match token.kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::DocComment | TokenKind::FileComment => {
                let ends = token.text(text).contains('\n') && pieces.last().is_some_and(|last| last != "\n");
                pieces.extend(ends.then(|| "\n".to_string()));
            }
            _ => pieces.push(token.text(text).into()),
        }
    }
    pieces
}

pub(crate) fn join(pieces: &[String]) -> String {
    interplay_syntax::format(&pieces.join(" "))
}

fn balanced(pieces: &[String]) -> bool {
    let mut open = Vec::new();
    for piece in pieces {
        match piece.as_str() {
            "(" | "[" | "{" => open.push(piece.as_str()),
            ")" | "]" | "}" => {
                let fits =
                    matches!((open.pop(), piece.as_str()), (Some("("), ")") | (Some("["), "]") | (Some("{"), "}"));
                if !fits {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}
