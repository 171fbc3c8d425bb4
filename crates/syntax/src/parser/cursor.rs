//! The tokens that count, with a place to read from. White space and comments are gone; what recovery and documentation
//! need of them (lines, indentation, `///`) is noted beside the tokens, and so is the partner of every bracket.

use std::ops::Range;

use crate::contextual::settle;
use crate::token::{Token, TokenKind, lex};

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    lexemes: Vec<Lexeme>,
    partners: Vec<u32>,
    docs: Vec<Doc>,
    pub(super) position: usize,
}

/// A token and the line it stands on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) first_on_line: bool,
    /// How far the line is indented, in bytes.
    pub(super) indent: u32,
}

/// A `///` or `//!` line and the token that follows it.
struct Doc {
    before: usize,
    token: Token,
}

const NO_PARTNER: u32 = u32::MAX;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        let mut cursor = Cursor { text, lexemes: Vec::new(), partners: Vec::new(), docs: Vec::new(), position: 0 };
        cursor.read(lex(text));
        cursor.partners = pair_brackets(&cursor.lexemes);
        cursor
    }

    fn read(&mut self, tokens: Vec<Token>) {
        let mut line = Line { first: true, indent: 0 };
        for token in tokens {
            match token.kind {
                TokenKind::Space => line.pass(token.text(self.text)),
                TokenKind::Comment => {}
                TokenKind::DocComment | TokenKind::FileComment => {
                    self.docs.push(Doc { before: self.lexemes.len(), token })
                }
                _ => self.lexemes.push(line.lexeme(token)),
            }
        }
        let mut kinds: Vec<TokenKind> = self.lexemes.iter().map(|lexeme| lexeme.token.kind).collect();
        settle(&mut kinds, |at| self.lexemes[at].token.text(self.text));
        for (lexeme, kind) in self.lexemes.iter_mut().zip(kinds) {
            lexeme.token.kind = kind;
        }
        let end = self.text.len() as u32;
        let token = Token { kind: TokenKind::End, start: end, end };
        self.lexemes.push(Lexeme { token, first_on_line: true, indent: 0 });
    }

    pub(super) fn lexeme(&self, position: usize) -> Lexeme {
        self.lexemes[position.min(self.lexemes.len() - 1)]
    }

    pub(super) fn lexemes(&self) -> &[Lexeme] {
        &self.lexemes
    }

    /// The kind of the token `ahead` tokens after this one.
    pub(super) fn kind_ahead(&self, ahead: usize) -> TokenKind {
        self.lexeme(self.position + ahead).token.kind
    }

    pub(super) fn text_ahead(&self, ahead: usize) -> &'a str {
        self.lexeme(self.position + ahead).token.text(self.text)
    }

    pub(super) fn previous(&self) -> Option<Lexeme> {
        self.position.checked_sub(1).map(|position| self.lexeme(position))
    }

    /// Goes on by one token, but never beyond the end.
    pub(super) fn bump(&mut self) {
        self.position = (self.position + 1).min(self.lexemes.len() - 1);
    }

    /// The bracket that belongs to the one at `position`.
    pub(super) fn partner(&self, position: usize) -> Option<usize> {
        Some(self.partners[position] as usize).filter(|&partner| partner != NO_PARTNER as usize)
    }

    /// Reads `>=` as `>` and `=`, as in `var s: Set<Int>= {}`.
    pub(super) fn split_first_byte(&mut self, rest: TokenKind) {
        let token = &mut self.lexemes[self.position].token;
        token.start += 1;
        token.kind = rest;
    }

    /// The `///` lines that stand directly before the token at `position`.
    pub(super) fn doc_before(&self, position: usize) -> String {
        let first = self.docs.partition_point(|doc| doc.before < position);
        let lines = self.docs[first..].iter().take_while(|doc| doc.before == position);
        self.doc_text(lines.filter(|doc| doc.token.kind == TokenKind::DocComment))
    }

    /// All `//!` lines.
    pub(super) fn file_doc(&self) -> String {
        self.doc_text(self.docs.iter().filter(|doc| doc.token.kind == TokenKind::FileComment))
    }

    fn doc_text<'d>(&self, docs: impl Iterator<Item = &'d Doc>) -> String {
        let line = |doc: &'d Doc| {
            let text = &self.text[doc.token.range()][3..];
            text.strip_prefix(' ').unwrap_or(text).trim_end()
        };
        docs.map(line).collect::<Vec<_>>().join("\n")
    }

    /// From the token at `start` to the one read last.
    pub(super) fn range_from(&self, start: usize) -> Range<usize> {
        let first = self.lexeme(start).token.range();
        let last = self.lexeme(self.position.saturating_sub(1).max(start)).token.range();
        first.start..if self.position > start { last.end } else { first.end }
    }
}

/// The line that is being read: whether a token was seen on it, and how far it is indented.
struct Line {
    first: bool,
    indent: u32,
}

impl Line {
    fn pass(&mut self, space: &str) {
        if let Some(at) = space.rfind(['\n', '\r']) {
            *self = Line { first: true, indent: (space.len() - at - 1) as u32 };
        }
    }

    fn lexeme(&mut self, token: Token) -> Lexeme {
        let lexeme = Lexeme { token, first_on_line: self.first, indent: self.indent };
        self.first = false;
        lexeme
    }
}

/// Finds the partner of every bracket in one pass. A closing brace closes what was left open inside of it; a round or
/// square bracket never reaches beyond a brace. So one forgotten bracket stays the only one without a partner.
fn pair_brackets(lexemes: &[Lexeme]) -> Vec<u32> {
    let mut partners = vec![NO_PARTNER; lexemes.len()];
    let mut open: Vec<(usize, TokenKind)> = Vec::new();
    // How many brackets of each shape are open since the last open brace, for each open brace and for the file.
    let mut counts = vec![[0u32; 2]];
    for (position, kind) in lexemes.iter().map(|lexeme| lexeme.token.kind).enumerate() {
        if let Some(closing) = kind.closing() {
            open.push((position, closing));
            match shape(closing) {
                Some(shape) => counts.last_mut().expect("the file is open")[shape] += 1,
                None => counts.push([0; 2]),
            }
        } else if kind.is_closing() && can_close(kind, &counts) {
            let opener = pop_until(kind, &mut open, &mut counts);
            partners[opener] = position as u32;
            partners[position] = opener as u32;
        }
    }
    partners
}

fn shape(closing: TokenKind) -> Option<usize> {
    match closing {
        TokenKind::CloseParen => Some(0),
        TokenKind::CloseSquare => Some(1),
        _ => None,
    }
}

fn can_close(closing: TokenKind, counts: &[[u32; 2]]) -> bool {
    match shape(closing) {
        Some(shape) => counts.last().is_some_and(|counts| counts[shape] > 0),
        None => counts.len() > 1,
    }
}

fn pop_until(closing: TokenKind, open: &mut Vec<(usize, TokenKind)>, counts: &mut Vec<[u32; 2]>) -> usize {
    loop {
        let (position, expected) = open.pop().expect("the counts say that one is open");
        match shape(expected) {
            Some(shape) => counts.last_mut().expect("the file is open")[shape] -= 1,
            None => drop(counts.pop()),
        }
        if expected == closing {
            return position;
        }
    }
}
