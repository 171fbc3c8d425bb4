//! Scenarios, line by line.

use super::{Parsed, Parser};
use crate::ast::{EventTerm, ItemKind, Outputs, Scenario, ScenarioLine, ScenarioLineKind};
use crate::token::TokenKind;

/// Words that start a line. After `step` they are not events.
pub(crate) const LINE_WORDS: &[&str] = &["step", "expect", "silence", "wait"];

impl Parser<'_> {
    pub(super) fn scenario_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the scenario")?;
        let params = self.optional_params();
        let condition = self.optional_where();
        self.at_braces("`{` and events")?;
        let lines = self.members(Self::scenario_line, Self::starts_item);
        Ok(ItemKind::Scenario(Scenario { name, params, condition, lines }))
    }

    fn scenario_line(&mut self) -> Parsed<ScenarioLine> {
        let start = self.cursor.position;
        let kind = self.scenario_line_kind()?;
        Ok(ScenarioLine { kind, span: self.span_from(start) })
    }

    fn scenario_line_kind(&mut self) -> Parsed<ScenarioLineKind> {
        match () {
            _ if self.eat_word("expect") => Ok(ScenarioLineKind::Expect(self.expression_here())),
            _ if self.at_line_word("step") => self.step_line(),
            _ if self.at_line_word("silence") => {
                self.bump();
                Ok(ScenarioLineKind::Silence)
            }
            _ if self.at_word("wait") && self.waits() => {
                self.bump();
                Ok(ScenarioLineKind::Wait(self.duration()?))
            }
            _ if self.starts_item_among_events() => {
                Err(self.misplaced_item("a scenario", "events, `step`, `expect`, `silence` and `wait`"))
            }
            _ => self.event_line(),
        }
    }

    /// A word of the grammar, unless it is an event of that name with arguments.
    fn at_line_word(&self, word: &str) -> bool {
        self.at_word(word) && self.cursor.kind_ahead(1) != TokenKind::OpenParen
    }

    fn waits(&self) -> bool {
        matches!(self.cursor.kind_ahead(1), TokenKind::Duration | TokenKind::Int | TokenKind::BadNumber)
    }

    fn step_line(&mut self) -> Parsed<ScenarioLineKind> {
        self.bump();
        let events = self.at(TokenKind::Name) && !self.at_any_word(LINE_WORDS);
        let inputs = if events { self.separated(Self::event_term)? } else { Vec::new() };
        Ok(ScenarioLineKind::Step { inputs, outputs: self.optional_outputs()? })
    }

    fn event_line(&mut self) -> Parsed<ScenarioLineKind> {
        let event = self.first_event()?;
        let mut result = None;
        if self.eat(TokenKind::Arrow) {
            self.slash_ends = true;
            result = Some(self.expression_here());
            self.slash_ends = false;
        }
        Ok(ScenarioLineKind::Event { event, result, outputs: self.optional_outputs()? })
    }

    /// The event that starts a line may have the name of a declaration: `start`.
    fn first_event(&mut self) -> Parsed<EventTerm> {
        if !self.at(TokenKind::Name) {
            return Err(self.expected("an event, `step`, `expect`, `silence` or `wait`"));
        }
        let name = self.take_name();
        Ok(self.event_arguments(name))
    }

    fn optional_outputs(&mut self) -> Parsed<Option<Outputs>> {
        if !self.eat(TokenKind::Slash) {
            return Ok(None);
        }
        if self.at_line_word("nothing") {
            self.bump();
            return Ok(Some(Outputs { events: Vec::new(), more: false }));
        }
        let mut events: Vec<EventTerm> = Vec::new();
        loop {
            if self.eat(TokenKind::Ellipsis) {
                return Ok(Some(Outputs { events, more: true }));
            }
            events.push(self.event_term()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(Some(Outputs { events, more: false }));
            }
        }
    }
}
