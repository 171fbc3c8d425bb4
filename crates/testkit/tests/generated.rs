//! What is generated is right: it parses, checks, and is formatted without a change of its meaning.

use interplay_diagnostics::{Diagnostics, FileId};
use interplay_model::Model;

/// How many specifications are looked at.
const SEEDS: u64 = 2000;

fn check(text: &str) -> (Option<Model>, Diagnostics) {
    let mut found = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut found);
    let model = interplay_lower::check(&[tree], &mut found);
    (model, found)
}

fn all() -> impl Iterator<Item = (u64, String)> {
    let of = |seed: u64| match seed % 5 {
        2 => interplay_testkit::generate_whole(seed),
        3 => interplay_testkit::generate_focused(seed),
        4 => interplay_testkit::generate_synchronous(seed, 1 + (seed % 8) as u32),
        _ => interplay_testkit::generate(seed, 1 + (seed % 8) as u32),
    };
    (0..SEEDS).map(move |seed| (seed, of(seed)))
}

#[test]
fn every_generated_specification_checks_without_errors() {
    for (seed, text) in all() {
        let (model, found) = check(&text);
        let errors: Vec<_> =
            found.iter().filter(|one| one.code.severity() == interplay_diagnostics::Severity::Error).collect();
        assert!(errors.is_empty(), "seed {seed}\n{}\n{text}", describe(&text, &errors));
        assert!(model.is_some(), "seed {seed}\n{text}");
    }
}

fn describe(text: &str, errors: &[&interplay_diagnostics::Diagnostic]) -> String {
    let place = |span: interplay_diagnostics::Span| text[span.range()].to_string();
    errors
        .iter()
        .map(|error| format!("{}: {} at `{}`\n", error.code, error.message, error.span.map_or(String::new(), place)))
        .collect()
}

#[test]
fn formatting_is_idempotent_and_keeps_the_meaning() {
    for (seed, text) in all() {
        let formatted = interplay_syntax::format(&text);
        assert_eq!(interplay_syntax::format(&formatted), formatted, "seed {seed}: formatting twice\n{text}");
        let [before, after] = [&text, &formatted].map(|text| meaning(text));
        assert_eq!(after, before, "seed {seed}: the meaning stays the same\n{text}");
    }
}

/// The model as text, without the places, which change when the text is laid out anew.
fn meaning(text: &str) -> String {
    let shown = format!("{:?}", check(text).0);
    let mut parts = shown.split("Span {");
    let mut meaning = parts.next().unwrap_or_default().to_string();
    for part in parts {
        meaning += part.split_once('}').map_or(part, |(_, rest)| rest);
    }
    meaning
}
