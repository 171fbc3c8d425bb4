//! `interplay check`: is the text right?

use super::outputs;
use super::simulate::refuse;
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{Colour, Findings};
use std::path::PathBuf;

/// Find the mistakes in specifications, all of them at once
///
/// Each FILE is checked as a specification of its own, with everything it imports; of a file without `system` only
/// the syntax. Exit code 0: no errors; 2: errors.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  interplay check examples/*/*.play")]
pub(crate) struct Arguments {
    /// Specifications
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the diagnostics as one JSON document
    #[arg(long)]
    json: bool,
    /// Write what is wrong as SARIF 2.1.0, for code hosts and editors
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Let warnings fail the check too
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.sarif.as_deref().and_then(outputs::refused) {
        return refuse(&problem);
    }
    let checked = interplay_workbench::check(&arguments.files, &files::read);
    let (sources, diagnostics, left_out) = (&checked.sources, &checked.diagnostics, checked.left_out);
    let findings = Findings { sources, diagnostics, left_out };
    outputs::put(arguments.sarif.as_deref(), || format!("{:#}\n", interplay_report::sarif(&findings)))?;
    if arguments.json {
        print::json(&interplay_report::json(&findings))?;
    } else {
        print::answer(&interplay_report::text(&findings, Colour::Always))?;
        for library in &checked.libraries {
            let name = library.display().to_string();
            let remark = "has no `system`: only its syntax was checked; name a file that imports it, too";
            print::answer(&format!("{} {remark}\n", interplay_report::escape(&name)))?;
        }
    }
    let fails = checked.has_errors() || (arguments.strict && !checked.diagnostics.is_empty());
    Ok(if fails { Exit::Wrong } else { Exit::Met })
}
