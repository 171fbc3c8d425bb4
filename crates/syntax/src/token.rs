//! The text cut into tokens, without losing a byte: put one after the other, the tokens are the text.
//!
//! Only the words that expressions and statements cannot do without are reserved. All other words of the grammar
//! (`run`, `seed`, `type`, ...) are ordinary names here, and the parser recognises them where it expects them. Marks that
//! belong to other languages (`;`, `&&`, `:=`) are tokens too, so that the parser can say what to write instead.
//!
//! ```
//! use interplay_syntax::{TokenKind, lex};
//! let kinds: Vec<_> = lex("x = 50ms").iter().map(|token| token.kind).collect();
//! use TokenKind::*;
//! assert_eq!(kinds, [Name, Space, Assign, Space, Duration]);
//! ```

use std::ops::Range;

use logos::Logos;

/// One token: what it is and which bytes it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn text(self, source: &str) -> &str {
        &source[self.range()]
    }
}

/// Cuts a text into tokens. Characters that mean nothing become [`TokenKind::Unknown`], neighbours in one token.
pub fn lex(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 3);
    for (kind, range) in TokenKind::lexer(text).spanned() {
        let kind = match kind {
            Ok(TokenKind::Comment) => comment_kind(&text[range.clone()]),
            Ok(kind) => kind,
            Err(()) => TokenKind::Unknown,
        };
        match tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Unknown && kind == TokenKind::Unknown => last.end = range.end as u32,
            _ => tokens.push(Token { kind, start: range.start as u32, end: range.end as u32 }),
        }
    }
    tokens
}

/// Four slashes are a line drawn by hand, not documentation.
fn comment_kind(text: &str) -> TokenKind {
    match text {
        _ if text.starts_with("//!") => TokenKind::FileComment,
        _ if text.starts_with("///") && !text.starts_with("////") => TokenKind::DocComment,
        _ => TokenKind::Comment,
    }
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    // Trivia.
    #[regex(r"[ \t\r\n\x0C\u{FEFF}]+")]
    Space,
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    Comment,
    /// `/// ...`
    DocComment,
    /// `//! ...`
    FileComment,

    // Names and literals.
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*", priority = 2)]
    #[regex(r"`[^`\r\n]+`")]
    Name,
    #[regex(r"[0-9][0-9_]*", priority = 6)]
    Int,
    /// `10us`, `50ms`, `2s`, `5m`, `8h`
    #[regex(r"[0-9][0-9_]*(us|ms|s|m|h)", priority = 8)]
    Duration,
    /// `12abc`
    #[regex(r"[0-9]\p{XID_Continue}*", priority = 4)]
    BadNumber,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    String,
    /// A string whose line ends before it does.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#)]
    OpenString,
    /// A back quote without a name or without its partner.
    #[regex(r"`[^`\r\n]*")]
    #[token("``")]
    OpenName,
    #[token("_", priority = 10)]
    Underscore,

    // Reserved words.
    #[token("and", priority = 20)]
    And,
    #[token("or", priority = 20)]
    Or,
    #[token("not", priority = 20)]
    Not,
    #[token("implies", priority = 20)]
    Implies,
    #[token("iff", priority = 20)]
    Iff,
    #[token("in", priority = 20)]
    In,
    #[token("is", priority = 20)]
    Is,
    #[token("if", priority = 20)]
    If,
    #[token("then", priority = 20)]
    Then,
    #[token("else", priority = 20)]
    Else,
    #[token("match", priority = 20)]
    Match,
    #[token("for", priority = 20)]
    For,
    #[token("where", priority = 20)]
    Where,
    #[token("always", priority = 20)]
    Always,
    #[token("eventually", priority = 20)]
    Eventually,
    #[token("never", priority = 20)]
    Never,
    #[token("possible", priority = 20)]
    Possible,
    #[token("once", priority = 20)]
    Once,
    #[token("historically", priority = 20)]
    Historically,
    #[token("previously", priority = 20)]
    Previously,
    #[token("next", priority = 20)]
    Next,
    #[token("within", priority = 20)]
    Within,
    #[token("since", priority = 20)]
    Since,
    #[token("until", priority = 20)]
    Until,
    #[token("unless", priority = 20)]
    Unless,
    #[token("true", priority = 20)]
    True,
    #[token("false", priority = 20)]
    False,
    #[token("none", priority = 20)]
    None,
    #[token("some", priority = 20)]
    Some,
    #[token("old", priority = 20)]
    Old,
    #[token("new", priority = 20)]
    New,
    #[token("at", priority = 20)]
    At,
    #[token("result", priority = 20)]
    Result,
    #[token("let", priority = 20)]
    Let,
    #[token("emit", priority = 20)]
    Emit,
    #[token("return", priority = 20)]
    Return,
    #[token("assert", priority = 20)]
    Assert,

    // Brackets.
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,

    // Marks.
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("=>")]
    FatArrow,
    #[token("->")]
    Arrow,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("&")]
    Ampersand,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,

    // Marks of other languages.
    #[token(";")]
    Semicolon,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("!")]
    Bang,
    #[token(":=")]
    ColonAssign,
    /// Characters that mean nothing.
    Unknown,
    /// The end of the file. The lexer never makes it; the parser reads it after the last token.
    End,
}

impl TokenKind {
    /// White space and comments.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Space) || self.is_comment()
    }

    pub fn is_comment(self) -> bool {
        matches!(self, TokenKind::Comment | TokenKind::DocComment | TokenKind::FileComment)
    }

    /// Tokens that are mistakes whatever stands around them.
    pub fn is_error(self) -> bool {
        use TokenKind::*;
        matches!(self, Unknown | BadNumber | OpenString | OpenName)
    }

    pub fn is_reserved(self) -> bool {
        use TokenKind::*;
        matches!(self, And | Or | Not | Implies | Iff | In | Is | If | Then | Else | Match | For | Where)
            || matches!(self, Always | Eventually | Never | Possible | Once | Historically | Previously | Next | Within)
            || matches!(self, Since | Until | Unless | True | False | None | Some | Old | New | At | Result)
            || matches!(self, Let | Emit | Return | Assert)
    }

    /// The bracket that closes this one.
    pub fn closing(self) -> Option<TokenKind> {
        match self {
            TokenKind::OpenParen => Some(TokenKind::CloseParen),
            TokenKind::OpenSquare => Some(TokenKind::CloseSquare),
            TokenKind::OpenBrace => Some(TokenKind::CloseBrace),
            _ => None,
        }
    }

    pub fn is_closing(self) -> bool {
        matches!(self, TokenKind::CloseParen | TokenKind::CloseSquare | TokenKind::CloseBrace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let tokens = lex(text);
        assert_eq!(tokens.iter().map(|token| token.text(text)).collect::<String>(), text, "no byte is lost");
        let shown = tokens.iter().filter(|token| token.kind != TokenKind::Space);
        let shown: Vec<String> = shown.map(|token| format!("{:?} {}", token.kind, token.text(text))).collect();
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn names_and_reserved_words() {
        check(
            "seed `cw-tone` next nexts _ _a größe `and`",
            expect![[r#"
            Name seed
            Name `cw-tone`
            Next next
            Name nexts
            Underscore _
            Name _a
            Name größe
            Name `and`"#]],
        );
    }

    #[test]
    fn numbers_and_durations() {
        check(
            "0..7 1_000 50ms 10us 2s 5m 8h 2something pair.0.1",
            expect![[r#"
            Int 0
            DotDot ..
            Int 7
            Int 1_000
            Duration 50ms
            Duration 10us
            Duration 2s
            Duration 5m
            Duration 8h
            BadNumber 2something
            Name pair
            Dot .
            Int 0
            Dot .
            Int 1"#]],
        );
    }

    #[test]
    fn marks_take_the_longest_match() {
        check(
            "a...b -> => == += -= <=>= != ! && & := :",
            expect![[r#"
            Name a
            Ellipsis ...
            Name b
            Arrow ->
            FatArrow =>
            Equal ==
            PlusAssign +=
            MinusAssign -=
            LessEqual <=
            GreaterEqual >=
            NotEqual !=
            Bang !
            AndAnd &&
            Ampersand &
            ColonAssign :=
            Colon :"#]],
        );
    }

    #[test]
    fn comments_know_their_kind() {
        check(
            "//! file\n/// doc\n// plain\n//// line\r\nx // end",
            expect![[r#"
            FileComment //! file
            DocComment /// doc
            Comment // plain
            Comment //// line
            Name x
            Comment // end"#]],
        );
    }

    #[test]
    fn what_is_not_closed_ends_with_its_line() {
        check(
            "\"a\\\"b\" \"open\nx `open\n`` \"back\\",
            expect![[r#"
            String "a\"b"
            OpenString "open
            Name x
            OpenName `open
            OpenName ``
            OpenString "back\"#]],
        );
    }

    #[test]
    fn meaningless_neighbours_are_one_token() {
        check(
            "a @€# b",
            expect![[r#"
            Name a
            Unknown @€#
            Name b"#]],
        );
    }
}
