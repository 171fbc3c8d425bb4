//! Words that are reserved only where they mean something: `at`, `old`, `result`, `until` and their like are fine names of
//! variables, fields and parameters elsewhere.
//!
//! The tokens around such a word decide: `at` without a place behind it is a name, `old` without `(`, `until` where a value must
//! stand. What could be both is the word of the grammar; a name in back quotes is never one. `result` stays a word as a value,
//! because only whoever knows the declarations can tell.

use crate::format::EXPRESSION_WORDS;
use crate::parser::ends_operand;
use crate::token::TokenKind::{self, *};

/// Turns the words that are names here into names. `text` gives the text of a token by its number.
pub(crate) fn settle<'t>(kinds: &mut [TokenKind], text: impl Fn(usize) -> &'t str) {
    for at in 0..kinds.len() {
        if is_contextual(kinds[at]) {
            let ahead = |by: usize| kinds.get(at + by).copied().unwrap_or(End);
            let before = |by: usize| at.checked_sub(by).map(|index| (kinds[index], text(index)));
            let around = Around { before: before(1), farther: before(2), next: ahead(1), after: ahead(2) };
            if around.make_a_name(kinds[at]) {
                kinds[at] = Name;
            }
        }
    }
}

/// Words that begin an operand or stand between two.
pub(crate) fn is_contextual(kind: TokenKind) -> bool {
    matches!(
        kind,
        At | Old | New | Result | Until | Since | Unless | Once | Historically | Previously | Next | Within | Possible
    )
}

struct Around<'t> {
    before: Option<(TokenKind, &'t str)>,
    farther: Option<(TokenKind, &'t str)>,
    next: TokenKind,
    after: TokenKind,
}

impl Around<'_> {
    fn make_a_name(&self, word: TokenKind) -> bool {
        if self.is_declared() || self.is_written() {
            return true;
        }
        match word {
            // What stands behind tells: a place, an object type, an argument.
            Old if self.next == OpenParen => false,
            At | New | Old => {
                self.continues() || self.starts_another() || self.next == OpenParen || self.ends_a_condition()
            }
            // In front of a value they would have to stand behind another one.
            Until | Since | Unless => !self.after_value(),
            Once | Historically | Previously | Next | Within | Possible => {
                self.continues() && !matches!(self.next, OpenSquare | Minus)
            }
            _ => false,
        }
    }

    /// `var at: Int`, `(at: Int, until: Int)`, `let old = ...`, `for every next in s`
    fn is_declared(&self) -> bool {
        let word = self.before.filter(|(kind, _)| *kind == Name).map_or("", |(_, text)| text);
        let declares = matches!(word, "var" | "const" | "def" | "proc" | "choose" | "input" | "internal" | "signal")
            || word == "output" && self.next != Colon;
        let begins_a_line = self.farther.is_none_or(|(kind, _)| kind != Dot);
        match self.before.map_or(End, |(kind, _)| kind) {
            Dot | Emit => true,
            Name if word == "on" => true,
            Name if declares && begins_a_line => matches!(self.next, Colon | Assign | OpenParen | In | Arrow | Comma),
            Let => self.next == Assign,
            Name if word == "every" => matches!(self.next, In | Colon),
            For | Some => matches!(self.next, In | Colon),
            OpenParen | OpenBrace | Comma => self.next == Colon,
            _ => false,
        }
    }

    /// `at = 3`, `until += 1`, and the parts of it that are written: `result[2] = 3` is left to the parser of statements.
    fn is_written(&self) -> bool {
        let begins = self
            .before
            .is_none_or(|(kind, text)| kind == OpenBrace || ends_operand(kind) && !EXPRESSION_WORDS.contains(&text));
        assigns(self.next) && begins
    }

    /// The next token begins a statement.
    fn starts_another(&self) -> bool {
        matches!(self.next, Let | If | For | Match | Emit | Return | Assert) || self.next == Name && assigns(self.after)
    }

    /// `x > at {`: an operator in front, a block behind.
    fn ends_a_condition(&self) -> bool {
        let (before, _) = self.before.unwrap_or((End, ""));
        let operator = matches!(
            before,
            Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Ampersand
                | DotDot
                | In
                | Assign
        );
        operator && self.next == OpenBrace
    }

    fn after_value(&self) -> bool {
        self.before.is_some_and(|(kind, _)| ends_operand(kind))
    }

    /// The next token goes on after a value, or ends what it stands in.
    fn continues(&self) -> bool {
        matches!(
            self.next,
            Dot | OpenSquare
                | CloseParen
                | CloseSquare
                | CloseBrace
                | Comma
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Ampersand
                | DotDot
                | And
                | Or
                | Implies
                | Iff
                | In
                | Is
                | Then
                | Else
                | Where
                | Until
                | Since
                | Unless
        ) || self.next == Not && self.after == In
    }
}

fn assigns(kind: TokenKind) -> bool {
    matches!(kind, Assign | PlusAssign | MinusAssign)
}
