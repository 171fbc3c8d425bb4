//! The text cut into lines of tokens, without blank lines.

use std::ops::Range;

use interplay_diagnostics::Span;

use crate::contextual::settle;
use crate::token::{Token, TokenKind, lex};

pub(super) struct Lines<'a> {
    text: &'a str,
    /// All tokens but white space.
    pub(super) pieces: Vec<Piece>,
    lines: Vec<Line>,
}

#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) token: Token,
    /// How many blanks stood before it; it may be the first of its line.
    pub(super) blanks: usize,
}

pub(super) struct Line {
    pub(super) number: usize,
    /// The pieces that are not comments.
    pub(super) code: Range<usize>,
    comment: Option<usize>,
    pub(super) blank_before: bool,
    /// A mistake was found in it, so it is copied as it is.
    pub(super) bad: bool,
    bytes: Range<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, mistakes: &[Span]) -> Lines<'a> {
        let mut lines = Lines { text, pieces: Vec::new(), lines: Vec::new() };
        lines.cut();
        lines.settle();
        lines.mark(mistakes);
        lines
    }

    fn cut(&mut self) {
        let (mut start, mut breaks, mut blanks) = (0, 0, 0);
        for token in lex(self.text) {
            if token.kind == TokenKind::Space {
                let space = token.text(self.text);
                breaks += line_breaks(space);
                start = space.rfind(['\n', '\r']).map_or(start, |at| token.start as usize + at + 1);
                blanks = space.len();
                continue;
            }
            if breaks > 0 || self.lines.is_empty() {
                self.open_line(start, breaks > 1 && !self.lines.is_empty());
            }
            self.add(Piece { token, blanks });
            (breaks, blanks) = (0, 0);
        }
    }

    /// Words that are names where they stand.
    fn settle(&mut self) {
        let code: Vec<usize> = (0..self.pieces.len()).filter(|&at| !self.kind_of(at).is_comment()).collect();
        let mut kinds: Vec<TokenKind> = code.iter().map(|&at| self.kind_of(at)).collect();
        settle(&mut kinds, |at| self.text_of(code[at]));
        for (at, kind) in code.into_iter().zip(kinds) {
            self.pieces[at].token.kind = kind;
        }
    }

    fn open_line(&mut self, start: usize, blank_before: bool) {
        let (number, next) = (self.lines.len(), self.pieces.len());
        self.lines.push(Line {
            number,
            code: next..next,
            comment: None,
            blank_before,
            bad: false,
            bytes: start..start,
        });
    }

    fn add(&mut self, piece: Piece) {
        let line = self.lines.last_mut().expect("a line was opened");
        line.bytes.end = piece.token.end as usize;
        line.bad |= piece.token.kind.is_error();
        match piece.token.kind.is_comment() {
            true => line.comment = Some(self.pieces.len()),
            false => line.code.end = self.pieces.len() + 1,
        }
        self.pieces.push(piece);
    }

    fn mark(&mut self, mistakes: &[Span]) {
        for span in mistakes {
            let range = span.range();
            let first = self.lines.partition_point(|line| line.bytes.end <= range.start);
            let touched = self.lines[first..].iter_mut().take_while(|line| line.bytes.start < range.end);
            touched.for_each(|line| line.bad = true);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    /// The line as it was written, without white space at its end.
    pub(super) fn raw(&self, line: &Line) -> &'a str {
        trim_end(&self.text[line.bytes.clone()])
    }

    pub(super) fn text_of(&self, piece: usize) -> &'a str {
        self.pieces[piece].token.text(self.text)
    }

    /// What stands after a piece, if anything does.
    pub(super) fn kind_after(&self, piece: usize) -> Option<TokenKind> {
        (piece + 1 < self.pieces.len()).then(|| self.kind_of(piece + 1))
    }

    pub(super) fn kind_of(&self, piece: usize) -> TokenKind {
        self.pieces[piece].token.kind
    }

    /// The comment of a line, unless the line is copied with it.
    pub(super) fn comment_apart(&self, line: &Line) -> Option<&'a str> {
        let comment = line.comment.filter(|_| !line.bad);
        comment.map(|piece| trim_end(self.text_of(piece)))
    }

    /// Does the line before this one end in an opening bracket?
    pub(super) fn opens_before(&self, line: &Line) -> bool {
        let Some(before) = line.number.checked_sub(1).map(|number| &self.lines[number]) else { return true };
        before.code.clone().next_back().is_some_and(|piece| self.kind_of(piece).closing().is_some())
    }

    /// Does the line start with a closing bracket?
    pub(super) fn closes(&self, line: &Line) -> bool {
        line.code.clone().next().is_some_and(|piece| self.kind_of(piece).is_closing())
    }
}

fn line_breaks(space: &str) -> usize {
    let carriage_returns = space.matches('\r').count();
    space.matches('\n').count() + carriage_returns - space.matches("\r\n").count()
}

fn trim_end(text: &str) -> &str {
    text.trim_end_matches([' ', '\t', '\r', '\u{0C}', '\u{FEFF}'])
}
