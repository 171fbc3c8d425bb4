//! What help lines say to write is valid: every suggestion of the parser, the lowering and the lints is taken out of the source and
//! parsed where it could stand.

use crate::common::messages;
use interplay_syntax::{TokenKind, lex};
use std::fs;
use std::path::Path;

/// Where a suggestion can stand; `@` is the suggestion.
const PLACES: &[&str] = &[
    "@",
    "system S\n@",
    "system S\ndef x = @",
    "system S\nvar x: @",
    "system S\nvar x@",
    "system S\ndef f(@) = 1",
    "system S\nproc p() { @ }",
    "system S\nproc p() { if a { x = 1 } @ {} }",
    "system S\nproc p() { if a { x = 1 } @ b {} }",
    "system S\ninput x @ {}",
    "system S\ninput x {}\ninput y @",
    "system S\nsetup s { @ }",
    "system S\nscenario s { @ }",
    "system S\non a @",
    "system S\non @",
    "system S\nat A { @ }",
    "system S\ndef x = match y { @ }",
    "system S\nobserver o never { at A { @ } }",
    "system S\ncomponent C { @ }",
    "system S\nrecord R { @ }",
    "system S\nvar x: Int @",
    "system S\nsetup s { domain x @ }",
];

#[test]
fn what_help_lines_say_to_write_is_valid() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut count, mut wrong) = (0, Vec::new());
    for folder in ["src/parser", "../lower/src", "../lower/src/lints"] {
        let sources = fs::read_dir(here.join(folder)).expect("the sources are there").flatten();
        for entry in sources.filter(|entry| entry.path().is_file()) {
            let text = fs::read_to_string(entry.path()).expect("a source can be read");
            for suggestion in literals(&text).iter().flat_map(|literal| suggestions(literal)) {
                count += 1;
                if !["x", "1"].iter().any(|value| is_valid(&filled(&suggestion, value))) {
                    wrong.push(format!("{}: `{suggestion}`", entry.path().display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} suggestions were found");
}

fn is_valid(suggestion: &str) -> bool {
    let is_word = lex(suggestion).len() == 1 && lex(suggestion)[0].kind != TokenKind::Unknown;
    is_word || PLACES.iter().any(|place| messages(&place.replace('@', suggestion)).is_empty())
}

/// The string literals of a Rust source, unescaped as far as help lines need it.
fn literals(source: &str) -> Vec<String> {
    source.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(literals_of_a_line).collect()
}

fn literals_of_a_line(line: &str) -> Vec<String> {
    let (mut found, mut inside, mut escaped) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match (&mut inside, letter) {
            (Some(text), _) if std::mem::take(&mut escaped) => text.push(letter),
            (Some(_), '\\') => escaped = true,
            (Some(_), '"') => found.extend(inside.take()),
            (Some(text), _) => text.push(letter),
            (None, '"') => inside = Some(String::new()),
            _ => {}
        }
    }
    found
}

/// What stands in back quotes behind `write`, with something in the places that are left open.
fn suggestions(literal: &str) -> Vec<String> {
    let behind = literal.match_indices("write `").map(|(at, write)| &literal[at + write.len()..]);
    let quoted = behind.filter_map(|rest| rest.split_once('`').map(|(quoted, _)| quoted));
    quoted.filter(|quoted| !quoted.is_empty()).map(str::to_string).collect()
}

/// `{{` and `}}` of a format are braces, `{name}` is a value, and `...` is what the reader puts there.
fn filled(quoted: &str, value: &str) -> String {
    let marked = quoted.replace("{{", "\u{1}").replace("}}", "\u{2}").replace(", ...", "");
    let marked = marked.replace("{ ... }", "{ }").replace("...", "x");
    let mut text = String::new();
    let mut rest = marked.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        match after.split_once('}') {
            Some((name, behind)) if name.chars().all(|letter| letter.is_alphanumeric() || "_.:?".contains(letter)) => {
                text += before;
                text += value;
                rest = behind;
            }
            _ => break,
        }
    }
    (text + rest).replace('\u{1}', "{").replace('\u{2}', "}")
}
