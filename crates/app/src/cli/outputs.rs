//! Files that an answer is written to, beside what is printed: a report for people, JUnit and SARIF for build servers.

use anyhow::Context;
use interplay_diagnostics::Sources;
use interplay_report::{Cases, Drawn, Plot, Series, cases_sarif, junit};
use interplay_workbench::{Host, drawn};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(Clone, Default, clap::Args)]
#[command(next_help_heading = "Files to write")]
pub(crate) struct Outputs {
    /// Write a report to look at in a browser: one file that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write what is wrong as SARIF 2.1.0, for code hosts and editors
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
}

impl Outputs {
    /// What would go wrong at the end is said at the beginning.
    pub(crate) fn refused(&self) -> Option<String> {
        let paths = [&self.html, &self.junit, &self.sarif];
        paths.into_iter().flatten().find_map(|path| refused(path))
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

/// Why nothing can be written there.
pub(crate) fn refused(path: &Path) -> Option<String> {
    let name = path.display();
    if path.is_dir() {
        return Some(format!("{name} is a folder\nhelp: name a file in it"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let made = folder.display().to_string();
    let help = format!("make it first: mkdir -p {}", shlex::try_quote(&made).unwrap_or_default());
    (!folder.is_dir())
        .then(|| format!("{name} cannot be written: there is no folder {}\nhelp: {help}", folder.display()))
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
    let (started, never) = (Instant::now(), AtomicBool::new(false));
    let host = Host {
        now: &|| started.elapsed(),
        resident: &|| None,
        interrupted: &never,
        progress: &|_| {},
        disk: None,
        keep: None,
    };
    drawn(context, setup, visited, &host)
}

/// What a run told on its way, to be drawn over time.
pub(crate) struct Samples {
    started: Instant,
    points: Mutex<Vec<[f64; 3]>>,
}

/// When there are so many, every other one goes.
const MOST: usize = 2_000;

impl Samples {
    pub(crate) fn new() -> Samples {
        Samples { started: Instant::now(), points: Mutex::new(Vec::new()) }
    }

    /// Two numbers at this moment.
    pub(crate) fn note(&self, one: f64, other: f64) {
        let Ok(mut points) = self.points.lock() else { return };
        if points.len() >= MOST {
            let mut index = 0;
            points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        points.push([self.started.elapsed().as_secs_f64(), one, other]);
    }

    /// The two numbers over the seconds, as far as there is something to see.
    pub(crate) fn over_time(&self, title: &str, names: [&str; 2]) -> Option<Plot> {
        let points = self.points.lock().ok()?;
        let series = [(names[0], 1), (names[1], 2)].map(|(name, column)| Series {
            name: name.into(),
            points: points.iter().map(|point| (point[0], point[column])).collect(),
        });
        let up = names.join(", ");
        (points.len() > 2).then(|| plot(title, "seconds", &up, series.into()))
    }

    /// The second number over the first.
    pub(crate) fn second_over_first(&self, title: &str, names: [&str; 2]) -> Option<Plot> {
        let points = self.points.lock().ok()?;
        let line = points.iter().map(|point| (point[1], point[2])).collect();
        let series = vec![Series { name: names[1].into(), points: line }];
        (points.len() > 2).then(|| plot(title, names[0], names[1], series))
    }
}

fn plot(title: &str, across: &str, up: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), across: across.into(), up: up.into(), series, logarithmic: false }
}
