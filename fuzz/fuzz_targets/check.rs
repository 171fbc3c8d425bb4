//! Any text is either a model or has an error; checking never panics.
#![no_main]

use interplay_diagnostics::{Diagnostics, FileId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut diagnostics = Diagnostics::default();
    let tree = interplay_syntax::parse(FileId(0), text, &mut diagnostics);
    let model = interplay_lower::check(&[tree], &mut diagnostics);
    assert_eq!(model.is_none(), diagnostics.has_errors());
});
