//! Declarations where none belong: understood, so that what follows is not misread, but left out of the tree.

use interplay_diagnostics::{Code, Diagnostic, did_you_mean};

use super::item::ITEM_WORDS;
use super::report::foreign_word;
use super::{Parser, Reported};
use crate::token::TokenKind;

const FILE_WORDS: [&str; 4] = ["import", "system", "reactive", "synchronous"];

/// Words that start something inside of a declaration, and the declaration they belong to.
const HOMES: &[(&str, &[&str])] = &[
    (
        "a setup",
        &["domain", "limit", "without", "keep", "group", "interchangeable", "weight", "cleanup", "conformance"],
    ),
    ("a setup", &["refusals", "transit", "finish", "overwrites", "run", "seed", "timeout", "states", "depth"]),
    ("an `at`, a `choice` or a `collect`", &["entry", "exit"]),
    ("a `collect`", &["check", "done"]),
    ("the declaration of an action", &["requires", "ensures", "raises"]),
    ("a scenario", &["expect"]),
];

impl Parser<'_> {
    /// Does a foreign declaration show that the braces opened at `opener` should have been closed? It does if it stands no
    /// deeper than the line with the opening brace; deeper, it is only misplaced.
    pub(super) fn stands_outside(&self, opener: usize) -> bool {
        let here = self.cursor.lexeme(self.cursor.position);
        here.first_on_line && here.indent <= self.cursor.lexeme(opener).indent
    }

    /// A declaration among events, where two names may follow one another: only a colon is sure to give it away.
    pub(super) fn starts_item_among_events(&self) -> bool {
        self.starts_item() && self.cursor.kind_ahead(2) == TokenKind::Colon
    }

    /// Reports a declaration that stands in the wrong place and passes it.
    pub(super) fn misplaced_item(&mut self, place: &str, content: &str) -> Reported {
        let word = self.cursor.text_ahead(0);
        let help = match word {
            "var" | "const" if place == "a block" => "write `let x = ...` for a local value".to_string(),
            _ => format!("allowed here: {content}"),
        };
        let message = format!("`{word}` is not allowed in {place}");
        let reported = self.report(Diagnostic::new(Code::P007, self.here(), message).help(help));
        // What else is wrong with it is reported by its own method, which skips it, too.
        let _ = self.item();
        reported
    }

    /// At the start of a declaration stands something that is none. Says where it belongs, if it is known.
    pub(super) fn no_item(&mut self) -> Reported {
        let word = self.cursor.text_ahead(0);
        let home = HOMES.iter().find(|(_, words)| self.at(TokenKind::Name) && words.contains(&word));
        if let Some((home, _)) = home {
            let message = format!("`{word}` is not allowed here");
            return self
                .report(Diagnostic::new(Code::P007, self.here(), message).help(format!("it belongs in {home}")));
        }
        if self.at(TokenKind::CloseBrace) {
            let help = "unmatched brace: remove it, or add the missing `{` before it";
            return self.expected_with_help("a declaration", Some(help.into()));
        }
        let help = self.help_for_no_item(word);
        self.expected_with_help("a declaration", help)
    }

    fn help_for_no_item(&self, word: &str) -> Option<String> {
        use TokenKind as T;
        let help = match self.kind() {
            T::Let => "write `var` for a variable, `const` for a constant, `def` for a named expression",
            T::If | T::For | T::Match | T::Emit | T::Return | T::Assert => {
                "statements belong in the block of an action or a rule"
            }
            T::Name if foreign_word(word).is_some() => return None,
            T::Name if matches!(self.cursor.kind_ahead(1), T::Assign | T::PlusAssign | T::MinusAssign) => {
                "assignments belong in the block of an action or a rule"
            }
            T::Name => return did_you_mean(word, ITEM_WORDS.iter().copied().chain(FILE_WORDS)),
            _ => return None,
        };
        Some(help.into())
    }
}
