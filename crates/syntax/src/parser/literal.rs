//! Names, numbers, durations and strings: the tokens that carry a value, and what can be wrong inside of them.

use interplay_diagnostics::{Code, Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::{Literal, Name};
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Reports the tokens that are wrong whatever stands around them.
    pub(super) fn report_bad_tokens(&mut self) {
        let bad = self.cursor.lexemes().iter().map(|lexeme| lexeme.token).filter(|token| token.kind.is_error());
        let bad: Vec<Token> = bad.take(super::REPORT_LIMIT).collect();
        for (index, &token) in bad.iter().enumerate() {
            if index > 0 && self.repeats(bad[index - 1], token) {
                continue;
            }
            let diagnostic = bad_token(token, self.span_of(token), token.text(self.cursor.text));
            self.push(diagnostic);
        }
    }

    /// The same mark once more on the same line, as the second of two wrong quotes.
    fn repeats(&self, before: Token, token: Token) -> bool {
        let text = self.cursor.text;
        let between = &text[before.end as usize..token.start as usize];
        token.kind == TokenKind::Unknown && before.text(text) == token.text(text) && !between.contains(['\n', '\r'])
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        self.name_of("a name")
    }

    pub(super) fn name_of(&mut self, what: &str) -> Parsed<Name> {
        if self.at(TokenKind::Name) && !self.item_interrupts() {
            return Ok(self.take_name());
        }
        if self.at(TokenKind::OpenName) {
            let span = self.here();
            self.bump();
            return Ok(Name { text: String::new(), span });
        }
        let word = self.cursor.text_ahead(0);
        let reserved = self.kind().is_reserved();
        let help = reserved.then(|| format!("to use the word as a name write it between back quotes: `` `{word}` ``"));
        let reported = self.expected_with_help(what, help);
        if reserved && self.name_stands_here() { Ok(self.take_name()) } else { Err(reported) }
    }

    /// Judging by what follows, is a reserved word meant as a name?
    fn name_stands_here(&self) -> bool {
        use TokenKind::*;
        matches!(self.cursor.kind_ahead(1), Colon | OpenParen | Assign | Comma | CloseParen)
    }

    /// After a dot every word is a name, and so is a number, for tuples.
    pub(super) fn field_name(&mut self) -> Parsed<Name> {
        match self.kind() {
            TokenKind::Name if self.item_interrupts() => Err(self.expected("the name of a field or an operation")),
            kind if kind == TokenKind::Name || kind == TokenKind::Int || kind.is_reserved() => Ok(self.take_name()),
            _ => Err(self.expected("the name of a field or an operation")),
        }
    }

    pub(super) fn take_name(&mut self) -> Name {
        self.names.push(self.here().start);
        self.take_word()
    }

    /// A word that stands where a name could, and means something to the grammar.
    pub(super) fn take_word(&mut self) -> Name {
        let name = Name { text: self.cursor.text_ahead(0).trim_matches('`').into(), span: self.here() };
        self.bump();
        name
    }

    pub(super) fn literal(&mut self) -> Option<Literal> {
        let literal = match self.kind() {
            TokenKind::True => Literal::Bool(true),
            TokenKind::False => Literal::Bool(false),
            TokenKind::Int => return Some(Literal::Int(self.take_int())),
            TokenKind::String | TokenKind::OpenString => return Some(Literal::String(self.take_string())),
            _ => return None,
        };
        self.bump();
        Some(literal)
    }

    pub(super) fn int(&mut self) -> Parsed<i64> {
        if self.at(TokenKind::Int) { Ok(self.take_int()) } else { Err(self.expected("a number")) }
    }

    fn take_int(&mut self) -> i64 {
        let value = self.magnitude().and_then(|value| i64::try_from(value).ok());
        let value = value.unwrap_or_else(|| self.too_large(&format!("the largest number is {}", i64::MAX)));
        self.bump();
        value
    }

    /// `-9223372036854775808` is a number, although it is not the negative of one.
    pub(super) fn smallest_int_follows(&self) -> bool {
        self.kind() == TokenKind::Minus
            && self.cursor.kind_ahead(1) == TokenKind::Int
            && digits(self.cursor.text_ahead(1)).parse() == Ok(i64::MIN.unsigned_abs())
    }

    /// A number of steps.
    pub(super) fn step_count(&mut self) -> u32 {
        let value = self.magnitude().and_then(|value| u32::try_from(value).ok());
        let value = value.unwrap_or_else(|| self.too_large(&format!("the largest number of steps is {}", u32::MAX)));
        self.bump();
        value
    }

    fn magnitude(&self) -> Option<u64> {
        digits(self.cursor.text_ahead(0)).parse().ok()
    }

    /// A duration, in microseconds.
    pub(super) fn duration(&mut self) -> Parsed<u64> {
        if !self.at(TokenKind::Duration) {
            let help = "write a number with a unit: `10us`, `50ms`, `2s`, `5m`, `8h`";
            return Err(self.expected_with_help("a duration", Some(help.into())));
        }
        let value = microseconds(self.cursor.text_ahead(0));
        let value = value.unwrap_or_else(|| self.too_large("the longest duration is about 500,000 years"));
        self.bump();
        Ok(value)
    }

    fn too_large<T: Default>(&mut self, limit: &str) -> T {
        self.push(Diagnostic::new(Code::P005, self.here(), "this number is too large").help(limit));
        T::default()
    }

    pub(super) fn take_string(&mut self) -> String {
        let token = self.cursor.lexeme(self.cursor.position).token;
        let text = token.text(self.cursor.text);
        let content = text[1..].strip_suffix('"').filter(|_| token.kind == TokenKind::String).unwrap_or(&text[1..]);
        let (value, bad) = unescape(content);
        for (at, length) in bad {
            let start = token.start as usize + 1 + at;
            let written = &self.cursor.text[start..start + length];
            let message = format!("`{written}` is not an escape");
            let help = "the escapes are `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"` and `\\u{1F600}`";
            self.push(Diagnostic::new(Code::P004, Span::new(self.file, start..start + length), message).help(help));
        }
        self.bump();
        value
    }
}

fn bad_token(token: Token, span: Span, text: &str) -> Diagnostic {
    match token.kind {
        TokenKind::BadNumber => Diagnostic::new(Code::P003, span, "letters follow a number directly")
            .help("a name starts with a letter; a duration ends in `us`, `ms`, `s`, `m` or `h`"),
        TokenKind::OpenString => Diagnostic::new(Code::P004, span, "this string is not closed")
            .help("write `\"` at its end; a string ends on its line, `\\n` stands for a new one"),
        TokenKind::OpenName if text == "``" => {
            Diagnostic::new(Code::P004, span, "there is no name between the back quotes")
        }
        TokenKind::OpenName => {
            Diagnostic::new(Code::P004, span, "this name is not closed").help("write a back quote at its end")
        }
        _ => Diagnostic::new(Code::P003, span, format!("{} means nothing here", describe_unknown(text)))
            .maybe_help(help_for_unknown(text)),
    }
}

/// Invisible characters are named by their number.
fn describe_unknown(text: &str) -> String {
    let invisible = |c: char| c.is_control() || c.is_whitespace() || ('\u{2000}'..='\u{206F}').contains(&c);
    match text.chars().next() {
        Some(first) if invisible(first) => format!("the invisible character U+{:04X}", first as u32),
        _ => format!("`{}`", text.chars().take(20).collect::<String>()),
    }
}

fn help_for_unknown(text: &str) -> Option<String> {
    let help = match text.chars().next()? {
        '\'' | '“' | '”' | '„' => "strings stand between straight double quotes",
        '#' => "a comment starts with `//`",
        '|' => "write `or`",
        '^' => "write `!=` for exclusive or",
        '¬' | '~' => "write `not`",
        '∧' => "write `and`",
        '∨' => "write `or`",
        '∈' => "write `in`",
        '∀' => "write `for every x in S: ...`",
        '∃' => "write `for some x in S: ...`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '→' | '⇒' => "write `->` before a location, `implies` between conditions, `=>` in `match`",
        '?' => "write `if c then a else b`",
        _ => return None,
    };
    Some(help.into())
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn microseconds(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    let factor = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        _ => 3_600_000_000,
    };
    digits(text).parse::<u64>().ok()?.checked_mul(factor)
}

/// The string that is meant, and where (start and length) an escape makes no sense.
fn unescape(content: &str) -> (String, Vec<(usize, usize)>) {
    let mut value = String::with_capacity(content.len());
    let mut bad = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let (meant, length) = escape(&rest[at..]);
        match meant {
            Some(meant) => value.push(meant),
            None => bad.push((content.len() - rest.len() + at, length)),
        }
        rest = &rest[at + length..];
    }
    value.push_str(rest);
    (value, bad)
}

/// Reads one escape: what it means, and how many bytes it takes.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(mark) = text[1..].chars().next() else { return (None, 1) };
    let meant = match mark {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '\\' | '"' => mark,
        'u' => return unicode_escape(text),
        _ => return (None, 1 + mark.len_utf8()),
    };
    (Some(meant), 2)
}

fn unicode_escape(text: &str) -> (Option<char>, usize) {
    let Some(inner) = text[2..].strip_prefix('{') else { return (None, 2) };
    let Some(length) = inner.find('}') else { return (None, 3) };
    let hex = &inner[..length];
    let valid = !hex.is_empty() && hex.len() <= 6 && hex.chars().all(|c| c.is_ascii_hexdigit());
    let meant = valid.then(|| u32::from_str_radix(hex, 16).ok()).flatten().and_then(char::from_u32);
    (meant, 3 + length + 1)
}
