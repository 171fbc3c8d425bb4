//! `interplay scenario add`: a failing test or a counterexample becomes a scenario of the library.

use crate::cli::shared::Shared;
use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work, refuse};
use interplay_answers::{AddDocument, Version};
use interplay_report::escape;
use interplay_workbench::{Saved, library};
use std::path::{Path, PathBuf};

/// Add a failure, a counterexample or a found scenario to the library
///
/// The scenario contains the answers of the specification, so it fails on the implementation until that is repaired.
/// From a JSON answer (of `explore`, `verify`, `test` or `scenario find`) the trace is taken. The scenario is run
/// first, and refused if the specification cannot do it. It is appended to the file with the last scenario. Exit code
/// 0: added; 2: not added.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario add lock.play ip1.WyJ... --name third_try\n  \
                        interplay scenario add lock.play .interplay/lock/0123456789abcdef.json --name third_try\n  \
                        interplay verify lock.play --json | interplay scenario add lock.play - --name opens_too_early")]
pub(super) struct Add {
    /// A specification
    file: PathBuf,
    /// A replay token, or a file (`-` is standard input): a stored failure, a JSON answer, or a scenario
    #[arg(value_name = "TOKEN_OR_FILE")]
    what: String,
    /// The name of the new scenario
    #[arg(long)]
    name: String,
    /// Which trace, if the answer has several
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// The file to add it to
    #[arg(long, value_name = "FILE")]
    to: Option<String>,
    #[command(flatten)]
    shared: Shared,
    /// Print the scenario without adding it
    #[arg(long)]
    dry_run: bool,
}

impl Work for Add {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let mut context = session.open(&self.file)?;
        let request = library::add::Request {
            what: said(&self.what).map_err(refuse)?,
            name: self.name.clone(),
            number: self.number,
            to: self.to.clone(),
            setup: self.shared.setup.clone(),
        };
        let filed = library::add::run(&mut context, &request, session)?;
        if !self.dry_run {
            files::replace(Path::new(&filed.file), &filed.text)
                .map_err(|error| refuse(format!("{} cannot be written: {error}", filed.file)))?;
        }
        let (file, scenario, added) = (&filed.file, &filed.scenario, !self.dry_run);
        let verb = if added { "added to" } else { "would be added to" };
        session.say(
            || AddDocument { schema: Version, name: &self.name, file, added, scenario },
            || format!("{verb} {}\n\n{}", escape(file), escape(scenario)),
        )?;
        Ok(Exit::Met)
    }
}

fn said(what: &str) -> Result<String, String> {
    if Saved::is_token(what) {
        return Ok(what.into());
    }
    let bytes = if what == "-" { files::read_stdin() } else { files::read(Path::new(what)) };
    let bytes = bytes.map_err(|error| format!("{what} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8 text"))
}
