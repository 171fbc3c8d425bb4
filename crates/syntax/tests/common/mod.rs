//! What the tests of this crate share: one way to show diagnostics, one to compare trees, and the sample files.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

use interplay_diagnostics::{Diagnostic, Diagnostics, FileId, Sources};
use interplay_syntax::{ast, parse};
use proptest::prelude::*;

/// The tree and all diagnostics in the order of the text.
pub(crate) fn parsed(text: &str) -> (ast::File, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let file = parse(FileId(0), text, &mut diagnostics);
    (file, diagnostics.sorted())
}

/// One line for each diagnostic, with its notes and its help below it.
pub(crate) fn messages(text: &str) -> String {
    let mut sources = Sources::default();
    sources.add("test.play", text);
    let show = |diagnostic: &Diagnostic| {
        let span = diagnostic.span.expect("a mistake in a text has a place");
        let (line, column) = sources.position(span.start_point());
        let mut shown = format!("{line}:{column} {} {}\n", diagnostic.code, diagnostic.message);
        for note in &diagnostic.notes {
            let (line, column) = sources.position(note.span.start_point());
            shown += &format!("    {line}:{column} {}\n", note.text);
        }
        if let Some(help) = &diagnostic.help {
            shown += &format!("    help: {help}\n");
        }
        shown
    };
    parsed(text).1.iter().map(show).collect()
}

/// The tree as text, without the places, which change when the text is laid out anew.
pub(crate) fn tree(text: &str) -> String {
    let shown = format!("{:?}", parsed(text).0);
    let mut parts = shown.split("Span {");
    let mut tree = parts.next().unwrap_or_default().to_string();
    for part in parts {
        tree += part.split_once('}').map_or(part, |(_, rest)| rest);
    }
    tree
}

/// The sample files with their names.
pub(crate) fn samples() -> Vec<(String, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in [here.join("tests/data"), here.join("../../examples")] {
        collect(&folder, &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("a sample can be read"));
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "play") {
            paths.push(path);
        }
    }
}

/// Pieces of the language in any order.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "system",
        "reactive",
        "import",
        "type",
        "enum",
        "record",
        "object",
        "const",
        "var",
        "init",
        "def",
        "proc",
        "input",
        "output",
        "signal",
        "exclusive",
        "exactly",
        "one",
        "relation",
        "start",
        "at",
        "choice",
        "collect",
        "on",
        "component",
        "accepting",
        "observer",
        "never",
        "possible",
        "property",
        "scenario",
        "goal",
        "setup",
        "entry",
        "exit",
        "check",
        "done",
        "when",
        "choose",
        "requires",
        "ensures",
        "raises",
        "step",
        "silence",
        "any",
        "expect",
        "wait",
        "let",
        "if",
        "then",
        "else",
        "match",
        "for",
        "every",
        "some",
        "in",
        "where",
        "emit",
        "return",
        "raise",
        "assert",
        "not",
        "and",
        "or",
        "implies",
        "iff",
        "since",
        "once",
        "previously",
        "within",
        "old",
        "new",
        "result",
        "none",
        "true",
        "domain",
        "weight",
        "bag",
        "run",
        "tests",
        "of",
        "x",
        "y",
        "Set",
        "Map",
        "`a b`",
        "1",
        "99999999999999999999",
        "50ms",
        "12ab",
        "\"s\"",
        "\"\\q\"",
        "\"open",
        "`open",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        "..",
        "...",
        "=",
        "+=",
        "-=",
        "==",
        "<",
        ">",
        ">=",
        "=>",
        "->",
        "+",
        "-",
        "&",
        "*",
        "/",
        "%",
        ";",
        "&&",
        "||",
        "!",
        ":=",
        "@",
        "€",
        "_",
        "\n",
        "\n",
        "\n    ",
        "// c\n",
        "/// d\n",
        "//! f\n",
        "\r\n",
        " ",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..80).prop_map(|pieces| pieces.join(" "))
}

/// A sample with pieces cut out and put elsewhere.
pub(crate) fn mutilated() -> impl Strategy<Value = String> {
    let texts: Vec<String> = samples().into_iter().map(|(_, text)| text).collect();
    (prop::sample::select(texts), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(text, from, length)| {
            let characters: Vec<char> = text.chars().collect();
            let from = from.index(characters.len());
            let length = length.index(20);
            characters.iter().take(from).chain(characters.iter().skip(from + length)).collect()
        },
    )
}
