//! Setups: one method for one kind of entry.

use super::{Parsed, Parser};
use crate::ast::{ItemKind, Name, SetupEntry, SetupEntryKind, SilenceEntry};
use crate::token::TokenKind;

pub(crate) const ENTRY_WORDS: &[&str] = &[
    "const",
    "domain",
    "limit",
    "without",
    "keep",
    "group",
    "interchangeable",
    "weight",
    "wait",
    "cleanup",
    "conformance",
    "refusals",
    "silence",
    "transit",
    "finish",
    "arcs",
    "overwrites",
    "run",
    "seed",
    "timeout",
    "states",
    "depth",
];

impl Parser<'_> {
    pub(super) fn setup_item(&mut self) -> Parsed<ItemKind> {
        self.bump();
        let name = self.name_of("the name of the setup")?;
        let extends = if self.eat_word("extends") { Some(self.name_of("the name of a setup")?) } else { None };
        self.at_braces("`{` and entries")?;
        Ok(ItemKind::Setup { name, extends, entries: self.members(Self::setup_entry, Self::foreign_to_setup) })
    }

    fn foreign_to_setup(&self) -> bool {
        self.starts_item() && !self.at_any_word(ENTRY_WORDS)
    }

    fn setup_entry(&mut self) -> Parsed<SetupEntry> {
        let start = self.cursor.position;
        let kind = self.setup_entry_kind()?;
        Ok(SetupEntry { kind, span: self.span_from(start) })
    }

    fn setup_entry_kind(&mut self) -> Parsed<SetupEntryKind> {
        if !self.at_any_word(ENTRY_WORDS) {
            return Err(self.no_entry());
        }
        let word = self.cursor.text_ahead(0);
        self.bump();
        match word {
            "const" => self.const_entry(),
            "domain" => self.domain_entry(),
            "limit" => self.limit_entry(),
            "without" => Ok(SetupEntryKind::Without { actions: self.action_names()? }),
            "keep" => Ok(SetupEntryKind::Keep { condition: self.expression_here() }),
            "group" => Ok(SetupEntryKind::Group { by: self.expression_here(), when: self.optional_when() }),
            "interchangeable" => Ok(SetupEntryKind::Interchangeable { types: self.separated(Self::name)? }),
            "weight" => self.weight_entry(),
            "wait" => Ok(SetupEntryKind::Wait { time: self.duration()?, when: self.optional_when() }),
            "cleanup" => Ok(SetupEntryKind::Cleanup { actions: self.action_names()? }),
            _ => self.plain_entry(word),
        }
    }

    /// Entries that need no expressions.
    fn plain_entry(&mut self, word: &str) -> Parsed<SetupEntryKind> {
        match word {
            "conformance" => Ok(SetupEntryKind::Conformance(self.one_of(&["uioco", "ioco", "alternating", "none"])?)),
            "refusals" => Ok(SetupEntryKind::Refusals(self.one_of(&["fail", "ignore", "unspecified"])?)),
            "silence" => self.silence_entry(),
            "transit" => self.transit_entry(),
            "arcs" => Ok(SetupEntryKind::Arcs(self.one_of(&["pruned", "parallel"])?)),
            "finish" => Ok(SetupEntryKind::Finish(self.one_of(&["anywhere", "accepting"])?)),
            "overwrites" => self.overwrites_entry(),
            "run" => self.run_entry(),
            "seed" => Ok(SetupEntryKind::Seed(self.int()?)),
            "timeout" => Ok(SetupEntryKind::Timeout(self.duration()?)),
            "states" => Ok(SetupEntryKind::States(self.int()?)),
            _ => Ok(SetupEntryKind::Depth(self.int()?)),
        }
    }

    fn no_entry(&mut self) -> super::Reported {
        if self.foreign_to_setup() {
            return self.misplaced_item("a setup", "entries such as `domain`, `limit` and `run`");
        }
        let word = self.cursor.text_ahead(0);
        let similar = interplay_diagnostics::did_you_mean(word, ENTRY_WORDS.iter().copied());
        let such = || "write an entry such as `domain User = {\"ann\", \"bob\"}` or `run 100 tests of 50 steps`".into();
        self.expected_with_help(
            "an entry of a setup",
            similar.or_else(|| self.help_for_found()).or_else(|| Some(such())),
        )
    }

    fn action_names(&mut self) -> Parsed<Vec<Name>> {
        self.separated(|parser| parser.name_of("the name of an action"))
    }

    fn const_entry(&mut self) -> Parsed<SetupEntryKind> {
        let name = self.name_of("the name of a constant")?;
        self.assign_mark()?;
        Ok(SetupEntryKind::Const { name, value: self.expression_here() })
    }

    fn domain_entry(&mut self) -> Parsed<SetupEntryKind> {
        let name = self.name_of("the name of a type or an action")?;
        let parameter = if self.eat(TokenKind::Dot) { Some(self.field_name()?) } else { None };
        self.assign_mark()?;
        Ok(SetupEntryKind::Domain { name, parameter, values: self.expression_here() })
    }

    fn limit_entry(&mut self) -> Parsed<SetupEntryKind> {
        let action = self.name_of("the name of an input")?;
        self.expect_or_assume(TokenKind::Colon, "`:`", "write `limit input: condition`");
        Ok(SetupEntryKind::Limit { action, condition: self.expression_here() })
    }

    fn weight_entry(&mut self) -> Parsed<SetupEntryKind> {
        let action = self.name_of("the name of an action")?;
        self.assign_mark()?;
        let bag = self.at_word("bag") && self.amount_follows();
        if bag {
            self.bump();
        }
        Ok(SetupEntryKind::Weight { action, weight: self.expression_here(), bag })
    }

    /// `bag` is a name of the model if no amount stands after it.
    fn amount_follows(&self) -> bool {
        let entry = ENTRY_WORDS.iter().any(|word| self.word_ahead(1, word));
        let kind = self.cursor.kind_ahead(1);
        !entry
            && matches!(
                kind,
                TokenKind::Int | TokenKind::Name | TokenKind::OpenParen | TokenKind::If | TokenKind::Match
            )
    }

    fn silence_entry(&mut self) -> Parsed<SetupEntryKind> {
        match self.one_of(&["judged", "unjudged"])?.text.as_str() {
            "judged" if self.at(TokenKind::Duration) || self.at(TokenKind::Int) => {
                Ok(SetupEntryKind::Silence(SilenceEntry::Judged(self.duration()?)))
            }
            "judged" => Ok(SetupEntryKind::Silence(SilenceEntry::Learnt)),
            _ => Ok(SetupEntryKind::Silence(SilenceEntry::Unjudged)),
        }
    }

    fn transit_entry(&mut self) -> Parsed<SetupEntryKind> {
        match self.one_of(&["immediate", "queue"])?.text.as_str() {
            "queue" => Ok(SetupEntryKind::Transit(self.int()?)),
            _ => Ok(SetupEntryKind::Transit(0)),
        }
    }

    fn overwrites_entry(&mut self) -> Parsed<SetupEntryKind> {
        match self.kind() {
            TokenKind::Int => Ok(SetupEntryKind::Overwrites(Some(self.int()?))),
            TokenKind::None => {
                self.bump();
                Ok(SetupEntryKind::Overwrites(Some(0)))
            }
            _ if self.eat_word("unlimited") => Ok(SetupEntryKind::Overwrites(None)),
            _ => Err(self.expected("`none`, a number or `unlimited`")),
        }
    }

    fn run_entry(&mut self) -> Parsed<SetupEntryKind> {
        let tests = self.int()?;
        self.expect_word("tests")?;
        self.expect_word("of")?;
        let steps = self.int()?;
        self.expect_word("steps")?;
        Ok(SetupEntryKind::Run { tests, steps })
    }

    fn one_of(&mut self, words: &[&str]) -> Parsed<Name> {
        if self.at_any_word(words) || (self.at(TokenKind::None) && words.contains(&"none")) {
            return Ok(self.take_word());
        }
        let listed: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        Err(self.expected(&listed.join(" or ")))
    }
}
