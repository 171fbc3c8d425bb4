//! Files that an answer is written to, beside what is printed: a report for people, JUnit and SARIF for build servers.

use crate::files;
use crate::session::refuse;
use anyhow::Context;
use interplay_answers::Drawn;
use interplay_diagnostics::Sources;
use interplay_report::{Cases, cases_sarif, junit};
use interplay_workbench::drawn;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Default, clap::Args)]
#[command(next_help_heading = "Files to write")]
pub(crate) struct Outputs {
    /// Write a self-contained HTML report
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0, for code hosts and editors
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
}

impl Outputs {
    /// What would go wrong at the end is said at the beginning.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let paths = [&self.html, &self.junit, &self.sarif];
        paths.into_iter().flatten().try_for_each(|path| check(path))
    }

    /// Each of them, whatever becomes of the others.
    pub(crate) fn write(
        &self,
        sources: &Sources,
        cases: impl FnOnce() -> Cases,
        html: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        let html = put(self.html.as_deref(), html);
        if self.junit.is_some() || self.sarif.is_some() {
            let cases = cases();
            let junit = put(self.junit.as_deref(), || junit(&cases));
            put(self.sarif.as_deref(), || format!("{:#}\n", cases_sarif(sources, &cases))).and(junit)?;
        }
        html
    }
}

/// Something can be written there.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    if path.is_dir() {
        return Err(refuse(format!("{name} is a folder\nhelp: name a file in it")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    let Some(folder) = folder else { return Ok(()) };
    let made = folder.display().to_string();
    let help = format!("make it first: mkdir -p {}", shlex::try_quote(&made).unwrap_or_default());
    Err(refuse(format!("cannot write {name}: no folder {made}\nhelp: {help}")))
}

pub(crate) fn put(path: Option<&Path>, text: impl FnOnce() -> String) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    std::fs::write(path, text()).with_context(|| format!("{} cannot be written", path.display()))
}

/// The graph of the model, for a report; left out if it is not found soon.
pub(crate) fn graph(
    context: &interplay_workbench::Context,
    setup: Option<&str>,
    visited: Option<&HashSet<Vec<String>>>,
) -> Option<Drawn> {
    // A report is finished even if the command was interrupted.
    drawn(context, setup, visited, &files::read)
}
