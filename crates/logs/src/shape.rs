//! Lines of the same shape, and a pattern for each shape: what to write for lines that no pattern fits yet.
//!
//! Lines are split into words. Those with as many words, most of which are equal or of the same kind, are of one shape; where they differ
//! there is a variable. That is how log miners begin (Drain); a person decides what the event is.

use std::fmt::Write;

/// More shapes are not told apart.
const MOST: usize = 200;
/// Of so many words in ten that must agree.
const ALIKE: usize = 6;

#[derive(Clone, Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    /// Lines that would have been shapes of their own.
    pub more: u64,
}

/// Lines that differ in some words only.
#[derive(Clone, Debug)]
pub struct Shape {
    words: Vec<Word>,
    pub count: u64,
    pub first: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Same(String),
    Number,
    Quoted,
    Other,
}

impl Shapes {
    pub fn add(&mut self, line: &str) {
        let words: Vec<Word> = split(line).into_iter().map(kind).collect();
        let alike = |shape: &&mut Shape| shape.is_like(&words);
        if let Some(shape) = self.shapes.iter_mut().find(alike) {
            return shape.join(&words);
        }
        if self.shapes.len() == MOST {
            self.more += 1;
            return;
        }
        self.shapes.push(Shape { words, count: 1, first: line.into() });
    }

    /// The most frequent ones first.
    pub fn sorted(mut self) -> Vec<Shape> {
        self.shapes.sort_by_key(|shape| std::cmp::Reverse(shape.count));
        self.shapes
    }
}

impl Shape {
    fn is_like(&self, words: &[Word]) -> bool {
        let same = self.words.iter().zip(words).filter(|(one, other)| one == other || **one == Word::Other).count();
        let fixed = self.words.iter().zip(words).any(|(one, other)| one == other && matches!(one, Word::Same(_)));
        self.words.len() == words.len() && same * 10 >= words.len() * ALIKE && fixed
    }

    fn join(&mut self, words: &[Word]) {
        self.count += 1;
        for (mine, other) in self.words.iter_mut().zip(words) {
            if *mine != *other {
                *mine = Word::Other;
            }
        }
    }

    /// A `[[line]]` to start from.
    pub fn pattern(&self) -> String {
        let (mut pattern, mut number) = (String::from("^"), 0);
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 {
                pattern += r"\s+";
            }
            let mut variable = |inside: &str| {
                number += 1;
                format!("(?P<v{number}>{inside})")
            };
            pattern += &match word {
                Word::Same(text) => regex::escape(text),
                Word::Number => variable(r"-?\d+(?:\.\d+)?"),
                Word::Quoted => variable(r#""[^"]*""#),
                Word::Other => variable(r"\S+"),
            };
        }
        pattern.push('$');
        let mut text = String::from("[[line]]\n");
        // A TOML literal has no escapes, so it must not contain its own mark.
        let quoted = if pattern.contains('\'') { format!("'''{pattern}'''") } else { format!("'{pattern}'") };
        _ = write!(text, "match = {quoted}\nevent = \"{}\"\n", self.name());
        text
    }

    /// From the words that are always the same.
    fn name(&self) -> String {
        let words = self.words.iter().filter_map(|word| match word {
            Word::Same(text) => Some(text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase()),
            _ => None,
        });
        let words: Vec<String> = words.filter(|word| word.len() > 2).take(2).collect();
        if words.is_empty() { "event".into() } else { words.join("_") }
    }
}

/// Words, with what stands between quotes as one.
fn split(line: &str) -> Vec<&str> {
    let (mut words, mut start, mut quoted) = (Vec::new(), None, false);
    for (at, letter) in line.char_indices() {
        if letter == '"' {
            quoted = !quoted;
        }
        match (letter.is_whitespace() && !quoted, start) {
            (true, Some(from)) => {
                words.push(&line[from..at]);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    words.extend(start.map(|from| &line[from..]));
    words
}

fn kind(word: &str) -> Word {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_number = digits.parse::<f64>().is_ok() && digits.starts_with(|first: char| first.is_ascii_digit());
    match () {
        () if is_number => Word::Number,
        () if word.len() > 1 && word.starts_with('"') && word.ends_with('"') => Word::Quoted,
        // Times, addresses and identities are rarely the same twice.
        () if word.bytes().filter(u8::is_ascii_digit).count() * 2 >= word.len().max(4) => Word::Other,
        () => Word::Same(word.into()),
    }
}
