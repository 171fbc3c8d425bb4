//! `interplay fmt`: one way to write it down.

use crate::exit::Exit;
use crate::session::{Session, Work, refused};
use crate::{files, print};
use anyhow::Context;
use interplay_diagnostics::amount;
use interplay_report::escape;
use interplay_workbench::{Formatted, Refusal, read_text, unified_diff};
use std::path::{Path, PathBuf};

/// Format specifications in place
///
/// Files with syntax errors are reported and not changed. Exit code 0: formatted, or nothing to do; 1: `--check` or
/// `--diff` found differences; 2: errors.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay fmt chat.play\n  interplay fmt --check examples/*/*.play\n  \
                        interplay fmt - < chat.play")]
pub(crate) struct Arguments {
    /// Specifications; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; list the files that would change
    #[arg(long)]
    check: bool,
    /// Change nothing; print the differences
    #[arg(long)]
    diff: bool,
}

/// What the formatted text is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    Check,
    Diff,
}

/// What became of all files.
#[derive(Default)]
struct Tally {
    same: usize,
    changed: usize,
    wrong: usize,
}

impl Work for Arguments {
    fn run(&self, _: &mut Session) -> anyhow::Result<Exit> {
        let mode = match (self.diff, self.check) {
            (true, _) => Mode::Diff,
            (false, true) => Mode::Check,
            (false, false) => Mode::Write,
        };
        let mut tally = Tally::default();
        for path in &self.files {
            match formatted(path) {
                Ok((before, Formatted::Unchanged)) => {
                    tally.same += 1;
                    deliver(path, &before, &before, mode)?;
                }
                Ok((before, Formatted::Changed(after))) => {
                    tally.changed += 1;
                    deliver(path, &before, &after, mode)?;
                }
                Err(refusal) => {
                    tally.wrong += 1;
                    refused(&refusal, false)?;
                }
            }
        }
        if self.files.iter().all(|path| !is_stdin(path)) {
            print::answer(&summary(mode, &tally))?;
        }
        Ok(match (tally.wrong, mode, tally.changed) {
            (1.., _, _) => Exit::Wrong,
            (0, Mode::Check | Mode::Diff, 1..) => Exit::Violated,
            _ => Exit::Met,
        })
    }
}

/// The text as it is, and what is to become of it.
fn formatted(path: &Path) -> Result<(String, Formatted), Refusal> {
    let read = |path: &Path| if is_stdin(path) { files::read_stdin() } else { files::read(path) };
    let before = read_text(path, &read)?;
    let after = interplay_workbench::format(&name(path), &before)?;
    Ok((before, after))
}

fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { path.display().to_string() }
}

fn deliver(path: &Path, before: &str, after: &str, mode: Mode) -> anyhow::Result<()> {
    let name = name(path);
    match mode {
        Mode::Write if is_stdin(path) => print::answer(after)?,
        _ if before == after => {}
        Mode::Write => {
            files::replace(path, after).with_context(|| format!("{name} cannot be written"))?;
            print::answer(&format!("formatted {}\n", escape(&name)))?;
        }
        Mode::Check => print::answer(&format!("would format {}\n", escape(&name)))?,
        Mode::Diff => print::answer(&escape(&unified_diff(&name, before, after)))?,
    }
    Ok(())
}

fn summary(mode: Mode, tally: &Tally) -> String {
    let count = |count: usize, what: &str| match count {
        0 => None,
        files => Some(format!("{} {what}", amount(files, "file"))),
    };
    let changed = if mode == Mode::Write { "formatted" } else { "to format" };
    let parts = [
        count(tally.changed, changed),
        count(tally.same, "formatted already"),
        count(tally.wrong, "not formatted because of errors"),
    ];
    format!("{}\n", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
