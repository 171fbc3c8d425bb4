//! Patterns: in `match`, after `is`, and as arguments of a trigger, where `=e` stands for the value of an expression.

use super::{Parsed, Parser};
use crate::ast::{Literal, Name, Pattern, PatternKind};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|parser| {
            let start = parser.cursor.position;
            let kind = parser.pattern_kind()?;
            Ok(Pattern { kind, span: parser.span_from(start) })
        })
    }

    /// An argument of a trigger.
    pub(super) fn trigger_argument(&mut self) -> Parsed<Pattern> {
        let start = self.cursor.position;
        if !self.eat(TokenKind::Assign) {
            return self.pattern();
        }
        let kind = PatternKind::Equal(self.expression()?);
        Ok(Pattern { kind, span: self.span_from(start) })
    }

    fn pattern_kind(&mut self) -> Parsed<PatternKind> {
        if let Some(literal) = self.literal() {
            return Ok(PatternKind::Literal(literal));
        }
        match self.kind() {
            TokenKind::Minus => self.negative_pattern(),
            TokenKind::OpenParen => Ok(self.tuple_pattern()),
            TokenKind::Some => self.some_pattern(),
            TokenKind::Name if !self.item_interrupts() => self.name_pattern(),
            TokenKind::Underscore => Ok(self.bump_to(PatternKind::Wildcard)),
            TokenKind::None => Ok(self.bump_to(PatternKind::None)),
            _ => Err(self.expected("a pattern")),
        }
    }

    fn bump_to(&mut self, kind: PatternKind) -> PatternKind {
        self.bump();
        kind
    }

    fn negative_pattern(&mut self) -> Parsed<PatternKind> {
        if self.smallest_int_follows() {
            self.bump();
            self.bump();
            return Ok(PatternKind::Literal(Literal::Int(i64::MIN)));
        }
        self.bump();
        Ok(PatternKind::Literal(Literal::Int(-self.int()?)))
    }

    fn tuple_pattern(&mut self) -> PatternKind {
        let opener = self.cursor.position;
        let mut list = self.list(|parser| Ok(parser.element_pattern(opener, Self::pattern)));
        let patterns = &mut list.elements;
        match patterns.len() {
            0 => {
                if !list.broken {
                    self.nothing_between("a pattern", opener);
                }
                PatternKind::Error
            }
            1 => patterns.remove(0).kind,
            _ => PatternKind::Tuple(std::mem::take(patterns)),
        }
    }

    fn some_pattern(&mut self) -> Parsed<PatternKind> {
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            return Err(self.expected("`(` and a pattern for what is inside"));
        }
        let inner = self.pattern_list().into_iter().next();
        Ok(inner.map_or(PatternKind::Error, |inner| PatternKind::Some(Box::new(inner))))
    }

    fn name_pattern(&mut self) -> Parsed<PatternKind> {
        let first = self.take_name();
        if self.eat(TokenKind::Dot) {
            let name = self.field_name()?;
            return Ok(self.variant_pattern(Some(first), name));
        }
        match self.kind() {
            TokenKind::OpenParen => Ok(self.variant_pattern(None, first)),
            _ => Ok(PatternKind::Name(first.text)),
        }
    }

    fn variant_pattern(&mut self, enumeration: Option<Name>, name: Name) -> PatternKind {
        let args = if self.at(TokenKind::OpenParen) { self.pattern_list() } else { Vec::new() };
        PatternKind::Variant { enumeration, name, args }
    }

    /// Patterns in parentheses; a bad one keeps its place.
    fn pattern_list(&mut self) -> Vec<Pattern> {
        let opener = self.cursor.position;
        self.list(|parser| Ok(parser.element_pattern(opener, Self::pattern))).elements
    }

    pub(super) fn trigger_arguments(&mut self) -> Vec<Pattern> {
        let opener = self.cursor.position;
        self.list(|parser| Ok(parser.element_pattern(opener, Self::trigger_argument))).elements
    }

    fn element_pattern(&mut self, opener: usize, read: fn(&mut Self) -> Parsed<Pattern>) -> Pattern {
        let start = self.cursor.position;
        read(self).unwrap_or_else(|_| {
            self.skip_element(opener);
            Pattern { kind: PatternKind::Error, span: self.span_from(start) }
        })
    }
}
