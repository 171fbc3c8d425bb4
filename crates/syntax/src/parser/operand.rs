//! What stands between operators: prefix words, and operands with their fields, calls and indices.

use super::expression::Level;
use super::{Parsed, Parser};
use crate::ast::{
    Binder, BinderSource, Expr, ExprKind, Literal, Name, Pattern, Quantifier, TemporalOperator, UnaryOperator,
};
use crate::token::TokenKind;

impl Parser<'_> {
    /// A prefix word with its operand, or an operand.
    pub(super) fn prefixed(&mut self, loosest: Level) -> Parsed<Expr> {
        let start = self.cursor.position;
        let kind = match self.kind() {
            TokenKind::Always => self.open_temporal(TemporalOperator::Always)?,
            TokenKind::Never => self.open_temporal(TemporalOperator::Never)?,
            TokenKind::Eventually => self.open_temporal(TemporalOperator::Eventually)?,
            TokenKind::Possible => self.open_temporal(TemporalOperator::Possible)?,
            TokenKind::For => self.quantified()?,
            TokenKind::Not | TokenKind::Bang => self.negation(loosest)?,
            TokenKind::Once | TokenKind::Historically | TokenKind::Previously | TokenKind::Next | TokenKind::Within => {
                self.temporal(loosest)?
            }
            TokenKind::Minus => self.minus()?,
            _ => return self.operand_with_suffixes(),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// `always e`: reaches as far to the right as possible.
    fn open_temporal(&mut self, operator: TemporalOperator) -> Parsed<ExprKind> {
        self.bump();
        let operand = Box::new(self.expression()?);
        self.grow(self.height)?;
        Ok(ExprKind::Temporal { operator, operand })
    }

    fn negation(&mut self, loosest: Level) -> Parsed<ExprKind> {
        self.accept_loose_prefix(loosest);
        if !self.accept_slip(TokenKind::Bang, "`not`", "write `not`") {
            self.bump();
        }
        let operand = Box::new(self.nested(|parser| parser.binary(Level::Prefix))?);
        self.grow(self.height)?;
        Ok(ExprKind::Unary { operator: UnaryOperator::Not, operand })
    }

    /// `once e`, `previously 3 e`: binds as tightly as `not`.
    fn temporal(&mut self, loosest: Level) -> Parsed<ExprKind> {
        self.accept_loose_prefix(loosest);
        let operator = self.temporal_operator()?;
        let operand = Box::new(self.nested(|parser| parser.binary(Level::Prefix))?);
        self.grow(self.height)?;
        Ok(ExprKind::Temporal { operator, operand })
    }

    fn temporal_operator(&mut self) -> Parsed<TemporalOperator> {
        let word = self.kind();
        self.bump();
        match word {
            TokenKind::Once => Ok(TemporalOperator::Once),
            TokenKind::Historically => Ok(TemporalOperator::Historically),
            TokenKind::Previously => Ok(TemporalOperator::Previously(self.optional_steps())),
            TokenKind::Next => Ok(TemporalOperator::Next(self.optional_steps())),
            _ => self.within_operator(),
        }
    }

    fn within_operator(&mut self) -> Parsed<TemporalOperator> {
        match self.kind() {
            TokenKind::Int => Ok(TemporalOperator::WithinSteps(self.step_count())),
            TokenKind::Duration => Ok(TemporalOperator::WithinTime(self.duration()?)),
            _ => Err(self.expected("a number of steps or a duration such as `50ms`")),
        }
    }

    /// A number counts steps if an operand follows it, and is an operand itself otherwise: `previously 3 == x`.
    fn optional_steps(&mut self) -> u32 {
        let counts = self.at(TokenKind::Int) && starts_operand(self.cursor.kind_ahead(1), self.cursor.kind_ahead(2));
        if counts { self.step_count() } else { 1 }
    }

    /// `a == not b` needs parentheses; we understand it all the same.
    fn accept_loose_prefix(&mut self, loosest: Level) {
        if loosest > Level::Prefix {
            let help = format!("put it in parentheses: `({} ...)`", self.cursor.text_ahead(0));
            self.expected_with_help("a value", Some(help));
            self.silent_at = None;
        }
    }

    fn minus(&mut self) -> Parsed<ExprKind> {
        if self.smallest_int_follows() {
            self.bump();
            self.bump();
            self.height = 1;
            return Ok(ExprKind::Literal(Literal::Int(i64::MIN)));
        }
        self.bump();
        let operand = Box::new(self.nested(|parser| parser.binary(Level::Operand))?);
        self.grow(self.height)?;
        Ok(ExprKind::Unary { operator: UnaryOperator::Minus, operand })
    }

    /// `for every x in S, y: T where c: e`
    fn quantified(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let quantifier = match self.kind() {
            TokenKind::Some => Quantifier::Some,
            _ if self.at_word("every") => Quantifier::Every,
            _ => return Err(self.expected("`every` or `some`")),
        };
        self.bump();
        let (binders, condition) = self.binders()?;
        let below = self.height;
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `for every x in S: condition`");
        let body = Box::new(self.expression()?);
        self.grow(below.max(self.height))?;
        Ok(ExprKind::Quantified { quantifier, binders, condition: condition.map(Box::new), body })
    }

    /// `x in S, y: T where c`; the height is that of the highest of them.
    pub(super) fn binders(&mut self) -> Parsed<(Vec<Binder>, Option<Expr>)> {
        let mut binders = vec![self.binder()?];
        let mut height = self.height;
        while self.at(TokenKind::Comma) && self.binder_follows_comma() {
            self.bump();
            binders.push(self.binder()?);
            height = height.max(self.height);
        }
        let condition = if self.eat(TokenKind::Where) { Some(self.expression()?) } else { None };
        self.height = height.max(if condition.is_some() { self.height } else { 0 });
        Ok((binders, condition))
    }

    fn binder_follows_comma(&self) -> bool {
        self.cursor.kind_ahead(1) == TokenKind::Name
            && matches!(self.cursor.kind_ahead(2), TokenKind::In | TokenKind::Colon)
    }

    fn binder(&mut self) -> Parsed<Binder> {
        let name = self.name()?;
        self.height = 0;
        let source = match self.kind() {
            TokenKind::In => {
                self.bump();
                BinderSource::In(self.expression()?)
            }
            TokenKind::Colon => {
                self.bump();
                BinderSource::Type(self.type_()?)
            }
            _ => return Err(self.expected("`in` and a collection, or `:` and a type")),
        };
        Ok(Binder { name, source })
    }

    /// `e.field`, `e.method(...)`, `e[i]`, in a loop.
    fn operand_with_suffixes(&mut self) -> Parsed<Expr> {
        let start = self.cursor.position;
        let mut expression = self.operand()?;
        loop {
            let below = self.height;
            self.height = 0;
            let kind = match self.kind() {
                TokenKind::Dot => self.field_or_method(expression)?,
                TokenKind::OpenSquare => self.index(expression)?,
                _ => {
                    self.height = below;
                    return Ok(expression);
                }
            };
            self.grow(below.max(self.height))?;
            expression = Expr { kind, span: self.span_from(start) };
        }
    }

    fn field_or_method(&mut self, of: Expr) -> Parsed<ExprKind> {
        self.bump();
        let name = self.field_name()?;
        if !self.at(TokenKind::OpenParen) {
            return Ok(ExprKind::Field { of: Box::new(of), field: name });
        }
        let args = self.arguments();
        Ok(ExprKind::Method { of: Box::new(of), method: name, args })
    }

    pub(super) fn index(&mut self, of: Expr) -> Parsed<ExprKind> {
        let opener = self.cursor.position;
        let mut list = self.list(|parser| Ok(parser.element_expression(opener)));
        match list.elements.len() {
            1 => Ok(ExprKind::Index { of: Box::new(of), index: Box::new(list.elements.remove(0)) }),
            0 => Ok(self.nothing_between("an index", opener)),
            _ => Ok(ExprKind::Error),
        }
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.cursor.position;
        self.height = 1;
        let kind = self.operand_kind()?;
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn operand_kind(&mut self) -> Parsed<ExprKind> {
        if let Some(literal) = self.literal() {
            return Ok(ExprKind::Literal(literal));
        }
        match self.kind() {
            TokenKind::Name if self.item_interrupts() => Err(self.expected("an expression")),
            TokenKind::Name => self.name_or_call(),
            TokenKind::OpenParen => self.parenthesis(),
            TokenKind::OpenSquare => self.square(),
            TokenKind::OpenBrace => self.braces(),
            TokenKind::If => self.conditional(),
            TokenKind::Match => self.match_expression(),
            TokenKind::At => self.at_places(),
            TokenKind::New => self.new_object(),
            TokenKind::Some => Ok(self.wrapped(ExprKind::Some)?),
            TokenKind::Old => Ok(self.wrapped(ExprKind::Old)?),
            TokenKind::None => Ok(self.single(ExprKind::None)),
            TokenKind::Result => Ok(self.single(ExprKind::Result)),
            TokenKind::Underscore => Ok(self.single(ExprKind::Wildcard)),
            _ => Err(self.expected("an expression")),
        }
    }

    fn single(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    /// `some(e)`, `old(e)`
    fn wrapped(&mut self, wrap: fn(Box<Expr>) -> ExprKind) -> Parsed<ExprKind> {
        self.bump();
        let opener = self.cursor.position;
        if !self.at(TokenKind::OpenParen) {
            return Err(self.expected("`(`"));
        }
        let mut arguments = self.arguments();
        match arguments.len() {
            1 => Ok(wrap(Box::new(arguments.remove(0)))),
            0 => Ok(self.nothing_between("an expression", opener)),
            _ => Ok(ExprKind::Error),
        }
    }

    fn new_object(&mut self) -> Parsed<ExprKind> {
        self.bump();
        Ok(ExprKind::New(self.name_of("the name of an object type")?))
    }

    /// `at Place, Door.Open`: takes every name after a comma that can be a place.
    fn at_places(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let mut places = vec![self.place_name()?];
        while self.at(TokenKind::Comma) && self.place_follows_comma() {
            self.bump();
            places.push(self.place_name()?);
        }
        Ok(ExprKind::At(places))
    }

    fn place_name(&mut self) -> Parsed<(Option<Name>, Name)> {
        let first = self.name_of("the name of a location")?;
        if !self.eat(TokenKind::Dot) {
            return Ok((None, first));
        }
        Ok((Some(first), self.field_name()?))
    }

    fn place_follows_comma(&self) -> bool {
        use TokenKind::*;
        let after = if self.cursor.kind_ahead(2) == Dot { 4 } else { 2 };
        let next = self.cursor.kind_ahead(after);
        self.cursor.kind_ahead(1) == Name && !matches!(next, OpenParen | OpenSquare | Colon | FatArrow | Dot | In)
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let condition = Box::new(self.expression()?);
        let mut height = self.height;
        self.expect(TokenKind::Then, "`then`")?;
        let then = Box::new(self.expression()?);
        height = height.max(self.height);
        let help = "an `if` expression needs both branches: `if c then a else b`";
        if !self.eat(TokenKind::Else) {
            return Err(self.expected_with_help("`else`", Some(help.into())));
        }
        let otherwise = Box::new(self.expression()?);
        self.grow(height.max(self.height))?;
        Ok(ExprKind::If { condition, then, otherwise })
    }

    fn match_expression(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let value = Box::new(self.expression()?);
        let mut height = self.height;
        if !self.at(TokenKind::OpenBrace) {
            return Err(self.expected("`{` and the cases"));
        }
        let opener = self.cursor.position;
        let arms = self.list(|parser| {
            let arm = parser.match_arm(opener)?;
            height = height.max(parser.height);
            Ok(arm)
        });
        self.grow(height)?;
        Ok(ExprKind::Match { value, arms: arms.elements })
    }

    fn match_arm(&mut self, opener: usize) -> Parsed<(Pattern, Expr)> {
        let pattern = self.pattern()?;
        self.fat_arrow()?;
        Ok((pattern, self.element_expression(opener)))
    }

    pub(super) fn fat_arrow(&mut self) -> Parsed<()> {
        if self.accept_slip(TokenKind::Arrow, "`=>`", "in `match` write `pattern => ...`")
            || self.accept_slip(TokenKind::Colon, "`=>`", "in `match` write `pattern => ...`")
        {
            return Ok(());
        }
        self.expect(TokenKind::FatArrow, "`=>`")
    }
}

/// Can these two tokens start an operand, rather than continue the number before them?
fn starts_operand(kind: TokenKind, next: TokenKind) -> bool {
    use TokenKind::*;
    match kind {
        Not => next != In,
        Always | Eventually | Never | Possible | Once | Historically | Previously | Next | Within => true,
        True | False | None | Some | Old | New | At | Result | If | Match | For => true,
        Name | Int | String | OpenString | OpenParen | OpenBrace | Bang => true,
        _ => false,
    }
}
