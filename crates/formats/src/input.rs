//! Reading with a place: a text, how far we are in it, and what is wrong there.

use super::Malformed;

#[derive(Clone)]
pub(super) struct Input<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Input<'t> {
    pub(super) fn new(text: &'t str) -> Input<'t> {
        Input { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The number of the byte where we are.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn take(&mut self, bytes: usize) -> &'t str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        taken
    }

    /// The longest piece of such characters.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let length = self.rest().find(|each| !wanted(each)).unwrap_or(self.rest().len());
        self.take(length)
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// This text, if it stands here.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        if here {
            self.at += text.len();
        }
        here
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), Malformed> {
        self.skip_blanks();
        match self.eat(text) {
            true => Ok(()),
            false => self.wrong(format!("`{text}` is missing here")),
        }
    }

    /// A number that can count states.
    pub(super) fn number(&mut self) -> Result<usize, Malformed> {
        self.skip_blanks();
        let start = self.at;
        let digits = self.take_while(|each| each.is_ascii_digit());
        match digits.parse() {
            Ok(number) => Ok(number),
            Err(_) if digits.is_empty() => self.wrong_at(start, "a number is missing here"),
            Err(_) => self.wrong_at(start, format!("{digits} is too large")),
        }
    }

    /// `"..."`, with back slashes before quotation marks.
    pub(super) fn string(&mut self) -> Result<String, Malformed> {
        let start = self.at;
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.wrong_at(start, "this text has no closing quotation mark"),
                Some('"') => {
                    self.take(1);
                    return Ok(text);
                }
                Some('\\') if matches!(self.rest().as_bytes().get(1), Some(b'"' | b'\\')) => {
                    text.push_str(&self.take(2)[1..]);
                }
                Some(each) => text.push_str(self.take(each.len_utf8())),
            }
        }
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Malformed> {
        self.wrong_at(self.at, message)
    }

    pub(super) fn wrong_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T, Malformed> {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Err(Malformed { line, column, message: message.into() })
    }
}
