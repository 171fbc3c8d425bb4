//! Words: which of a text's tokens are words of the grammar, and which words the grammar would understand at a place.
//!
//! Nearly all words of the grammar are ordinary names elsewhere, so only the parser knows. It is asked by trying: a word is
//! understood at a place if the parser reads it there, not as a name and without complaint. So there is no second grammar.

use interplay_diagnostics::{Diagnostics, FileId};

use crate::parser::{CLAUSE_WORDS, ENTRY_WORDS, ITEM_WORDS, LINE_WORDS, read};
use crate::token::{Token, TokenKind, lex};

/// What a token is to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    Word,
    Name,
    Number,
    String,
    Comment,
    /// `///` and `//!`
    Documentation,
    Operator,
    Bracket,
    Mistake,
}

/// All tokens of a text but white space, with what they are to a reader.
pub fn highlight(text: &str) -> Vec<(Token, Highlight)> {
    let names = names(text);
    let tokens = lex(text).into_iter().filter(|token| token.kind != TokenKind::Space);
    tokens.map(|token| (token, kind(token, names.binary_search(&token.start).is_ok()))).collect()
}

fn kind(token: Token, is_name: bool) -> Highlight {
    use TokenKind::*;
    match token.kind {
        _ if is_name && !matches!(token.kind, Int) => Highlight::Name,
        Name => Highlight::Word,
        kind if kind.is_reserved() => Highlight::Word,
        kind if kind.is_error() => Highlight::Mistake,
        Comment => Highlight::Comment,
        DocComment | FileComment => Highlight::Documentation,
        Int | Duration => Highlight::Number,
        String => Highlight::String,
        Underscore => Highlight::Name,
        kind if kind.closing().is_some() || kind.is_closing() => Highlight::Bracket,
        _ => Highlight::Operator,
    }
}

/// Where the tokens start that the parser read as names, in ascending order.
fn names(text: &str) -> Vec<u32> {
    let (_, mut names) = read(FileId(0), text, &mut Diagnostics::default());
    names.sort_unstable();
    names.dedup();
    names
}

/// The words that are never names.
pub fn reserved_words() -> &'static [&'static str] {
    RESERVED
}

const RESERVED: &[&str] = &[
    "and",
    "or",
    "not",
    "implies",
    "iff",
    "in",
    "is",
    "if",
    "then",
    "else",
    "match",
    "for",
    "where",
    "always",
    "eventually",
    "never",
    "possible",
    "once",
    "historically",
    "previously",
    "next",
    "within",
    "since",
    "until",
    "unless",
    "true",
    "false",
    "none",
    "some",
    "old",
    "new",
    "at",
    "result",
    "let",
    "emit",
    "return",
    "assert",
];

/// Words that mean something in one place each.
const OTHERS: &[&str] = &[
    "system",
    "import",
    "reactive",
    "synchronous",
    "signal",
    "output",
    "one",
    "under",
    "after",
    "entry",
    "exit",
    "check",
    "done",
    "step",
    "silence",
    "any",
    "every",
    "tests",
    "of",
    "steps",
    "bag",
    "extends",
    "uioco",
    "ioco",
    "alternating",
    "fail",
    "ignore",
    "unspecified",
    "judged",
    "unjudged",
    "immediate",
    "queue",
    "pruned",
    "parallel",
    "anywhere",
    "accepting",
    "unlimited",
    "nothing",
    "release",
    "leads",
    "to",
    "assuming",
    "fair",
    "strongly",
];

/// A declaration of more bytes is not tried again for every word.
const LONGEST: usize = 16 << 10;

/// What may follow a word so that the parser knows it: some are known only by the token behind them.
const FOLLOWERS: [&str; 5] = ["", " x", " {", " x {", " 1"];

/// The words that the grammar would understand at an offset of the text, where a word may have been begun.
pub fn words_at(text: &str, offset: usize) -> Vec<&'static str> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let begun = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let start = declaration_start(begun);
    if begun.len() - start > LONGEST {
        return Vec::new();
    }
    let all = RESERVED.iter().chain(ITEM_WORDS).chain(CLAUSE_WORDS).chain(ENTRY_WORDS).chain(LINE_WORDS).chain(OTHERS);
    let mut words: Vec<&str> = all.copied().collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| FOLLOWERS.iter().any(|follower| is_understood(&begun[start..], word, follower)));
    words
}

fn is_understood(before: &str, word: &str, follower: &str) -> bool {
    let text = format!("{before}{word}{follower}");
    let at = before.len() as u32;
    let mut found = Diagnostics::default();
    let (_, names) = read(FileId(0), &text, &mut found);
    let complains =
        found.iter().filter_map(|each| each.span).any(|span| span.start <= at && at < span.end.max(span.start + 1));
    !names.contains(&at) && !complains
}

/// Where the declaration begins that an offset stands in: at the last line that is not indented and begins with a word.
/// Words that continue a declaration may stand there too.
fn declaration_start(before: &str) -> usize {
    let lines = before.rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let begins = |at: &usize| {
        let word = before[*at..].split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
        word.is_some_and(|word| ITEM_WORDS.contains(&word) || word == "at" || word == "system" || word == "import")
    };
    lines.into_iter().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let offset = text.find('|').expect("the cursor is marked");
        words_at(&text.replace('|', ""), offset).join(" ")
    }

    #[test]
    fn only_what_the_grammar_allows_is_offered() {
        let line = words("system Door\n|");
        for word in ["var", "input", "property", "setup", "at", "reactive"] {
            assert!(line.split(' ').any(|each| each == word), "{word} in {line}");
        }
        assert!(!line.contains("requires") && !line.contains("emit"), "{line}");
        assert_eq!(words("observer o |"), "never possible");
        assert_eq!(words("setup s {\n  conformance |"), "alternating ioco none uioco");
        assert_eq!(words("setup s {\n  run 3 |"), "tests");
        assert!(words("input press(n: Int) re|").contains("requires"));
        assert!(words("at Idle {\n  |").starts_with("entry exit on"));
    }

    #[test]
    fn statements_and_expressions_have_their_words() {
        let line = words("input press {\n  |\n}");
        assert_eq!(line, "assert emit for if let match return");
        let line = words("property p: |");
        for word in ["always", "never", "not", "at", "if", "for"] {
            assert!(line.split(' ').any(|each| each == word), "{word} in {line}");
        }
        assert!(!line.contains("emit"), "{line}");
    }

    #[test]
    fn a_word_may_be_a_name() {
        let text = "var seed: Int = 0\nsetup s {\n  seed 7\n}\n";
        let words: Vec<&str> = highlight(text)
            .iter()
            .filter(|(_, highlight)| *highlight == Highlight::Word)
            .map(|(token, _)| token.text(text))
            .collect();
        assert_eq!(words, ["var", "setup", "seed"]);
    }

    /// The colours of editors that do not ask the server.
    #[test]
    fn editors_know_all_words() {
        let grammars = [
            include_str!("../../../editors/vscode/syntaxes/interplay.tmLanguage.json"),
            include_str!("../../../editors/emacs/interplay-mode.el"),
        ];
        for grammar in grammars {
            let words: Vec<&str> = grammar.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
            for word in RESERVED.iter().chain(ITEM_WORDS).chain(CLAUSE_WORDS) {
                assert!(words.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn reserved_words_are_those_of_the_lexer() {
        for word in RESERVED {
            assert!(lex(word)[0].kind.is_reserved(), "{word}");
        }
    }
}
