//! The first ten minutes of a new user in a real browser. Needs Node and Chromium, which `setup/browser` installs.

use crate::common::workbench;
use std::process::Command;

#[test]
fn a_new_user_edits_steps_explores_and_sees_the_failure() {
    let (served, memory) = workbench();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser.mjs");
    let done = Command::new("node").arg(script).arg(&served.address).output().expect("node is there");
    let (said, problems) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}\n{problems}");
    assert!(memory.get("lock.play").contains("scenario"), "the counterexample was filed and saved");
}
