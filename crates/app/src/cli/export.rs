//! `interplay export`: the transition system for other tools.

use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use anyhow::Context as _;
use interplay_report::{ForOthers, exported_json};
use interplay_workbench::{Exported, Exporting, Refusal, choose_setup, export_system, open};
use std::path::PathBuf;

/// Write the transition system with one property for other tools
///
/// Horn clauses are SMT-LIB text for solvers: satisfiable if the property holds. VMT is SMT-LIB text with marks for the first states, the
/// steps and the property, for model checkers. Without --setup inputs have all values of their types, and constants without a value stay
/// symbolic. Exit code 0: written; 2: a mistake in the text or the command, or something that cannot be told, with its place.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay export sender.play --format horn --property never_sent_too_often\n  \
                        interplay export lock.play --format vmt --out lock.vmt")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The language to write
    #[arg(long, value_enum)]
    format: Format,
    /// The property or observer; without it, whether the model can go wrong
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    /// Restrict inputs and fix constants as this setup says; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// SMT-LIB Horn clauses
    Horn,
    /// VMT
    Vmt,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let (language, format) = match arguments.format {
        Format::Horn => (Exported::Horn, "horn"),
        Format::Vmt => (Exported::Vmt, "vmt"),
    };
    let request = Exporting { setup: arguments.setup, property: arguments.property, language };
    let text = match export_system(&context, &request) {
        Ok(text) => text,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if let Some(path) = &arguments.out {
        files::keep(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if arguments.json {
        let chosen = choose_setup(&context.model, request.setup.as_deref()).unwrap_or_default();
        let (setup, property) = (chosen.name.as_deref(), request.property.as_deref());
        let written = ForOthers { system: &context.model.name, setup, property, format, text: &text };
        print::json(&exported_json(&written))?;
    } else if arguments.out.is_none() {
        print::answer(&text)?;
    }
    Ok(Exit::Met)
}
