//! All specifications at hand are read without a complaint: the team's sketches, and the examples of this repository.

use crate::common::{messages, samples, tree};
use interplay_syntax::lex;

#[test]
fn every_sample_parses() {
    for (name, text) in samples() {
        assert_eq!(messages(&text), "", "{name}");
    }
}

/// Line ends and indentation mean nothing: the same text without them says the same.
#[test]
fn layout_means_nothing() {
    for (name, text) in samples() {
        let flush: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        assert_eq!(messages(&flush), "", "{name} without indentation");
        assert_eq!(tree(&flush), tree(&text), "{name} without indentation");
        let bare = without_comments(&text, "\n");
        let line = without_comments(&text, " ");
        assert_eq!(messages(&line), "", "{name} in one line");
        assert_eq!(tree(&line), tree(&bare), "{name} in one line");
    }
}

fn without_comments(text: &str, between: &str) -> String {
    let counting = lex(text).into_iter().filter(|token| !token.kind.is_trivia());
    let words: Vec<&str> = counting.map(|token| token.text(text)).collect();
    words.join(between)
}
