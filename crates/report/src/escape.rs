//! Text that came from a file or a pipe must not be able to command the terminal: a control character is shown, not sent.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with its control characters (but not line ends and tabs) and its invisible direction marks written as
/// `\u{1b}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_dangerous) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_dangerous(character) {
            true => write!(safe, "\\u{{{:x}}}", character as u32).expect("writing to a string succeeds"),
            false => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// The same length in bytes, so that spans stay right: for a source text that the renderer of snippets shows. It
/// replaces all other control characters itself, but lets those of the range U+0080 to U+009F pass.
pub(crate) fn blank_long_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_long_control) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|character| if is_long_control(character) { '·' } else { character }).collect())
}

fn is_dangerous(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t')) || is_direction_mark(character)
}

fn is_long_control(character: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&character)
}

/// They change the order in which a line is shown, and so what it seems to say.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_a_terminal_become_visible_text() {
        assert_eq!(escape("a\u{1b}[31mb\u{9b}c\rd\te\n"), "a\\u{1b}[31mb\\u{9b}c\\u{d}d\te\n");
        assert_eq!(escape("Tür"), "Tür");
    }

    #[test]
    fn blanked_text_keeps_its_length() {
        let text = "x\u{9b}31m";
        assert_eq!(blank_long_controls(text).len(), text.len());
        assert_eq!(blank_long_controls(text), "x·31m");
    }
}
