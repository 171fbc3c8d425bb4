//! Saying what was expected and what was found, and reading the tokens that must stand somewhere.

use interplay_diagnostics::{Code, Diagnostic, Span};

use super::{CHAIN_LIMIT, NESTING_LIMIT, Parsed, Parser, REPORT_LIMIT, Reported};
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    // Looking.

    pub(super) fn kind(&self) -> TokenKind {
        self.cursor.kind_ahead(0)
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Is this the given word, in a place where the grammar gives it a meaning?
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.word_ahead(0, word)
    }

    pub(super) fn word_ahead(&self, ahead: usize, word: &str) -> bool {
        self.cursor.kind_ahead(ahead) == TokenKind::Name && self.cursor.text_ahead(ahead) == word
    }

    pub(super) fn at_any_word(&self, words: &[&str]) -> bool {
        self.at(TokenKind::Name) && words.contains(&self.cursor.text_ahead(0))
    }

    // Reading.

    pub(super) fn bump(&mut self) {
        self.cursor.bump();
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.expected(what)) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Reads a mark, or reports that it is missing and goes on as if it were there.
    pub(super) fn expect_or_assume(&mut self, kind: TokenKind, what: &str, help: &str) {
        if !self.eat(kind) {
            self.expected_with_help(what, Some(help.into()));
        }
    }

    /// Reads another mark in place of the right one.
    pub(super) fn accept_slip(&mut self, wrong: TokenKind, what: &str, help: &str) -> bool {
        let found = self.at(wrong);
        if found {
            self.expected_with_help(what, Some(help.into()));
            self.bump();
        }
        found
    }

    // Places.

    pub(super) fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.range())
    }

    pub(super) fn here(&self) -> Span {
        self.span_of(self.cursor.lexeme(self.cursor.position).token)
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, self.cursor.range_from(start))
    }

    // Reporting. These are kept out of line: the frames of the methods that call them are what a deep text costs.

    #[cold]
    #[inline(never)]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        self.expected_with_help(what, None)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn expected_with_help(&mut self, what: &str, help: Option<String>) -> Reported {
        let message = format!("expected {what}, found {}", self.describe_here());
        let help = help.or_else(|| self.help_for_found());
        self.report(Diagnostic::new(Code::P001, self.here(), message).maybe_help(help))
    }

    /// A mistake that is found only when all of it has been read.
    #[cold]
    #[inline(never)]
    pub(super) fn report_at(&mut self, span: Span, message: &str, help: &str) {
        let help = Some(help).filter(|help| !help.is_empty()).map(Into::into);
        self.push(Diagnostic::new(Code::P001, span, message).maybe_help(help));
    }

    /// An opening bracket that nothing closes.
    #[cold]
    #[inline(never)]
    pub(super) fn unclosed(&mut self, opener: usize) -> Reported {
        let opened = self.cursor.lexeme(opener).token;
        if opened.kind.closing().is_none() {
            // The opening brace is missing as well, and that was reported.
            return Reported;
        }
        let mark = opened.text(self.cursor.text);
        let closing = match opened.kind {
            TokenKind::OpenParen => ")",
            TokenKind::OpenSquare => "]",
            _ => "}",
        };
        let message = format!("`{mark}` is not closed before {}", self.describe_here());
        let diagnostic = Diagnostic::new(Code::P002, self.here(), message)
            .note(self.span_of(opened), "it was opened here")
            .help(format!("write `{closing}`"));
        self.report(diagnostic)
    }

    /// Runs `inner` one level deeper, or reports that this is deep enough.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= NESTING_LIMIT {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    #[cold]
    #[inline(never)]
    pub(super) fn too_deep(&mut self) -> Reported {
        let message = format!("nested more than {NESTING_LIMIT} levels deep");
        let help = "name a part of it: `def` for expressions, `proc` for statements";
        self.report(Diagnostic::new(Code::P006, self.here(), message).help(help))
    }

    /// Notes that the expression just read stands on others of the given height.
    pub(super) fn grow(&mut self, below: u32) -> Parsed<()> {
        self.height = below + 1;
        if self.height <= CHAIN_LIMIT { Ok(()) } else { Err(self.too_high()) }
    }

    #[cold]
    #[inline(never)]
    fn too_high(&mut self) -> Reported {
        let message = format!("more than {CHAIN_LIMIT} operators in one chain");
        let help = "name a part of it with `def`, or use a collection: `sum`, `for every`, `for some`";
        self.report(Diagnostic::new(Code::P006, self.here(), message).help(help))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        let position = self.cursor.position;
        let repeats = self.silent_at == Some(position) || self.stands_at_bad_token();
        self.silent_at = Some(position);
        if !repeats {
            self.push(diagnostic);
        }
        Reported
    }

    /// Adds a diagnostic that does not depend on where we are.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.reports += 1;
        if self.reports <= REPORT_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The token was reported when the text was cut; what follows an open string is part of the same mistake.
    fn stands_at_bad_token(&self) -> bool {
        let before = self.cursor.previous().map(|lexeme| lexeme.token.kind);
        self.kind().is_error() || before.is_some_and(TokenKind::is_error)
    }

    pub(super) fn describe_here(&self) -> String {
        let text = self.cursor.text_ahead(0);
        match self.kind() {
            TokenKind::End => "the end of the file".into(),
            TokenKind::String | TokenKind::OpenString => "a string".into(),
            _ if text.starts_with('`') => text.into(),
            kind if kind.is_reserved() => format!("the reserved word `{text}`"),
            _ => format!("`{}`", shortened(text)),
        }
    }

    /// What to do about marks and words that other languages use.
    pub(super) fn help_for_found(&self) -> Option<String> {
        let help = match self.kind() {
            TokenKind::Semicolon => "lines need no end mark: remove the `;`",
            TokenKind::AndAnd => "write `and`",
            TokenKind::OrOr => "write `or`",
            TokenKind::Bang => "write `not`",
            TokenKind::ColonAssign => "write `=`",
            TokenKind::FatArrow => {
                "`=>` is allowed only in `match`; write `implies` between conditions, `->` before a location"
            }
            TokenKind::Arrow => "`->` leads to a location or a result; write `implies` between conditions",
            TokenKind::Let => {
                "name a part of it with `def`; in a block write `let x = 1` before the statement that uses it"
            }
            TokenKind::Emit => {
                "`emit` is a statement of a block; in a scenario write the output alone, in a rule `on NAME { emit x }`"
            }
            TokenKind::Return => "`return` is a statement of a block",
            TokenKind::Name => return foreign_word(self.cursor.text_ahead(0)).map(Into::into),
            _ => return None,
        };
        Some(help.into())
    }
}

/// What to write for a keyword of another language.
pub(super) fn foreign_word(word: &str) -> Option<&'static str> {
    let help = match word {
        "function" | "fn" | "func" | "fun" | "procedure" | "method" => {
            "write `def` for a named expression, `proc` for named statements"
        }
        "state" | "variable" | "static" | "mut" => "write `var` for a variable, `at` for a location",
        "while" | "loop" | "repeat" | "do" => "loops are bounded: write `for x in S { ... }`",
        "elif" | "elsif" | "elseif" => "write `else if`",
        "switch" | "case" => "write `match x { pattern => ... }`",
        "struct" | "class" => "write `record`",
        "action" | "event" => "write `input`, `output` or `internal`",
        "module" | "process" | "agent" => "write `component`",
        "invariant" | "ltl" | "theorem" => "write `property name: always (...)`",
        "include" | "use" | "require" => "write `import \"file.play\"`",
        "asynchronous" | "async" => "asynchronous is the default: remove the word",
        "forall" => "write `for every x in S: ...`",
        "exists" => "write `for some x in S: ...`",
        "pre" | "guard" | "precondition" => "write `requires` in a declaration, `when` in a rule",
        "post" | "postcondition" => "write `ensures`",
        "begin" => "write `{`",
        "eventually" => "say by when: `within 5 e` or `within 50ms e`",
        "G" | "globally" => "write `always e`",
        "F" | "finally" => "say by when: `within 5 e` or `within 50ms e`",
        "send" => "write `emit x`",
        "goto" => "write `-> Place` after the rule",
        _ => return None,
    };
    Some(help)
}

/// Long tokens are cut in messages.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.into();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
