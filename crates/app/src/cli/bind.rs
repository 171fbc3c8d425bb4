//! `interplay bind`: everything about bindings.

use super::explore::amount;
use crate::exit::Exit;
use crate::session::{Session, Work};
use interplay_report::tried_text;
use interplay_workbench::bind;
use std::path::PathBuf;
use std::time::Duration;

/// Bindings: files that say how a system is talked to
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(Check),
}

/// Try a binding: give each input once, and show what went over the wire
///
/// Exit code 0: every input was given, every [[read]] matched something, and nothing matched two; 2: a mistake in the specification or the
/// binding; 3: an input was not given, a [[read]] never matched, or something matched two; 4: the system cannot be talked to, or said something
/// that no [[read]] fits.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay bind check lock.play --sut lock.toml\n  \
                        interplay bind check lock.play --sut 'lock.toml port=7000' --json")]
struct Check {
    /// A specification
    file: PathBuf,
    /// The binding, and values for its variables: `FILE.toml name=value`
    #[arg(long, value_name = "FILE.toml")]
    sut: String,
    /// The setup whose domains give the arguments; by default the only one; `none` uses none
    #[arg(long)]
    setup: Option<String>,
    /// Time limit for each answer: `500ms`, `5s`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = amount::time)]
    timeout: Duration,
    /// Print only one JSON document
    #[arg(long)]
    json: bool,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        let Command::Check(check) = &self.command;
        check.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let Command::Check(check) = &self.command;
        let context = session.open(&check.file)?;
        let request = bind::Request { sut: check.sut.clone(), setup: check.setup.clone(), limit: check.timeout };
        let tried = bind::run(&context, &request, session)?;
        session.say(|| tried.document(), || tried_text(&tried))?;
        Ok(match (&tried.problem, tried.is_complete()) {
            (Some(_), _) => Exit::NoPartner,
            (None, true) => Exit::Met,
            (None, false) => Exit::Unknown,
        })
    }
}
