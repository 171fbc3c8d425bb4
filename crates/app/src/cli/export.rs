//! `interplay export`: the transition system for other tools.

use super::shared::Shared;
use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work};
use anyhow::Context as _;
use interplay_answers::{ExportDocument, Version};
use interplay_workbench::{Exported, choose_setup, export};
use std::path::PathBuf;

/// Export the transition system with one property for other tools
///
/// Horn clauses (SMT-LIB) are satisfiable if the property holds. VMT (SMT-LIB with annotations) is for model checkers.
/// Without a setup, inputs have all values of their types and constants without a value stay symbolic. Exit code 0:
/// written; 2: a mistake, or a construct that the format does not support, with its place.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay export sender.play --format horn --property never_sent_too_often\n  \
                        interplay export lock.play --format vmt --out lock.vmt")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The format
    #[arg(long, value_enum)]
    format: Format,
    /// The property or observer; by default the absence of model errors
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    #[command(flatten)]
    shared: Shared,
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

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let (language, format) = match self.format {
            Format::Horn => (Exported::Horn, "horn"),
            Format::Vmt => (Exported::Vmt, "vmt"),
        };
        let request = export::Request { setup: self.shared.setup.clone(), property: self.property.clone(), language };
        let text = export::run(&context, &request, session)?;
        if let Some(path) = &self.out {
            files::keep(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        let chosen = choose_setup(&context.model, self.shared.setup.as_deref()).unwrap_or_default();
        let document = || ExportDocument {
            schema: Version,
            system: &context.model.name,
            setup: chosen.name.as_deref(),
            property: self.property.as_deref(),
            format,
            text: &text,
        };
        session.say(document, || if self.out.is_none() { text.clone() } else { String::new() })?;
        Ok(Exit::Met)
    }
}
