//! The brackets around a token, and what kind they are: a brace opens a block, the cases of a `match`, or a list.
//!
//! Tokens alone do not always say which. The words before a brace decide; a wrong guess costs beauty, never meaning.

use crate::parser::ends_operand;
use crate::token::TokenKind;

/// Words after which an expression stands. They are ordinary names, too.
pub(crate) const EXPRESSION_WORDS: &[&str] =
    &["when", "requires", "ensures", "check", "expect", "keep", "group", "init", "accepting", "relation", "bag"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// Declarations, members or statements.
    Block,
    /// The cases of a `match` between statements.
    Cases,
    /// Elements with commas between them.
    List,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    kind: FrameKind,
    /// A `match` whose brace has not come yet.
    pending_match: Option<FrameKind>,
    /// How many `then` wait for their `else`.
    open_thens: u32,
}

/// Follows the tokens from the start of the file.
pub(super) struct Frames<'a> {
    frames: Vec<Frame>,
    /// How many `<` of types are open.
    angles: u32,
    /// The last three tokens, the latest first.
    recent: [(TokenKind, &'a str); 3],
}

impl<'a> Frames<'a> {
    pub(super) fn new() -> Frames<'a> {
        let file = Frame { kind: FrameKind::Block, pending_match: None, open_thens: 0 };
        Frames { frames: vec![file], angles: 0, recent: [(TokenKind::End, ""); 3] }
    }

    pub(super) fn kind(&self) -> FrameKind {
        self.top().kind
    }

    /// Between the braces of a block, not of the file.
    pub(super) fn in_block(&self) -> bool {
        self.frames.len() > 1 && self.kind() == FrameKind::Block
    }

    pub(super) fn previous(&self) -> TokenKind {
        self.recent[0].0
    }

    pub(super) fn recent(&self, back: usize) -> (TokenKind, &'a str) {
        self.recent[back]
    }

    /// Does the token before end something that an operator can follow?
    pub(super) fn after_operand(&self) -> bool {
        ends_operand(self.previous()) && !self.after_expression_word()
    }

    pub(super) fn after_expression_word(&self) -> bool {
        let (kind, text) = self.recent[0];
        kind == TokenKind::Name && EXPRESSION_WORDS.contains(&text)
    }

    /// Would a `<` here belong to a type?
    pub(super) fn opens_angle(&self) -> bool {
        matches!(self.recent[0], (TokenKind::Name, "Option" | "Seq" | "Set" | "Map"))
    }

    /// Would a `>` here belong to a type?
    pub(super) fn closes_angle(&self) -> bool {
        self.angles > 0
    }

    /// Would an `else` here belong to a value, not to a block?
    pub(super) fn awaits_else(&self) -> bool {
        self.top().open_thens > 0
    }

    fn top(&self) -> Frame {
        *self.frames.last().expect("the file is never closed")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the file is never closed")
    }

    pub(super) fn pass(&mut self, kind: TokenKind, text: &'a str) {
        match kind {
            TokenKind::Match => self.top_mut().pending_match = Some(self.match_kind()),
            TokenKind::Then => self.top_mut().open_thens += 1,
            TokenKind::Less if self.opens_angle() => self.angles += 1,
            // It ends the type as a bracket does, and compares nothing.
            TokenKind::Greater if self.closes_angle() => {
                self.angles -= 1;
                return self.remember(TokenKind::CloseSquare, text);
            }
            // `Set<Int>= {}`: a bracket and an assignment in one.
            TokenKind::GreaterEqual if self.closes_angle() => {
                self.angles -= 1;
                return self.remember(TokenKind::Assign, text);
            }
            _ if kind.closing().is_some() => {
                let opened = self.opened_kind(kind);
                if kind == TokenKind::OpenBrace && self.after_operand() {
                    self.top_mut().pending_match = None;
                }
                self.frames.push(Frame { kind: opened, pending_match: None, open_thens: 0 });
            }
            _ if kind.is_closing() && self.frames.len() > 1 => drop(self.frames.pop()),
            _ => {}
        }
        if self.previous() == TokenKind::Else {
            self.top_mut().open_thens = self.top().open_thens.saturating_sub(1);
        }
        self.remember(kind, text);
    }

    fn remember(&mut self, kind: TokenKind, text: &'a str) {
        self.recent = [(kind, text), self.recent[0], self.recent[1]];
    }

    /// A `match` at the start of a statement has blocks as cases, one inside of an expression has values.
    fn match_kind(&self) -> FrameKind {
        let starts = matches!(self.previous(), TokenKind::OpenBrace) || self.after_operand();
        if starts && self.kind() == FrameKind::Block { FrameKind::Cases } else { FrameKind::List }
    }

    /// What an opening bracket opens if it stands here.
    pub(super) fn opened_kind(&self, bracket: TokenKind) -> FrameKind {
        if bracket != TokenKind::OpenBrace {
            return FrameKind::List;
        }
        match self.previous() {
            TokenKind::Never | TokenKind::Possible => FrameKind::Block,
            TokenKind::Else if self.top().open_thens == 0 => FrameKind::Block,
            TokenKind::FatArrow if self.kind() == FrameKind::Cases => FrameKind::Block,
            _ if self.names_list() || !self.after_operand() => FrameKind::List,
            _ => self.top().pending_match.unwrap_or(FrameKind::Block),
        }
    }

    /// `enum Name`, `record Name`
    fn names_list(&self) -> bool {
        self.previous() == TokenKind::Name && matches!(self.recent[1], (TokenKind::Name, "enum" | "record"))
    }
}
