//! How far each line is indented: one level for each bracket around it, and one for a line that goes on with what the
//! line before it began (a clause, an operator, the formula under `property x:`).

use super::frames::{FrameKind, Frames};
use super::lines::{Line, Lines};
use crate::token::TokenKind;

/// Words that go on with the declaration before them.
const CLAUSE_WORDS: &[&str] = &["requires", "ensures", "raises", "choose", "when", "extends"];

/// The level of each line.
pub(super) fn indents(lines: &Lines) -> Vec<usize> {
    let mut indenter =
        Indenter { lines, frames: Frames::new(), open: Vec::new(), previous: 0, clause: Clause::plain(0) };
    let mut indents = vec![0; lines.iter().count()];
    let mut comments = Vec::new();
    for line in lines.iter() {
        if line.code.is_empty() {
            comments.push(line.number);
            continue;
        }
        let (indent, comment_indent) = indenter.line(line);
        indents[line.number] = indent;
        // A comment on its own is about what follows it.
        comments.drain(..).for_each(|comment| indents[comment] = comment_indent);
    }
    comments.into_iter().for_each(|comment| indents[comment] = indenter.base());
    indents
}

struct Indenter<'a, 'l> {
    lines: &'l Lines<'a>,
    frames: Frames<'a>,
    open: Vec<Open>,
    /// The level of the line before.
    previous: usize,
    clause: Clause,
}

/// What the current line belongs to, if it does not start something itself.
#[derive(Clone, Copy)]
struct Clause {
    /// The level of the line on which it started. A line that starts with an operator stands one deeper.
    level: usize,
    /// The level of a line that goes on after an operator at the end of the line before, or with `then` or `else`.
    more: usize,
}

impl Clause {
    fn plain(level: usize) -> Clause {
        Clause { level, more: level + 1 }
    }

    /// It has its lines for itself, as the formula under `property x:`.
    fn introduced(level: usize) -> Clause {
        Clause { level, more: level }
    }
}

/// An open bracket.
struct Open {
    /// The level of the line that opened it.
    level: usize,
    /// The clause that it interrupts.
    clause: Clause,
}

impl Indenter<'_, '_> {
    /// The level of a line, and that of the comments directly before it.
    fn line(&mut self, line: &Line) -> (usize, usize) {
        let base = self.base();
        let first = line.code.start;
        let closes = self.lines.closes(line);
        let indent = if closes { self.open.last().map_or(0, |open| open.level) } else { self.level(first, base) };
        let comments = if closes { base } else { indent };
        for piece in line.code.clone() {
            self.pass(piece, indent, base);
        }
        self.previous = indent;
        (indent, comments)
    }

    /// The level of what stands directly between the innermost brackets.
    fn base(&self) -> usize {
        self.open.last().map_or(0, |open| open.level + 1)
    }

    fn level(&mut self, first: usize, base: usize) -> usize {
        let block = self.frames.kind() == FrameKind::Block;
        match () {
            _ if matches!(self.frames.previous(), TokenKind::Colon | TokenKind::Assign | TokenKind::FatArrow) => {
                self.clause = Clause::introduced(self.previous + 1);
            }
            _ if block && self.starts_with_clause(first) => self.clause = Clause::plain(base + 1),
            _ if block && self.starts_with_branch(first) => return self.clause.more,
            _ if block && self.starts_with_operator(first) => return self.clause.level + 1,
            _ if block && self.line_wants_more(first) => return self.clause.more,
            _ if self.clause.level > base && (self.starts_with_operator(first) || self.starts_with_branch(first)) => {}
            _ => self.clause = Clause::plain(base),
        }
        self.clause.level
    }

    /// `then` or `else` between values.
    fn starts_with_branch(&self, first: usize) -> bool {
        match self.lines.kind_of(first) {
            TokenKind::Then => true,
            TokenKind::Else => self.frames.awaits_else() || self.frames.previous() != TokenKind::CloseBrace,
            _ => false,
        }
    }

    fn starts_with_clause(&self, first: usize) -> bool {
        let text = self.lines.text_of(first);
        // `choose(tea)` is an action of that name; the clause is `choose k in ...`.
        let action = text == "choose" && self.lines.kind_after(first) == Some(TokenKind::OpenParen);
        self.lines.kind_of(first) == TokenKind::Name && CLAUSE_WORDS.contains(&text) && !action
    }

    fn line_wants_more(&self, first: usize) -> bool {
        let opens_block =
            self.lines.kind_of(first) == TokenKind::OpenBrace && self.frames.previous() == TokenKind::Else;
        wants_more(self.frames.previous()) && !opens_block
    }

    fn starts_with_operator(&self, first: usize) -> bool {
        use TokenKind::*;
        match self.lines.kind_of(first) {
            Minus => self.frames.after_operand(),
            Not => first + 1 < self.lines.pieces.len() && self.lines.kind_of(first + 1) == In,
            Where | Dot | FatArrow | PlusAssign | MinusAssign | Comma | Colon => true,
            kind => is_infix(kind),
        }
    }

    fn pass(&mut self, piece: usize, indent: usize, base: usize) {
        let kind = self.lines.kind_of(piece);
        if kind.closing().is_some() {
            // A block belongs to the whole declaration, not to the clause on whose line it happens to be opened.
            let block = self.frames.opened_kind(kind) != FrameKind::List;
            let level = if block { indent.min(base) } else { indent };
            self.open.push(Open { level, clause: self.clause });
            self.clause = Clause::plain(level + 1);
        } else if kind.is_closing()
            && let Some(open) = self.open.pop()
        {
            self.clause = open.clause;
        }
        self.frames.pass(kind, self.lines.text_of(piece));
    }
}

/// After such a token, at the end of a line, the statement or declaration is not over.
fn wants_more(kind: TokenKind) -> bool {
    use TokenKind::*;
    match kind {
        Not | Always | Eventually | Possible | Once | Historically | Previously | Next | Within | Then | Else => true,
        Where | If | Match | For | Let | Emit | Return | Assert | New | At | Old | Some => true,
        Comma | Dot | PlusAssign | MinusAssign | Minus => true,
        kind => is_infix(kind),
    }
}

fn is_infix(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, And | Or | Implies | Iff | In | Is | Since | Until | Unless | DotDot | Assign | Equal | NotEqual)
        || matches!(kind, Less | LessEqual | Greater | GreaterEqual | Arrow | Plus | Ampersand | Star | Slash | Percent)
}
