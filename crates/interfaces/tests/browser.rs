//! The page in a real browser: led by the keyboard alone, following what others say, and believing no text to be a script. Needs Node and
//! Chromium, which `setup/browser` installs.

use std::process::Command;

#[test]
fn a_person_with_a_keyboard_uses_the_page() {
    let (address, _desk) = crate::common::serve(true);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser.mjs");
    let done = Command::new("node").arg(script).arg(format!("http://{address}/")).output().expect("node is there");
    let (said, problems) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}\n{problems}");
}
