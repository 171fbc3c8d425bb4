//! Any text gives a tree, and its tokens are the text.
#![no_main]

use interplay_diagnostics::{Diagnostics, FileId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    interplay_syntax::parse(FileId(0), text, &mut Diagnostics::default());
    let length: usize = interplay_syntax::lex(text).iter().map(|token| token.range().len()).sum();
    assert_eq!(length, text.len(), "every byte belongs to one token");
});
