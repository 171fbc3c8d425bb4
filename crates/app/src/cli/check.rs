//! `interplay check`: is the text right?

use super::outputs;
use crate::exit::Exit;
use crate::session::{Session, Work};
use crate::watch::{Watch, Watched};
use interplay_answers::Findings;
use interplay_report::Colour;
use std::path::PathBuf;

/// Report all mistakes in specifications
///
/// Each FILE is checked as a separate specification, with its imports; a file without `system` only for its syntax.
/// Exit code 0: no errors; 2: errors.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay check examples/*/*.play")]
pub(crate) struct Arguments {
    /// Specifications
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the diagnostics as one JSON document
    #[arg(long)]
    json: bool,
    /// Write the findings as SARIF 2.1.0, for code hosts and editors
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    #[command(flatten)]
    watch: Watch,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn watched(&self) -> Option<Watched> {
        self.watch.of(&self.files, None)
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.sarif.as_deref().map_or(Ok(()), outputs::check)?;
        let checked = interplay_workbench::check::run(&self.files, session);
        let (sources, diagnostics, left_out) = (&checked.sources, &checked.diagnostics, checked.left_out);
        let findings = Findings { sources, diagnostics, left_out };
        outputs::put(self.sarif.as_deref(), || format!("{:#}\n", interplay_report::sarif(&findings)))?;
        let libraries = checked.libraries.iter().map(|library| {
            let remark = "has no `system`: only its syntax was checked; also check a file that imports it";
            format!("{} {remark}\n", interplay_report::escape(&library.display().to_string()))
        });
        session.say(
            || findings.document(),
            || interplay_report::text(&findings, Colour::Always) + &libraries.collect::<String>(),
        )?;
        let fails = checked.has_errors() || (self.strict && !checked.diagnostics.is_empty());
        Ok(if fails { Exit::Wrong } else { Exit::Met })
    }
}
