//! A derived test case against a real implementation: the sender that blocks violates its property and fails.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn interplay(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_interplay")).args(arguments).current_dir(root).output().expect("interplay runs")
}

/// Derives a case into a file of its own.
fn case(target: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("aimed-{target}.play"));
    let path = file.display().to_string();
    let made =
        interplay(&["test-case", "examples/brp/brp.play", "--setup", "two_chunks", "--target", target, "--out", &path]);
    assert!(made.status.success(), "{made:?}");
    file
}

#[test]
fn a_sender_that_blocks_is_found_by_the_derived_test_case() {
    let case = case("violate-fail").display().to_string();
    let checked = interplay(&["check", &case]);
    assert!(checked.status.success(), "{checked:?}");
    let sut = "examples/brp/faulty-m7/run";
    let tested = interplay(&[
        "test",
        "examples/brp/brp.play",
        "--setup",
        "two_chunks",
        "--case",
        &case,
        "--sut",
        sut,
        "--seed",
        "1",
        "--json",
    ]);
    assert_eq!(tested.status.code(), Some(1), "{tested:?}");
    let told: serde_json::Value = serde_json::from_slice(&tested.stdout).expect("JSON");
    assert_eq!(told["verdict"], "ViolateFail", "{told:#}");
    assert_eq!(told["conversation"].as_array().and_then(|lines| lines.last()).unwrap(), "silence");
}
