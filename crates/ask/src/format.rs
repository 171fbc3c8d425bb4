//! The one way to write a specification down. A text with mistakes is left alone: the formatter would have to guess.

use interplay_diagnostics::{Diagnostics, Sources};
use interplay_specification::Refusal;
use similar::TextDiff;

/// The outcome of formatting one text.
pub enum Formatted {
    Unchanged,
    Changed(String),
}

/// Formats the text of the file with that name. Imports are not looked at.
pub fn format(name: &str, text: &str) -> Result<Formatted, Refusal> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let file = sources.add(name, text);
    interplay_syntax::parse(file, text, &mut found);
    if found.has_errors() {
        return Err(Refusal::Specification { sources, diagnostics: found.sorted() });
    }
    let formatted = interplay_syntax::format(text);
    Ok(if formatted == text { Formatted::Unchanged } else { Formatted::Changed(formatted) })
}

/// What formatting would change, as `diff -u` shows it.
pub fn unified_diff(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(name, name).to_string()
}
