//! `interplay patterns`: how ordinary logs are read.

use crate::exit::Exit;
use crate::files;
use crate::session::{Session, Work, refuse};
use interplay_report::patterned_text;
use interplay_workbench::check_patterns;
use std::path::PathBuf;

/// Patterns that read ordinary logs: which line tells which event
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(Check),
}

/// Try patterns on a log: which lines match, which do not, and patterns to start from for the rest
///
/// Without --patterns, no line matches, and a first pattern file is proposed. Exit code 0: every line and every pattern matches; 2: the pattern
/// file has mistakes, or the log cannot be read; 3: lines match no pattern (they are listed), or a pattern never matched.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  interplay patterns check server.log\n  interplay patterns check server.log --patterns server.toml"
)]
struct Check {
    /// The log
    log: PathBuf,
    /// The pattern file
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
    /// Print one JSON document
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
        let patterns = check.patterns.as_deref().map(files::read_text).transpose().map_err(refuse)?;
        let unreadable = |error| refuse(format!("{} cannot be read: {error}", check.log.display()));
        let lines = files::lines(&check.log).map_err(unreadable)?;
        let checked = check_patterns(patterns.as_deref(), lines).map_err(|problems| {
            let name = check.patterns.as_ref().map_or(String::new(), |path| path.display().to_string());
            refuse(format!("{name} cannot be used\n{}", problems.join("\n")))
        })?;
        session.say(|| checked.document(), || patterned_text(&checked))?;
        Ok(if checked.is_complete() { Exit::Met } else { Exit::Unknown })
    }
}
