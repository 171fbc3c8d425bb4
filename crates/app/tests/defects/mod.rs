//! Answers that were wrong once, each asked again of the real program; one file per part of the product. The specifications and
//! adapters are in `tests/defects` of the project, and the program runs there.

mod blackbox;
mod crashes;
mod explore;
mod operations;
mod prover;
mod scenarios;
mod seams;
mod silence;
mod tester;
mod values;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// The whole path of a file.
fn file(name: &str) -> String {
    root().join("tests/defects").join(name).display().to_string()
}

/// Exit code, what was answered, and what was said beside it.
fn told(arguments: &[&str]) -> (i32, String, String) {
    told_with(arguments, &[])
}

fn told_with(arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_interplay"))
        .args(arguments)
        .current_dir(root().join("tests/defects"))
        .env("PYTHONPATH", root().join("sdk/python"))
        .env_remove("RUST_BACKTRACE")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Exit code, and everything that was said.
fn run(arguments: &[&str]) -> (i32, String) {
    let (code, answer, aside) = told(arguments);
    (code, answer + &aside)
}

#[track_caller]
fn answers((code, said): (i32, String), wanted: i32, words: &str) {
    assert_eq!(code, wanted, "{said}");
    assert!(said.contains(words), "`{words}` is missing in:\n{said}");
}
