//! Formatting changes nothing but white space, and once is enough.
#![no_main]

use interplay_syntax::{format, lex};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let once = format(text);
    assert_eq!(once, format(&once), "formatting twice is formatting once");
    assert_eq!(words(text), words(&once), "the tokens stay");
});

/// The tokens that carry meaning, comments included.
fn words(text: &str) -> Vec<String> {
    lex(text).iter().map(|token| token.text(text).trim().to_string()).filter(|word| !word.is_empty()).collect()
}
