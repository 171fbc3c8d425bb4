//! The agreement machine is a program of its own (`crates/agreement`), so that the other chores do not wait for all engines to be
//! built.

use std::path::Path;
use std::process::{Command, ExitCode};

pub(crate) fn run(root: &Path, options: &[String]) -> ExitCode {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--package", "interplay-agreement", "--bin", "agree"]).current_dir(root);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    match cargo.arg("--").args(options).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101)),
        Err(error) => {
            eprintln!("cargo cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
