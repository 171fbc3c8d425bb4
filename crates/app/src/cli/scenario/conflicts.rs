//! `interplay scenario conflicts`: the features that get in each other's way.

use crate::cli::explore::amount;
use crate::cli::shared::Shared;
use crate::exit::Exit;
use crate::print;
use crate::session::{Session, Work};
use interplay_answers::ConflictingPair;
use interplay_report::conflicting_text;
use interplay_workbench::library;
use std::path::PathBuf;
use std::time::Duration;

/// Find feature interactions: a matrix of all pairs, and a scenario for each
///
/// Compares every two components in the states that they reach together: an event that concerns both is run with each
/// alone, with neither, and with both. Two components contradict each other if they write different values to one place
/// or emit exclusive outputs, even if the model decides between them. Exit code 0: no contradiction; 1: some; 2: a
/// mistake in the specification or the command; 3: none found, but not all states were visited.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario conflicts telephone.play --setup all_2\n  \
                        interplay scenario conflicts telephone.play --setup all_3 --between CallWaiting --between ThreeWayCalling --scenarios")]
pub(super) struct Conflicts {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Compare only the named components (repeatable)
    #[arg(long, value_name = "NAME")]
    between: Vec<String>,
    /// Explore at most N states per pair
    #[arg(long, value_name = "N", default_value_t = 5000)]
    states: u64,
    /// Stop after this time: `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = amount::time)]
    timeout: Duration,
    /// Print the scenario of each pair
    #[arg(long)]
    scenarios: bool,
}

impl Work for Conflicts {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        let request = library::conflicts::Request {
            setup: self.shared.setup.clone(),
            between: self.between.clone(),
            states: self.states,
            timeout: self.timeout,
        };
        let told = library::conflicts::run(&context, &request, session)?;
        session.say(
            || told.document(),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                let headline = print::headline(&self.file, &told.system, &setup);
                headline + &conflicting_text(&told, self.scenarios || told.pairs.len() == 1)
            },
        )?;
        let contradict = |pair: &ConflictingPair| pair.kind.is_conflict();
        Ok(match (told.pairs.iter().any(contradict), told.is_complete() && !told.interrupted) {
            (true, _) => Exit::Violated,
            (_, true) => Exit::Met,
            _ => Exit::Unknown,
        })
    }
}
