//! `interplay scenario coverage`: what the library leaves untested, and the scenario to add.

use crate::cli::explore::amount;
use crate::cli::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work, memory_to_use};
use interplay_report::library_text;
use interplay_workbench::library;
use std::path::PathBuf;
use std::time::Duration;

/// Measure the coverage of the scenarios, and find scenarios to add
///
/// Lists rules that never fire, branches never taken, missing guard outcomes, locations never reached and values that
/// never occur. For each, it searches for a scenario, as `scenario find` does. Failing scenarios are reported and
/// skipped. Exit code 0: everything reachable is covered; 1: something is not covered; 2: a mistake in the
/// specification or the command; 3: no scenario was found for something, and it was not proved unreachable.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario coverage telephone.play --setup all_3\n  \
                        interplay scenario coverage lock.play --no-find --json")]
pub(super) struct Coverage {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Do not search for scenarios to add
    #[arg(long)]
    no_find: bool,
    /// Time limit for each search: `500ms`, `30s`
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = amount::time)]
    each: Duration,
    /// Time limit for all searches: `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
}

impl Work for Coverage {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let request = library::coverage::Request {
            setup: self.shared.setup.clone(),
            propose: !self.no_find,
            each: self.each,
            timeout: self.timeout,
            memory: memory_to_use().unwrap_or(2 << 30),
        };
        let told = library::coverage::run(&context, &request, session)?;
        session.say(
            || told.document(&context.sources),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                print::headline(&self.file, &told.system, &setup) + &library_text(&context.sources, &told)
            },
        )?;
        let is_unknown = told.is_open() || !told.failed.is_empty() || !told.unplayed.is_empty();
        Ok(match (told.is_missing() || told.goes_wrong(), is_unknown) {
            (true, _) => Exit::Violated,
            (_, true) => Exit::Unknown,
            _ => Exit::Met,
        })
    }
}
