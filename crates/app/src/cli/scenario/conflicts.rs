//! `interplay scenario conflicts`: the features that get in each other's way.

use crate::cli::explore::{amount, machine::Machine};
use crate::cli::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{ConflictingPair, conflicting_json, conflicting_text};
use interplay_workbench::{Comparing, Refusal, conflicts, open};
use std::path::PathBuf;
use std::time::Duration;

/// Find features that get in each other's way: a matrix of all pairs, and a scenario for each
///
/// Every two components are compared in the states that they reach together with the system: an event that concerns both is played with each of
/// them alone, without both, and with both. Two that want different values at one place, or outputs that exclude each other, contradict
/// each other, even if an order of questions in the model decides between them. Exit code 0: no two components contradict each
/// other; 1: some do; 2: a mistake in the text or the command; 3: none was found, but not all states were looked at.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario conflicts telephone.play --setup all_2\n  \
                        interplay scenario conflicts telephone.play --setup all_3 --between CallWaiting --between ThreeWayCalling --scenarios")]
pub(super) struct Conflicts {
    /// A specification
    file: PathBuf,
    /// The setup to look under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Compare this component with the others that are named; may be repeated
    #[arg(long, value_name = "NAME")]
    between: Vec<String>,
    /// Look at so many states of each pair
    #[arg(long, value_name = "N", default_value_t = 5000)]
    states: u64,
    /// Stop after this time: `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = amount::time)]
    timeout: Duration,
    /// Show the scenario of each pair, too
    #[arg(long)]
    scenarios: bool,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Conflicts) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let request = Comparing {
        setup: arguments.setup.clone(),
        between: arguments.between.clone(),
        states: arguments.states,
        timeout: arguments.timeout,
    };
    let told = match machine.with_host(|host| conflicts(&context, &request, host)) {
        Ok(told) => told,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    match arguments.json {
        true => print::json(&conflicting_json(&told))?,
        false => {
            let file = arguments.file.display().to_string();
            let setup = print::using(&context.model, arguments.setup.as_deref());
            let headline = print::headline(&file, &told.system, &setup);
            let alone = told.pairs.len() == 1;
            print::answer(&(headline + &conflicting_text(&told, arguments.scenarios || alone)))?;
        }
    }
    let contradict = |pair: &ConflictingPair| pair.kind.is_conflict();
    Ok(match (told.pairs.iter().any(contradict), told.is_complete() && !told.interrupted) {
        (true, _) => Exit::Violated,
        (_, true) => Exit::Met,
        _ => Exit::Unknown,
    })
}
