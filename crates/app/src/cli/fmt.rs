//! `interplay fmt`: one way to write it down.

use crate::exit::Exit;
use crate::{files, print};
use anyhow::Context;
use interplay_diagnostics::{Diagnostic, Sources};
use interplay_report::{Findings, escape};
use interplay_workbench::{Formatted, read_text, unified_diff};
use std::path::{Path, PathBuf};

/// Format specifications in place
///
/// A file with syntax errors is reported and left as it is. Exit code 0: done, or nothing to do; 1: `--check` or
/// `--diff` found something to change; 2: errors.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay fmt chat.play\n  interplay fmt --check examples/*/*.play\n  \
                        interplay fmt - < chat.play")]
pub(crate) struct Arguments {
    /// Specifications; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing, only say which files would change
    #[arg(long)]
    check: bool,
    /// Change nothing, show what would change
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

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let mode = match (arguments.diff, arguments.check) {
        (true, _) => Mode::Diff,
        (false, true) => Mode::Check,
        (false, false) => Mode::Write,
    };
    let mut tally = Tally::default();
    for path in &arguments.files {
        format(path, mode, &mut tally)?;
    }
    if arguments.files.iter().all(|path| !is_stdin(path)) {
        print::answer(&summary(mode, &tally))?;
    }
    Ok(match (tally.wrong, mode, tally.changed) {
        (1.., _, _) => Exit::Wrong,
        (0, Mode::Check | Mode::Diff, 1..) => Exit::Violated,
        _ => Exit::Met,
    })
}

fn format(path: &Path, mode: Mode, tally: &mut Tally) -> anyhow::Result<()> {
    let name = if is_stdin(path) { "standard input".into() } else { path.display().to_string() };
    let read = |path: &Path| if is_stdin(path) { files::read_stdin() } else { files::read(path) };
    let before = match read_text(path, &read) {
        Ok(text) => text,
        Err(unreadable) => {
            tally.wrong += 1;
            return report(&Sources::default(), &[*unreadable]);
        }
    };
    let after = match interplay_workbench::format(&name, &before) {
        Formatted::Wrong { sources, diagnostics } => {
            tally.wrong += 1;
            return report(&sources, &diagnostics);
        }
        Formatted::Unchanged => {
            tally.same += 1;
            before.clone()
        }
        Formatted::Changed(after) => {
            tally.changed += 1;
            after
        }
    };
    deliver(path, &name, &before, &after, mode)
}

fn deliver(path: &Path, name: &str, before: &str, after: &str, mode: Mode) -> anyhow::Result<()> {
    match mode {
        Mode::Write if is_stdin(path) => print::answer(after)?,
        _ if before == after => {}
        Mode::Write => {
            files::replace(path, after).with_context(|| format!("{name} cannot be written"))?;
            print::answer(&format!("formatted {}\n", escape(name)))?;
        }
        Mode::Check => print::answer(&format!("would format {}\n", escape(name)))?,
        Mode::Diff => print::answer(&escape(&unified_diff(name, before, after)))?,
    }
    Ok(())
}

fn report(sources: &Sources, diagnostics: &[Diagnostic]) -> anyhow::Result<()> {
    Ok(print::problems(&Findings::new(sources, diagnostics))?)
}

fn summary(mode: Mode, tally: &Tally) -> String {
    let count = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 file {what}")),
        many => Some(format!("{many} files {what}")),
    };
    let changed = if mode == Mode::Write { "formatted" } else { "to format" };
    let parts = [
        count(tally.changed, changed),
        count(tally.same, "formatted already"),
        count(tally.wrong, "left alone because of errors"),
    ];
    format!("{}\n", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
