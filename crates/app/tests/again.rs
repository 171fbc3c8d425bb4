//! Every line that says how to see a failure again is a command: a shell runs it as it stands, also where names have blanks.
#![cfg(unix)]

use crate::lock::LOCK;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder in which everything has blanks and quotes in its name: a lock, one that opens twice, and the Teller with a faulty
/// implementation.
fn folder(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let odd = place.join("it's odd");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&odd).expect("the folder can be made");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/teller");
    fs::copy(examples.join("teller.play"), odd.join("the teller.play")).expect("it is there");
    let run = format!("#!/bin/sh\nexec '{}'\n", examples.join("faulty-target/run").display());
    fs::write(odd.join("run it"), run).expect("it can be written");
    fs::set_permissions(odd.join("run it"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    fs::write(odd.join("a lock.play"), LOCK).expect("it can be written");
    let twice = LOCK.replace("on opened -> Closed", "on opened -> Closed on opened");
    fs::write(odd.join("opens twice.play"), twice).expect("it can be written");
    place
}

fn interplay(place: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interplay")).args(words).current_dir(place).output().expect("it runs")
}

/// What a shell makes of the line.
fn again(place: &Path, said: &str) -> (Option<i32>, String) {
    let line = said.lines().find_map(|line| line.trim().strip_prefix("replay: "));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    let program = Path::new(env!("CARGO_BIN_EXE_interplay"));
    let script = format!("interplay() {{ '{}' \"$@\"; }}\n{line}", program.display());
    let output = Command::new("sh").args(["-c", &script]).current_dir(place).output().expect("there is a shell");
    (
        output.status.code(),
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat(),
    )
}

#[test]
fn a_systematic_test_says_how_to_make_a_run_again() {
    let place = folder("again-systematic");
    let common = ["test", "it's odd/the teller.play", "--systematic"];
    let sut = ["--sut", "\"it's odd/run it\"", "--depth", "5"];
    for flags in [&["--setup", "paper"][..], &["--setup", "paper", "--answer-within", "9s", "--driver", "simple"]] {
        let first = interplay(&place, &[&common[..], &sut, flags].concat());
        let said = String::from_utf8_lossy(&first.stdout);
        assert_eq!(first.status.code(), Some(1), "{flags:?}: {said}");
        let (code, repeated) = again(&place, &said);
        assert_eq!(code, Some(1), "{flags:?}: {repeated}");
        let found = |text: &str| text.lines().skip(1).take_while(|line| !line.contains("replay: ")).collect::<String>();
        assert_eq!(found(&said), found(&repeated), "{flags:?}");
        assert!(repeated.contains(": 1 run, "), "only this run is made: {repeated}");
    }
}

#[test]
fn a_test_says_how_to_see_a_failure_again() {
    let place = folder("again-test");
    let sut = ["--sut", "model:it's odd/opens twice.play", "--seed", "1", "--no-store"];
    let first = interplay(&place, &[&["test", "it's odd/a lock.play"][..], &sut].concat());
    let said = String::from_utf8_lossy(&first.stdout);
    assert_eq!(first.status.code(), Some(1), "{said}");
    let (code, repeated) = again(&place, &said);
    assert!(code == Some(1) && repeated.contains("the failure was reproduced"), "{repeated}");
}
