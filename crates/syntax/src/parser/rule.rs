//! Rules: a trigger, choices, a guard, a block and a target.

use super::{Parsed, Parser};
use crate::ast::{Name, Rule, Trigger};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `on dial(u, to) when ... { ... } -> Place`
    pub(super) fn on_rule(&mut self) -> Parsed<Rule> {
        let start = self.cursor.position;
        self.bump();
        self.rule(start)
    }

    /// The rule after its `on`, if it has one; it starts at the token `start`.
    pub(super) fn rule(&mut self, start: usize) -> Parsed<Rule> {
        let trigger = self.trigger()?;
        let mut chooses = Vec::new();
        while self.at_word("choose") {
            chooses.push(self.choose()?);
        }
        let condition = self.optional_when();
        let body = self.optional_block()?;
        let target = self.optional_target()?;
        Ok(Rule { trigger, chooses, condition, body, target, span: self.span_from(start) })
    }

    pub(super) fn optional_when(&mut self) -> Option<crate::ast::Expr> {
        if self.at_word("requires") {
            self.expected_with_help("`when`", Some("write `when` in a rule, `requires` in a declaration".into()));
            self.bump();
            return Some(self.expression_here());
        }
        self.eat_word("when").then(|| self.expression_here())
    }

    pub(super) fn optional_target(&mut self) -> Parsed<Option<Name>> {
        let help = "write `-> Place`";
        if self.eat(TokenKind::Arrow) || self.accept_slip(TokenKind::FatArrow, "`->`", help) {
            return self.name_of("the name of a location").map(Some);
        }
        Ok(None)
    }

    fn trigger(&mut self) -> Parsed<Trigger> {
        let span = self.here();
        if self.cursor.kind_ahead(1) != TokenKind::OpenParen {
            match self.cursor.text_ahead(0) {
                "step" => return Ok(self.trigger_word(Trigger::Step(span))),
                "silence" => return Ok(self.trigger_word(Trigger::Silence(span))),
                "any" => return Ok(self.trigger_word(Trigger::Any(span))),
                _ => {}
            }
        }
        // In a `choice` the name may start a line, and be that of a declaration: `start`.
        let name = if self.at(TokenKind::Name) { self.take_name() } else { self.name_of("the name of an action")? };
        let args = self.at(TokenKind::OpenParen).then(|| self.trigger_arguments());
        let result = if self.result_follows() { self.result_name()? } else { None };
        Ok(Trigger::Action { name, args, result })
    }

    fn trigger_word(&mut self, trigger: Trigger) -> Trigger {
        self.bump();
        trigger
    }

    /// `-> name` after a trigger is its result if more of the rule follows; otherwise it is the target of the rule.
    fn result_follows(&self) -> bool {
        self.at(TokenKind::Arrow)
            && self.cursor.kind_ahead(1) == TokenKind::Name
            && (matches!(self.cursor.kind_ahead(2), TokenKind::OpenBrace | TokenKind::Arrow)
                || ["when", "choose"].iter().any(|word| self.word_ahead(2, word)))
    }

    fn result_name(&mut self) -> Parsed<Option<Name>> {
        self.bump();
        self.name().map(Some)
    }
}
