//! Elements between brackets, separated by commas, with or without one at the end.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind};
use crate::token::TokenKind;

/// What stood between two brackets.
pub(super) struct List<T> {
    pub(super) elements: Vec<T>,
    /// A comma stood after the last element.
    pub(super) trailing_comma: bool,
    /// A separator was missing, so that the elements may not be what was meant.
    pub(super) broken: bool,
}

impl Parser<'_> {
    /// Reads a list from its opening bracket, which is the current token. An element that fails is left out.
    pub(super) fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> List<T> {
        let slash_ends = std::mem::take(&mut self.slash_ends);
        let opener = self.cursor.position;
        let closing = self.kind().closing().expect("a list starts with a bracket");
        self.bump();
        let mut list = List { elements: Vec::new(), trailing_comma: false, broken: false };
        while !self.eat(closing) {
            let before = self.cursor.position;
            match element(self) {
                Ok(element) => list.elements.push(element),
                Err(_) => self.skip_element(opener),
            }
            list.trailing_comma = self.eat(TokenKind::Comma);
            if !list.trailing_comma && !self.at(closing) && !self.separate(opener, before, &mut list.broken) {
                break;
            }
        }
        self.slash_ends = slash_ends;
        list
    }

    /// Neither a comma nor the end: reports it once for each list. Says whether the list goes on.
    fn separate(&mut self, opener: usize, before: usize, broken: &mut bool) -> bool {
        let stuck = self.cursor.position == before;
        let silent = std::mem::replace(broken, true);
        if self.leaves_list(opener) || self.cursor.partner(opener).is_none() {
            self.unclosed(opener);
            return false;
        }
        if !silent {
            let closing = self.kind_that_closes(opener);
            self.expected(&format!("`,` or `{closing}`"));
        }
        if stuck {
            self.bump();
            self.skip_element(opener);
            self.eat(TokenKind::Comma);
        }
        true
    }

    fn kind_that_closes(&self, opener: usize) -> &'static str {
        match self.cursor.lexeme(opener).token.kind {
            TokenKind::OpenParen => ")",
            TokenKind::OpenSquare => "]",
            _ => "}",
        }
    }

    /// An expression in a list; a bad one keeps its place, so that the others keep theirs.
    pub(super) fn element_expression(&mut self, opener: usize) -> Expr {
        let start = self.cursor.position;
        self.expression().unwrap_or_else(|_| {
            self.skip_element(opener);
            self.height = 1;
            Expr { kind: ExprKind::Error, span: self.span_from(start) }
        })
    }

    /// `one, two, three` without brackets.
    pub(super) fn separated<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut elements = vec![element(self)?];
        while self.eat(TokenKind::Comma) {
            elements.push(element(self)?);
        }
        Ok(elements)
    }
}
