//! Any text is a stored failure or is refused; what is one is the same after it was written again.
#![no_main]

use interplay_workbench::Saved;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(saved) = Saved::parse(text) {
        let again = Saved::parse(&saved.text()).expect("what was written can be read");
        assert_eq!(again.text(), saved.text());
        let token = Saved::parse(&saved.token()).expect("a token can be read");
        assert_eq!(token.token(), saved.token());
    }
});
