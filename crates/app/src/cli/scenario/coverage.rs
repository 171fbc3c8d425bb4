//! `interplay scenario coverage`: what the library leaves untested, and the scenario to add.

use crate::cli::explore::{amount, machine::Machine};
use crate::cli::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{library_json, library_text};
use interplay_workbench::{Covering, Refusal, cover, open};
use std::path::PathBuf;
use std::time::Duration;

/// Say what the scenarios leave untested, and which scenario to add
///
/// Rules that never fire, branches never taken, parts of guards that never come out true or false, locations never reached and values
/// never taken. For each of them a conversation is looked for, as by `scenario find`. Scenarios that fail are told and left out. Exit
/// code 0: the library leaves nothing out that can be reached; 1: something is missing; 2: a mistake in the text or the command; 3: what is missing
/// was not found, and not proved to be out of reach.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario coverage telephone.play --setup all_3\n  \
                        interplay scenario coverage lock.play --no-find --json")]
pub(super) struct Coverage {
    /// A specification
    file: PathBuf,
    /// The setup to play and to look under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Do not look for scenarios to add
    #[arg(long)]
    no_find: bool,
    /// Look for each of them for this time: `500ms`, `30s`
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = amount::time)]
    each: Duration,
    /// Stop looking after this time: `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = amount::time)]
    timeout: Duration,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Coverage) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    let request = Covering {
        setup: arguments.setup.clone(),
        propose: !arguments.no_find,
        each: arguments.each,
        timeout: arguments.timeout,
        memory: machine.memory_to_use().unwrap_or(2 << 30),
    };
    let told = match machine.with_host(|host| cover(&context, &request, host)) {
        Ok(told) => told,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    match arguments.json {
        true => print::json(&library_json(&context.sources, &told))?,
        false => {
            let file = arguments.file.display().to_string();
            let headline =
                print::headline(&file, &told.system, &print::using(&context.model, arguments.setup.as_deref()));
            print::answer(&(headline + &library_text(&context.sources, &told)))?;
        }
    }
    Ok(
        match (
            told.is_missing() || told.goes_wrong(),
            told.is_open() || !told.failed.is_empty() || !told.unplayed.is_empty(),
        ) {
            (true, _) => Exit::Violated,
            (_, true) => Exit::Unknown,
            _ => Exit::Met,
        },
    )
}
