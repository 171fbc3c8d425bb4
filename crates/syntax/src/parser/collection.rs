//! Brackets in expressions: tuples, sequences, sets, maps, comprehensions, and the arguments of calls.
//!
//! All are lists of the same elements, `e`, `k: v` and `e for x in S`; what the list is becomes clear when it has been read.

use super::expression::Level;
use super::list::List;
use super::{Parsed, Parser};
use crate::ast::{Binder, Comprehension, Expr, ExprKind, Name};
use crate::token::TokenKind;

/// `item`, `item: value`, each with or without `for ...`.
struct Element {
    item: Expr,
    value: Option<Expr>,
    tail: Option<(Vec<Binder>, Option<Expr>)>,
}

impl Parser<'_> {
    /// `x`, `f(a, b)`, `Point(x: 1)`
    pub(super) fn name_or_call(&mut self) -> Parsed<ExprKind> {
        let name = self.take_name();
        if self.fields_in_braces() {
            return Ok(self.record_in_braces(&name));
        }
        if self.foreign_prefix(&name.text) {
            let help = super::report::foreign_word(&name.text).unwrap_or_default();
            self.report_at(name.span, &format!("`{}` is no word of this language", name.text), help);
            self.nested(|parser| parser.binary(Level::Prefix))?;
            return Ok(ExprKind::Error);
        }
        if !self.at(TokenKind::OpenParen) {
            return Ok(ExprKind::Name(name.text));
        }
        let list = self.elements(true);
        self.grow(self.height)?;
        let labelled = list.elements.iter().any(|element| element.value.is_some());
        if labelled {
            return Ok(self.record(name, list));
        }
        Ok(ExprKind::Call { name, args: into_arguments(list) })
    }

    /// `Lease { holder: c }`, or `= Lease {}` where no block can follow.
    fn fields_in_braces(&self) -> bool {
        use TokenKind::*;
        let before = self.cursor.position.checked_sub(2).map_or(End, |at| self.cursor.lexeme(at).token.kind);
        self.at(OpenBrace)
            && match self.cursor.kind_ahead(1) {
                Name => self.cursor.kind_ahead(2) == Colon && before != Match,
                CloseBrace => matches!(before, Assign | OpenParen | Comma),
                _ => false,
            }
    }

    fn record_in_braces(&mut self, name: &Name) -> ExprKind {
        let help = format!("write `{}(field: value)`", name.text);
        self.expected_with_help("`(` and the fields", Some(help));
        self.skip_one();
        ExprKind::Error
    }

    /// A prefix word of another temporal logic with its operand behind it.
    fn foreign_prefix(&self, word: &str) -> bool {
        let known = matches!(word, "eventually" | "globally" | "finally" | "G" | "F");
        let here = self.cursor.lexeme(self.cursor.position);
        let text = self.cursor.text_ahead(0);
        let operand = matches!(self.kind(), TokenKind::Name | TokenKind::Not | TokenKind::At);
        let another = super::is_keyword(text) || super::ENTRY_WORDS.contains(&text) || self.starts_item();
        known && operand && !self.in_block && !here.first_on_line && !another
    }

    /// The arguments in parentheses.
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        let list = self.elements(false);
        self.height += 1;
        into_arguments(list)
    }

    fn record(&mut self, name: Name, list: List<Element>) -> ExprKind {
        let mut fields = Vec::new();
        for element in list.elements {
            match (element.item, element.value) {
                (Expr { kind: ExprKind::Name(text), span }, Some(value)) => fields.push((Name { text, span }, value)),
                (Expr { kind: ExprKind::Error, .. }, _) => {}
                (item, _) => {
                    let help = "write every field as `name: value`";
                    self.report_at(item.span, "expected a field's name and `:`", help);
                    return ExprKind::Error;
                }
            }
        }
        ExprKind::Record { name, fields }
    }

    /// `(e)` is `e`; with a comma it is a tuple.
    pub(super) fn parenthesis(&mut self) -> Parsed<ExprKind> {
        let opener = self.cursor.position;
        let mut height = 0;
        let mut list = self.list(|parser| {
            let element = parser.element_expression(opener);
            height = height.max(parser.height);
            Ok(element)
        });
        self.height = height;
        match list.elements.len() {
            _ if list.broken => Ok(ExprKind::Error),
            0 => Ok(self.nothing_between("an expression", opener)),
            1 if !list.trailing_comma => Ok(list.elements.remove(0).kind),
            _ => {
                self.grow(height)?;
                Ok(ExprKind::Tuple(list.elements))
            }
        }
    }

    /// Empty brackets where something must stand between them.
    pub(super) fn nothing_between(&mut self, what: &str, opener: usize) -> ExprKind {
        self.report_at(self.span_from(opener), &format!("expected {what} between these brackets"), "");
        ExprKind::Error
    }

    pub(super) fn square(&mut self) -> Parsed<ExprKind> {
        let mut list = self.elements(false);
        self.grow(self.height)?;
        if let [Element { tail: Some(_), .. }] = list.elements.as_slice() {
            let element = list.elements.remove(0);
            return Ok(ExprKind::SeqComprehension(Box::new(comprehension(element).1)));
        }
        Ok(ExprKind::Seq(list.elements.into_iter().map(|element| element.item).collect()))
    }

    pub(super) fn braces(&mut self) -> Parsed<ExprKind> {
        let mut list = self.elements(true);
        self.grow(self.height)?;
        match list.elements.as_slice() {
            [] if list.broken => Ok(ExprKind::Error),
            [] => Ok(ExprKind::Braces),
            [Element { tail: Some(_), .. }] => Ok(braces_comprehension(list.elements.remove(0))),
            _ => Ok(self.set_or_map(list.elements)),
        }
    }

    fn set_or_map(&mut self, elements: Vec<Element>) -> ExprKind {
        let pairs = elements.iter().filter(|element| element.value.is_some()).count();
        if pairs == 0 {
            return ExprKind::Set(elements.into_iter().map(|element| element.item).collect());
        }
        let broken = |element: &Element| matches!(element.item.kind, ExprKind::Error);
        if let Some(single) = elements.iter().find(|element| element.value.is_none()) {
            if !broken(single) {
                let help = "a map has a value for every key: `{ k: v }`";
                self.report_at(single.item.span, "expected `:` and a value after this key", help);
            }
            return ExprKind::Error;
        }
        ExprKind::Map(elements.into_iter().filter_map(|element| Some((element.item, element.value?))).collect())
    }

    /// Reads the elements and notes the height of the highest.
    fn elements(&mut self, pairs: bool) -> List<Element> {
        let opener = self.cursor.position;
        let mut height = 0;
        let mut list = self.list(|parser| {
            parser.height = 0;
            let element = parser.element(opener, pairs);
            height = height.max(parser.height);
            element
        });
        self.height = height;
        self.only_comprehension(&mut list);
        list
    }

    fn element(&mut self, opener: usize, pairs: bool) -> Parsed<Element> {
        let item = self.element_expression(opener);
        let mut height = self.height;
        let mut value = None;
        if pairs && self.eat(TokenKind::Colon) {
            value = Some(self.element_expression(opener));
            height = height.max(self.height);
        }
        let mut tail = None;
        if self.eat(TokenKind::For) {
            tail = Some(self.binders()?);
        }
        self.height = height.max(self.height);
        Ok(Element { item, value, tail })
    }

    fn only_comprehension(&mut self, list: &mut List<Element>) {
        if list.elements.len() > 1
            && let Some(element) = list.elements.iter().find(|element| element.tail.is_some())
        {
            let help = "a comprehension must be alone between its brackets";
            self.report_at(element.item.span, "expected no further elements beside this comprehension", help);
            list.elements.clear();
            list.broken = true;
        }
    }
}

/// A comprehension as the only argument is one of a sequence: `sum(q.length for q in queues)`.
fn into_arguments(list: List<Element>) -> Vec<Expr> {
    let argument = |element: Element| match element.tail {
        None => element.item,
        Some(_) => {
            let span = element.item.span;
            Expr { kind: ExprKind::SeqComprehension(Box::new(comprehension(element).1)), span }
        }
    };
    list.elements.into_iter().map(argument).collect()
}

fn braces_comprehension(element: Element) -> ExprKind {
    let (value, comprehension) = comprehension(element);
    let comprehension = Box::new(comprehension);
    match value {
        Some(value) => ExprKind::MapComprehension { value: Box::new(value), comprehension },
        None => ExprKind::SetComprehension(comprehension),
    }
}

fn comprehension(element: Element) -> (Option<Expr>, Comprehension) {
    let (binders, condition) = element.tail.unwrap_or_default();
    (element.value, Comprehension { item: element.item, binders, condition })
}
