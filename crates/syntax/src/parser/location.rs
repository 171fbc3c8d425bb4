//! Locations: `at`, `choice` and `collect`, with what stands inside of them.

use super::{Parsed, Parser};
use crate::ast::{CollectItem, ItemKind, LocationItem};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn at_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let locations = self.separated(|parser| parser.name_of("the name of a location"))?;
        self.at_braces("`{` and rules")?;
        Ok(ItemKind::At { locations, body: self.members(Self::at_member, Self::foreign_to_location) })
    }

    fn foreign_to_location(&self) -> bool {
        self.starts_item() && !self.at_word("on")
    }

    fn at_member(&mut self) -> Parsed<LocationItem> {
        match () {
            _ if self.at_block_word("entry") => self.entry(),
            _ if self.at_block_word("exit") => self.exit(),
            _ if self.at_word("on") => Ok(LocationItem::Rule(self.on_rule()?)),
            _ if self.starts_item() => Err(self.misplaced_item("a location", "`entry`, `exit` and `on`")),
            _ => Err(self.expected_with_help("`on`, `entry` or `exit`", self.help_for_missing_on())),
        }
    }

    fn help_for_missing_on(&self) -> Option<String> {
        let rule = self.at(TokenKind::Name)
            && matches!(self.cursor.kind_ahead(1), TokenKind::OpenParen | TokenKind::Arrow | TokenKind::OpenBrace);
        rule.then(|| format!("a rule starts with `on`: `on {}`", self.cursor.text_ahead(0)))
    }

    fn at_block_word(&self, word: &str) -> bool {
        self.at_word(word) && self.cursor.kind_ahead(1) == TokenKind::OpenBrace
    }

    fn entry(&mut self) -> Parsed<LocationItem> {
        self.bump();
        Ok(LocationItem::Entry(self.block()?))
    }

    fn exit(&mut self) -> Parsed<LocationItem> {
        self.bump();
        Ok(LocationItem::Exit(self.block()?))
    }

    pub(super) fn choice_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the choice")?;
        self.at_braces("`{` and its events")?;
        Ok(ItemKind::Choice { name, body: self.members(Self::choice_member, Self::starts_item) })
    }

    fn choice_member(&mut self) -> Parsed<LocationItem> {
        match () {
            _ if self.at_block_word("entry") => self.entry(),
            _ if self.at_block_word("exit") => self.exit(),
            _ if self.at_word("on") && self.cursor.kind_ahead(1) == TokenKind::Name => {
                self.expected_with_help("an event", Some("in a `choice` write the event without `on`".into()));
                Ok(LocationItem::Rule(self.on_rule()?))
            }
            _ if self.starts_item_among_events() => Err(self.misplaced_item("a choice", "`entry`, `exit` and events")),
            _ => Ok(LocationItem::Rule(self.rule(self.cursor.position)?)),
        }
    }

    pub(super) fn collect_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the collect")?;
        if !self.at(TokenKind::OpenParen) {
            return Err(self.expected("`(` and the events to collect"));
        }
        let events = self.list(|parser| parser.name_of("the name of an action")).elements;
        self.at_braces("`{` and checks")?;
        Ok(ItemKind::Collect { name, events, body: self.members(Self::collect_member, Self::starts_item) })
    }

    fn collect_member(&mut self) -> Parsed<CollectItem> {
        match () {
            _ if self.at_block_word("entry") => {
                self.bump();
                Ok(CollectItem::Entry(self.block()?))
            }
            _ if self.at_block_word("exit") => {
                self.bump();
                Ok(CollectItem::Exit(self.block()?))
            }
            _ if self.at_word("check") => self.check(),
            _ if self.at_word("done") => self.done(),
            _ if self.starts_item() => Err(self.misplaced_item("a collect", "`entry`, `exit`, `check` and `done`")),
            _ => Err(self.expected("`check`, `done`, `entry` or `exit`")),
        }
    }

    fn check(&mut self) -> Parsed<CollectItem> {
        let start = self.cursor.position;
        self.bump();
        let condition = self.expression_here();
        let (mut body, mut target) = (None, None);
        if self.eat(TokenKind::Else) {
            body = self.optional_block()?;
            target = self.optional_target()?;
        }
        Ok(CollectItem::Check { condition, body, target, span: self.span_from(start) })
    }

    fn done(&mut self) -> Parsed<CollectItem> {
        let start = self.cursor.position;
        self.bump();
        let condition = self.optional_when();
        let body = self.optional_block()?;
        let target = self.optional_target()?;
        Ok(CollectItem::Done { condition, body, target, span: self.span_from(start) })
    }
}
