//! Operators between operands, from the loosest to the tightest, by precedence climbing.
//!
//! Chains to the left (`a + b + c`) are built in a loop; how high they grow is counted, because everyone who walks the
//! tree later does so recursively.

use interplay_diagnostics::{Code, Diagnostic};

use super::{Parsed, Parser};
use crate::ast::{BinaryOperator, Expr, ExprKind};
use crate::token::TokenKind;

/// How tightly an operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Iff,
    Implies,
    Or,
    And,
    Since,
    Prefix,
    Comparison,
    Range,
    Sum,
    Product,
    Operand,
}

#[derive(Clone, Copy)]
enum Operator {
    Binary(BinaryOperator),
    Is,
}

impl Parser<'_> {
    /// Any expression, one level deeper than what is around it.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.binary(Level::Iff))
    }

    /// Sums and products.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.binary(Level::Sum))
    }

    /// An expression whose operators all bind at least as tightly as `loosest`.
    pub(super) fn binary(&mut self, loosest: Level) -> Parsed<Expr> {
        let start = self.cursor.position;
        let mut left = self.prefixed(loosest)?;
        let mut chained = None;
        let mut told = false;
        while let Some((operator, level)) = self.operator() {
            if level < loosest {
                break;
            }
            if chained == Some(level) && !std::mem::replace(&mut told, true) {
                self.report_chain(level);
            }
            chained = Some(level).filter(|level| matches!(level, Level::Since | Level::Comparison | Level::Range));
            left = self.right_side(start, left, operator, level)?;
        }
        Ok(left)
    }

    /// Reads the operator, which was only looked at so far, and what stands to its right.
    fn right_side(&mut self, start: usize, left: Expr, operator: Operator, level: Level) -> Parsed<Expr> {
        let below = self.height;
        self.read_operator();
        let left = Box::new(left);
        let kind = match operator {
            Operator::Is => {
                self.height = 0;
                ExprKind::Is { value: left, pattern: Box::new(self.pattern()?) }
            }
            Operator::Binary(operator) => {
                let right = match level {
                    Level::Implies => self.nested(|parser| parser.binary(level))?,
                    _ => self.binary(tighter(level))?,
                };
                ExprKind::Binary { operator, left, right: Box::new(right) }
            }
        };
        self.grow(below.max(self.height))?;
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn operator(&self) -> Option<(Operator, Level)> {
        use BinaryOperator::*;
        let (operator, level) = match self.kind() {
            TokenKind::Iff => (Iff, Level::Iff),
            TokenKind::Implies => (Implies, Level::Implies),
            TokenKind::Or | TokenKind::OrOr => (Or, Level::Or),
            TokenKind::And | TokenKind::AndAnd => (And, Level::And),
            TokenKind::Since => (Since, Level::Since),
            TokenKind::Until => (Until, Level::Since),
            TokenKind::Unless => (Unless, Level::Since),
            // Words that are names elsewhere; after an operand of a formula no name can come.
            TokenKind::Name if self.in_formula && self.at_word("release") => (Release, Level::Since),
            TokenKind::Name if self.in_formula && self.at_word("leads") && self.cursor.text_ahead(1) == "to" => {
                (LeadsTo, Level::Implies)
            }
            TokenKind::Equal | TokenKind::Assign => (Equal, Level::Comparison),
            TokenKind::NotEqual => (NotEqual, Level::Comparison),
            TokenKind::Less => (Less, Level::Comparison),
            TokenKind::LessEqual => (LessEqual, Level::Comparison),
            TokenKind::Greater => (Greater, Level::Comparison),
            TokenKind::GreaterEqual => (GreaterEqual, Level::Comparison),
            TokenKind::In => (In, Level::Comparison),
            TokenKind::Not if self.cursor.kind_ahead(1) == TokenKind::In => (NotIn, Level::Comparison),
            TokenKind::Is => return Some((Operator::Is, Level::Comparison)),
            TokenKind::DotDot => (Range, Level::Range),
            TokenKind::Plus => (Add, Level::Sum),
            TokenKind::Minus => (Subtract, Level::Sum),
            TokenKind::Ampersand => (Intersect, Level::Sum),
            TokenKind::Star => (Multiply, Level::Product),
            TokenKind::Slash if !self.slash_ends => (Divide, Level::Product),
            TokenKind::Percent => (Remainder, Level::Product),
            _ => return None,
        };
        Some((Operator::Binary(operator), level))
    }

    /// Passes the operator; what other languages write for it is reported and understood.
    fn read_operator(&mut self) {
        match self.kind() {
            TokenKind::Assign => drop(self.expected_with_help("`==`", Some("write `==` to compare".into()))),
            TokenKind::AndAnd => drop(self.expected("`and`")),
            TokenKind::OrOr => drop(self.expected("`or`")),
            TokenKind::Not => self.bump(),
            TokenKind::Name if self.at_word("leads") => self.bump(),
            _ => {}
        }
        self.bump();
    }

    #[cold]
    #[inline(never)]
    fn report_chain(&mut self, level: Level) {
        let (message, help) = match level {
            Level::Comparison => ("comparisons do not chain", "write `a < b and b < c`"),
            Level::Range => ("ranges do not chain", "a range has two bounds: `1..3`"),
            _ => ("`since`, `until`, `unless` and `release` do not chain", "add parentheses: `(a since b) since c`"),
        };
        let message = format!("expected the end of the expression, found {}: {message}", self.describe_here());
        self.report(Diagnostic::new(Code::P001, self.here(), message).help(help));
    }
}

fn tighter(level: Level) -> Level {
    match level {
        Level::Iff => Level::Implies,
        Level::Implies => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Since,
        Level::Since => Level::Prefix,
        Level::Prefix => Level::Comparison,
        Level::Comparison => Level::Range,
        Level::Range => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product | Level::Operand => Level::Operand,
    }
}
