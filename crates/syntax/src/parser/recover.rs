//! Going on after a mistake: skipping to where the next thing can start. Brackets that have a partner are skipped as a
//! whole, so that what stands inside of them is never taken for something else.

use interplay_diagnostics::Span;

use super::Parser;
use super::item::ITEM_WORDS;
use crate::ast::{Expr, ExprKind, Type, TypeKind};
use crate::token::TokenKind;

/// Words that continue the declaration before them, even at the start of a line.
pub(crate) const CLAUSE_WORDS: &[&str] = &["requires", "ensures", "raises", "choose", "when"];

impl Parser<'_> {
    /// Skips what is left of the statement, member or declaration that starts at the token `start`.
    pub(super) fn recover(&mut self, start: usize) {
        self.recover_to(start, self.cursor.lexeme(start).indent);
    }

    /// The same, where the next one stands on a line that is indented no further than `indent`.
    pub(super) fn recover_to(&mut self, start: usize, indent: u32) {
        if self.cursor.position == start && self.eat(TokenKind::Semicolon) {
            return;
        }
        if self.cursor.position == start && !self.at(TokenKind::CloseBrace) {
            self.skip_one();
        }
        while !self.starts_anew(indent) {
            self.skip_one();
        }
    }

    /// An expression, or an error node after which the clause or statement around it can go on.
    pub(super) fn expression_here(&mut self) -> Expr {
        let start = self.cursor.position;
        match self.expression() {
            Ok(expression) => expression,
            Err(_) => Expr { kind: ExprKind::Error, span: self.skip_clause(start) },
        }
    }

    /// A type, or an error node after which the declaration around it can go on.
    pub(super) fn type_here(&mut self) -> Type {
        let start = self.cursor.position;
        match self.type_() {
            Ok(ty) => ty,
            Err(_) => Type { kind: TypeKind::Error, span: self.skip_clause(start) },
        }
    }

    fn skip_clause(&mut self, start: usize) -> Span {
        let indent = self.cursor.lexeme(start).indent;
        while !self.starts_clause() && !self.starts_anew(indent) {
            self.skip_one();
        }
        self.silent_at = Some(self.cursor.position);
        self.height = 1;
        self.span_from(start)
    }

    /// Skips to the next `,` or the end of the list that was opened at `opener`.
    pub(super) fn skip_element(&mut self, opener: usize) {
        let end = self.cursor.partner(opener);
        while end != Some(self.cursor.position) && !self.at(TokenKind::Comma) && !self.leaves_list(opener) {
            self.skip_one();
        }
        self.silent_at = Some(self.cursor.position);
    }

    /// Is the list that was opened at `opener` over, although nothing closes it?
    pub(super) fn leaves_list(&self, opener: usize) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        let outdented = here.first_on_line && here.indent <= self.cursor.lexeme(opener).indent;
        match self.kind() {
            TokenKind::End => true,
            TokenKind::CloseBrace | TokenKind::Arrow => self.cursor.partner(opener).is_none(),
            TokenKind::OpenBrace => self.cursor.partner(opener).is_none() && self.starts_clause(),
            TokenKind::Name | TokenKind::At | TokenKind::Let | TokenKind::Emit => {
                outdented || (self.cursor.partner(opener).is_none() && self.starts_item())
            }
            kind => outdented && starts_statement_word(kind),
        }
    }

    /// A declaration starts with its word and a name; nowhere else can two names follow one another.
    pub(super) fn starts_item(&self) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        let next = self.cursor.kind_ahead(1);
        match self.kind() {
            TokenKind::At => here.first_on_line && next == TokenKind::Name && self.location_follows(),
            TokenKind::Name if self.at_any_word(&["init", "accepting", "relation"]) => {
                here.first_on_line && !is_assignment(next) && !continues_name(next)
            }
            TokenKind::Name => next == TokenKind::Name && self.next_on_line() && self.at_any_word(ITEM_WORDS),
            _ => false,
        }
    }

    /// Does the next declaration start here, although something is still missing? It stands on a new line that is not
    /// indented further than the one before.
    pub(super) fn item_interrupts(&self) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        let outdented = self.cursor.previous().is_some_and(|before| here.indent <= before.indent);
        here.first_on_line && outdented && self.at(TokenKind::Name) && self.starts_item()
    }

    fn next_on_line(&self) -> bool {
        !self.cursor.lexeme(self.cursor.position + 1).first_on_line
    }

    fn location_follows(&self) -> bool {
        matches!(self.cursor.kind_ahead(2), TokenKind::Comma | TokenKind::OpenBrace)
    }

    fn starts_anew(&self, indent: u32) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        match self.kind() {
            TokenKind::End | TokenKind::CloseBrace => true,
            TokenKind::Let | TokenKind::Emit | TokenKind::Return | TokenKind::Assert if self.in_block => true,
            _ if self.at_any_word(CLAUSE_WORDS) => false,
            TokenKind::Semicolon => true,
            TokenKind::Name if self.in_block && is_assignment(self.cursor.kind_ahead(1)) => true,
            TokenKind::Name if here.first_on_line && here.indent <= indent => true,
            kind if starts_statement_word(kind) && here.first_on_line && here.indent <= indent => true,
            _ => self.starts_item(),
        }
    }

    fn starts_clause(&self) -> bool {
        match self.kind() {
            TokenKind::Arrow | TokenKind::Comma | TokenKind::Assign | TokenKind::Else | TokenKind::Colon => true,
            TokenKind::OpenBrace => self.cursor.previous().is_some_and(|before| ends_operand(before.token.kind)),
            _ => self.at_any_word(CLAUSE_WORDS),
        }
    }

    /// Passes one token, or a pair of brackets with all that is inside.
    pub(super) fn skip_one(&mut self) {
        if self.kind().closing().is_some()
            && let Some(partner) = self.cursor.partner(self.cursor.position)
        {
            self.cursor.position = partner;
        }
        self.bump();
    }
}

/// After such a token an operator can stand, and an opening brace opens a block.
pub(crate) fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.is_closing()
        || matches!(kind, Name | Int | Duration | BadNumber | String | OpenString | OpenName | Underscore)
        || matches!(kind, True | False | None | Result)
}

/// Words that start a declaration or a clause; they are ordinary names elsewhere.
pub(crate) fn is_keyword(word: &str) -> bool {
    ITEM_WORDS.contains(&word) || CLAUSE_WORDS.contains(&word)
}

fn is_assignment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign)
}

/// A call, an element or a field.
fn continues_name(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::OpenParen | TokenKind::OpenSquare | TokenKind::Dot | TokenKind::Arrow | TokenKind::Slash)
}

fn starts_statement_word(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, If | For | Match | At | Let | Emit | Return | Assert)
}
