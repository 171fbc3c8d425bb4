//! `interplay export`: the transition system for other tools.

use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use anyhow::Context as _;
use interplay_workbench::{Exported, Exporting, Refusal, export_system, open};
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
    /// Restrict inputs and fix constants as this setup says
    #[arg(long)]
    setup: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, false),
    };
    let language = match arguments.format {
        Format::Horn => Exported::Horn,
        Format::Vmt => Exported::Vmt,
    };
    let request = Exporting { setup: arguments.setup, property: arguments.property, language };
    let text = match export_system(&context, &request) {
        Ok(text) => text,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], false),
    };
    match &arguments.out {
        Some(path) => files::keep(path, &text).with_context(|| format!("cannot write {}", path.display()))?,
        None => print::answer(&text)?,
    }
    Ok(Exit::Met)
}
