//! Blocks and statements.

use interplay_diagnostics::{Code, Diagnostic};

use super::{NESTING_LIMIT, Parsed, Parser};
use crate::ast::{AssignOperator, Block, EventTerm, Expr, ExprKind, Name, Pattern, Statement, StatementKind};
use crate::contextual::is_contextual;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn optional_block(&mut self) -> Parsed<Option<Block>> {
        if self.at(TokenKind::OpenBrace) || self.statement_interrupts() { self.block().map(Some) } else { Ok(None) }
    }

    /// A statement where none can stand: only its opening brace is missing.
    fn statement_interrupts(&self) -> bool {
        use TokenKind::*;
        let assigns = matches!(self.cursor.kind_ahead(1), Assign | PlusAssign | MinusAssign);
        let starts = matches!(self.kind(), Let | Emit | Return | Assert) || (self.at(Name) && assigns);
        starts && self.content_follows()
    }

    pub(super) fn block(&mut self) -> Parsed<Block> {
        let start = self.cursor.position;
        self.at_braces("`{` and statements")?;
        if self.depth >= NESTING_LIMIT {
            self.too_deep();
            self.skip_one();
            return Ok(Block { statements: Vec::new(), span: self.span_from(start) });
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.in_block, true);
        let statements = self.members(Self::statement, Self::starts_item);
        self.in_block = outer;
        self.depth -= 1;
        Ok(Block { statements, span: self.span_from(start) })
    }

    /// Reads what stands between two braces, one after the other, and goes on after mistakes. The opening brace is the
    /// current token, unless it is missing, which was reported. `member` reads one. A declaration that is `foreign` here is misplaced, or shows that a brace is missing.
    pub(super) fn members<T>(&mut self, member: fn(&mut Self) -> Parsed<T>, foreign: fn(&Self) -> bool) -> Vec<T> {
        let opener = self.cursor.position;
        self.eat(TokenKind::OpenBrace);
        let mut members = Vec::new();
        while !self.eat(TokenKind::CloseBrace) {
            if self.at(TokenKind::End) || (foreign(self) && self.stands_outside(opener)) {
                self.unclosed(opener);
                break;
            }
            let start = self.cursor.position;
            match member(self) {
                Ok(member) => members.push(member),
                Err(_) => self.recover(start),
            }
        }
        members
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.cursor.position;
        let kind = match self.kind() {
            TokenKind::Let => self.let_statement()?,
            TokenKind::If => self.if_statement()?,
            TokenKind::Match => self.match_statement()?,
            TokenKind::For => self.for_statement()?,
            TokenKind::Emit => self.emit_statement()?,
            TokenKind::Return => self.keyword_expression(StatementKind::Return),
            TokenKind::Assert => self.keyword_expression(StatementKind::Assert),
            TokenKind::Name if self.at_word("raise") && self.cursor.kind_ahead(1) == TokenKind::Name => {
                self.bump();
                StatementKind::Raise(self.name_of("the name of an exception")?)
            }
            _ if self.starts_item() => return Err(self.misplaced_item("a block", "statements")),
            TokenKind::Name if self.cursor.kind_ahead(1) == TokenKind::OpenParen => self.call_statement(),
            TokenKind::Name => self.assignment()?,
            kind if is_contextual(kind)
                && matches!(self.cursor.kind_ahead(1), TokenKind::Dot | TokenKind::OpenSquare) =>
            {
                self.assignment()?
            }
            _ => return Err(self.expected("a statement")),
        };
        Ok(Statement { kind, span: self.span_from(start) })
    }

    fn keyword_expression(&mut self, statement: fn(Expr) -> StatementKind) -> StatementKind {
        self.bump();
        statement(self.expression_here())
    }

    fn let_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let name = self.name()?;
        self.assign_mark()?;
        Ok(StatementKind::Let { name, value: self.expression_here() })
    }

    /// `=`, where `:=` and `==` are understood.
    pub(super) fn assign_mark(&mut self) -> Parsed<()> {
        if self.accept_slip(TokenKind::ColonAssign, "`=`", "write `=`")
            || self.accept_slip(TokenKind::Equal, "`=`", "`==` compares; write `=` to assign")
        {
            return Ok(());
        }
        self.expect(TokenKind::Assign, "`=`")
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let condition = self.expression_here();
        let help = "write a block after `if`: `if c { ... }`";
        if self.accept_slip(TokenKind::Then, "`{`", help) {
            self.silent_at = Some(self.cursor.position);
        }
        let then = self.block()?;
        Ok(StatementKind::If { condition, then, otherwise: self.else_branch()? })
    }

    fn else_branch(&mut self) -> Parsed<Option<Block>> {
        let start = self.cursor.position;
        if self.at_any_word(&["elif", "elsif", "elseif"]) {
            self.expected("`else if`");
        } else if !self.eat(TokenKind::Else) {
            return Ok(None);
        } else if !self.at(TokenKind::If) {
            return self.block().map(Some);
        }
        self.nested(|parser| {
            let start = parser.cursor.position;
            let kind = parser.if_statement()?;
            Ok(vec![Statement { kind, span: parser.span_from(start) }])
        })
        .map(|statements| Some(Block { statements, span: self.span_from(start) }))
    }

    fn match_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let value = self.expression_here();
        if !self.at(TokenKind::OpenBrace) {
            return Err(self.expected("`{` and the cases"));
        }
        Ok(StatementKind::Match { value, arms: self.members(Self::statement_arm, Self::starts_item) })
    }

    fn statement_arm(&mut self) -> Parsed<(Pattern, Block)> {
        let pattern = self.pattern()?;
        self.fat_arrow()?;
        let block = self.block()?;
        self.eat(TokenKind::Comma);
        Ok((pattern, block))
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let name = self.name()?;
        self.expect(TokenKind::In, "`in` and a collection")?;
        let from = self.expression_here();
        let condition = self.optional_where();
        Ok(StatementKind::For { name, from, condition, body: self.block()? })
    }

    pub(super) fn optional_where(&mut self) -> Option<Expr> {
        self.eat(TokenKind::Where).then(|| self.expression_here())
    }

    fn emit_statement(&mut self) -> Parsed<StatementKind> {
        self.bump();
        Ok(StatementKind::Emit(self.event_term()?))
    }

    /// An event with its arguments.
    pub(super) fn event_term(&mut self) -> Parsed<EventTerm> {
        let name = self.name_of("the name of an action")?;
        Ok(self.event_arguments(name))
    }

    pub(super) fn event_arguments(&mut self, name: Name) -> EventTerm {
        let start = self.cursor.position - 1;
        let args = if self.at(TokenKind::OpenParen) { self.arguments() } else { Vec::new() };
        EventTerm { name, args, span: self.span_from(start) }
    }

    fn call_statement(&mut self) -> StatementKind {
        let name = self.take_name();
        StatementKind::Call { name, args: self.arguments() }
    }

    fn assignment(&mut self) -> Parsed<StatementKind> {
        let place = self.place()?;
        let operator = match self.kind() {
            TokenKind::PlusAssign => AssignOperator::Add,
            TokenKind::MinusAssign => AssignOperator::Remove,
            TokenKind::Assign | TokenKind::ColonAssign | TokenKind::Equal => AssignOperator::Set,
            _ => return Err(self.no_assignment(&place)),
        };
        match operator {
            AssignOperator::Set => self.assign_mark()?,
            _ => self.bump(),
        }
        Ok(StatementKind::Assign { place, operator, value: self.expression_here() })
    }

    /// A statement that starts with a name, but neither assigns nor calls. The help is about its first word.
    fn no_assignment(&mut self, place: &Expr) -> super::Reported {
        let foreign = match &place.kind {
            ExprKind::Name(word) => super::report::foreign_word(word),
            _ => None,
        };
        if let Some(help) = foreign {
            let message = format!("expected a statement, found `{}`", &self.cursor.text[place.span.range()]);
            return self.report(Diagnostic::new(Code::P001, place.span, message).help(help));
        }
        let help = match self.kind() {
            TokenKind::OpenParen => Some("values are immutable; write `x = ...`, `x += ...` or `x -= ...`".to_string()),
            TokenKind::Plus | TokenKind::Minus => Some("write `x += 1` or `x -= 1`".to_string()),
            _ => None,
        };
        self.expected_with_help("`=`, `+=` or `-=`", help)
    }

    /// `name[index].field`
    fn place(&mut self) -> Parsed<Expr> {
        let start = self.cursor.position;
        let Name { text, span } = self.take_name();
        let mut place = Expr { kind: ExprKind::Name(text), span };
        let mut below = 1;
        loop {
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    ExprKind::Field { of: Box::new(place), field: self.field_name()? }
                }
                TokenKind::OpenSquare => self.index(place)?,
                _ => return Ok(place),
            };
            self.grow(below)?;
            below = self.height;
            place = Expr { kind, span: self.span_from(start) };
        }
    }
}
