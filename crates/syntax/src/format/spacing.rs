//! Where a space stands between two tokens of a line: `f(a, b)`, `x: Int`, `-x`, `0..7`, `Map<K, V>`.
//!
//! Sets keep the author's choice between `{u}` and `{ u }`; the space before `}` follows the one after `{`. Two spaces
//! between statements on one line are kept, too: without a mark between them, they are what the eye goes by.

use super::frames::{FrameKind, Frames};
use super::lines::{Lines, Piece};
use crate::parser::{ends_operand, is_keyword};
use crate::token::{TokenKind, lex};

/// For each piece how many spaces stand before it, if it is not the first of its line.
pub(super) fn spaces(lines: &Lines) -> Vec<usize> {
    let mut spacer = Spacer { frames: Frames::new(), braces: Vec::new(), tight: Tight::No };
    let mut spaces = vec![0; lines.pieces.len()];
    for line in lines.iter() {
        for index in line.code.clone() {
            let (piece, text) = (lines.pieces[index], lines.text_of(index));
            let last = index + 1 == line.code.end;
            let before = spacer.frames.recent(0).1;
            let apart = spacer.parts_statements(piece);
            let spaced = spacer.step(piece, text, last) || glues(before, text);
            spaces[index] = usize::from(spaced) + usize::from(spaced && apart);
        }
    }
    spaces
}

struct Spacer<'a> {
    frames: Frames<'a>,
    /// For each open bracket, whether its content is set apart with spaces.
    braces: Vec<bool>,
    tight: Tight,
}

/// Does the token before cling to what follows?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tight {
    No,
    Yes,
    /// As the author wrote it.
    Kept,
}

impl<'a> Spacer<'a> {
    fn step(&mut self, piece: Piece, text: &'a str, last: bool) -> bool {
        let kind = piece.token.kind;
        self.note_apart(piece);
        let space = self.space(kind, piece.blanks > 0);
        self.tight = self.tightness(kind);
        match kind {
            _ if kind.closing().is_some() => {
                let block = self.frames.opened_kind(kind) != FrameKind::List;
                self.braces.push(kind == TokenKind::OpenBrace && (block || last));
            }
            _ if kind.is_closing() => drop(self.braces.pop()),
            _ => {}
        }
        self.frames.pass(kind, text);
        space
    }

    /// Did the author set two statements or members apart?
    fn parts_statements(&self, piece: Piece) -> bool {
        use TokenKind::*;
        let (before, word) = self.frames.recent(0);
        let starts = matches!(piece.token.kind, Name | If | For | Match | Let | Emit | Return | Assert);
        let ends = ends_operand(before) && !is_keyword(word);
        piece.blanks > 1 && starts && ends && self.frames.in_block()
    }

    /// The first token after the brace of a list decides for the whole list.
    fn note_apart(&mut self, piece: Piece) {
        if self.frames.previous() == TokenKind::OpenBrace
            && let Some(apart) = self.braces.last_mut()
        {
            *apart |= piece.blanks > 0;
        }
    }

    fn space(&self, kind: TokenKind, spaced: bool) -> bool {
        use TokenKind::*;
        let apart = self.braces.last().copied().unwrap_or(true);
        match (self.frames.previous(), kind) {
            _ if self.tight != Tight::No => self.tight == Tight::Kept && spaced,
            (OpenBrace, CloseBrace) => false,
            (OpenBrace, _) | (_, CloseBrace) => apart,
            (OpenParen | OpenSquare | Dot | DotDot, _) => false,
            (_, CloseParen | CloseSquare | Comma | Colon | Dot | DotDot | Semicolon) => false,
            (_, OpenParen) => self.space_before_parenthesis(spaced),
            (_, OpenSquare) if self.frames.after_expression_word() => spaced,
            (CloseBrace, OpenSquare) => spaced,
            (before, OpenSquare) => !ends_operand(before),
            (_, Less) => !self.frames.opens_angle(),
            (_, Greater | GreaterEqual) => !self.frames.closes_angle(),
            _ => true,
        }
    }

    fn space_before_parenthesis(&self, spaced: bool) -> bool {
        use TokenKind::*;
        let (before, _) = self.frames.recent(0);
        match before {
            _ if self.frames.recent(1).0 == Dot => false,
            Name if self.frames.after_expression_word() => spaced,
            Name if self.frames.recent(1) == (Name, "collect") => spaced,
            CloseParen | CloseSquare | CloseBrace => spaced,
            Name | Some | Old => false,
            _ => true,
        }
    }

    fn tightness(&self, kind: TokenKind) -> Tight {
        use TokenKind::*;
        match kind {
            Minus if self.frames.after_expression_word() => Tight::Kept,
            Minus if !self.frames.after_operand() => Tight::Yes,
            Assign if matches!(self.frames.previous(), OpenParen | Comma) => Tight::Yes,
            Less if self.frames.opens_angle() => Tight::Yes,
            Bang => Tight::Yes,
            _ => Tight::No,
        }
    }
}

/// Would the two be read as something else without a space between them?
fn glues(left: &str, right: &str) -> bool {
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else { return false };
    if !(is_word(last) && is_word(first) || is_mark(last) && is_mark(first)) {
        return false;
    }
    let tokens = lex(&format!("{left}{right}"));
    tokens.first().is_none_or(|token| token.end as usize != left.len()) || tokens.len() != 2
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || !c.is_ascii()
}

fn is_mark(c: char) -> bool {
    ".=<>-+!:&|/".contains(c)
}
