//! `interplay import`: models of other tools as specifications.

use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work};
use anyhow::Context as _;
use interplay_answers::{ImportDocument, Version};
use interplay_workbench::{Imported, Refusal, import};
use std::path::PathBuf;

/// Import a model of another tool as a specification
///
/// Reads automata in Aldebaran format (.aut: `?a` is an input, `!a` an output, `i` an internal action, anything else an
/// input), Mealy machines and graphs of `interplay explore` in DOT, and VMT transition systems over integers and
/// Booleans. Exit code 0: imported; 2: a malformed file, with line and column.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay import coffee.dot --out coffee.play\n  \
                        interplay import counter.vmt | interplay fmt -")]
pub(crate) struct Arguments {
    /// The model
    file: PathBuf,
    /// The format; by default chosen by the file extension
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The name of the system; by default that of the file
    #[arg(long)]
    name: Option<String>,
    /// Write to this file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print only one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Aut,
    Dot,
    Vmt,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let language = match self.format {
            Some(Format::Aut) => Some(Imported::Aut),
            Some(Format::Dot) => Some(Imported::Dot),
            Some(Format::Vmt) => Some(Imported::Vmt),
            None => Imported::of(&self.file),
        };
        let Some(language) = language else {
            let problem = format!("`{}`: unknown format", self.file.display());
            return Err(Refusal::request(problem, "choose one with --format aut, dot or vmt").into());
        };
        let name = self.name.clone().unwrap_or_else(|| import::title(&self.file));
        let specification =
            import::run(&import::Request { path: self.file.clone(), language, system: name.clone() }, session)?;
        if let Some(path) = &self.out {
            files::create(path, &specification).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        let format = match language {
            Imported::Aut => "aut",
            Imported::Dot => "dot",
            Imported::Vmt => "vmt",
        };
        let text = || if self.out.is_none() { specification.clone() } else { String::new() };
        session
            .say(|| ImportDocument { schema: Version, system: &name, format, specification: &specification }, text)?;
        Ok(Exit::Met)
    }
}
