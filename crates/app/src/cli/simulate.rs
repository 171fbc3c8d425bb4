//! `interplay simulate`: step through a specification by hand, let it walk at random, or play scenarios on it.

mod command;
pub(super) mod lines;
pub(super) mod scenarios;
mod stepper;
mod walk;

use crate::exit::Exit;
use crate::{files, print};
use interplay_diagnostics::{Diagnostic, Sources};
use interplay_report::{Findings, escape};
use interplay_workbench::{ChosenSetup, Session, choose_setup, open};
use std::path::PathBuf;

/// Step through a specification: by hand, at random, or by a script of scenarios
///
/// By hand: choose a numbered event or type one, go back, look at the state; `help` lists the commands, which may also be
/// piped in. With --script or --scenario, exit code 0: all scenarios pass; 1: one fails, or the model goes
/// wrong; 2: a mistake in a text.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay simulate chat.play --setup two_clients\n  \
                        interplay simulate chat.play --random --steps 20 --seed 7\n  \
                        interplay simulate chat.play --script regression.play")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The setup to run under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Play all scenarios of this file, which may use everything that the specification declares
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "random"])]
    script: Option<PathBuf>,
    /// Play this scenario of the specification
    #[arg(long, value_name = "NAME", conflicts_with = "random")]
    scenario: Vec<String>,
    /// Take random steps and stop
    #[arg(long)]
    random: bool,
    /// How many random steps
    #[arg(long, value_name = "N", default_value_t = 20, requires = "random")]
    steps: usize,
    /// The seed of random choices; without it a new one, which is printed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print one JSON document at the end, and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let mut context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let setup = match choose_setup(&context.model, arguments.setup.as_deref()) {
        Ok(setup) => setup,
        Err(problem) => return refuse(&problem),
    };
    if arguments.script.is_some() || !arguments.scenario.is_empty() {
        return scenarios::run(&arguments, &mut context, &setup);
    }
    let session = match Session::start(&context.model, setup.name.as_deref()) {
        Ok(session) => session,
        Err(diagnostic) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    let seed = arguments.seed.or(session.seed()).unwrap_or_else(fresh_seed);
    if !arguments.json {
        print::answer(&headline(&arguments, &session, &setup))?;
    }
    match arguments.random {
        true => walk::run(&arguments, &context, session, &setup, seed),
        false => stepper::run(&arguments, context, session, &setup, seed),
    }
}

fn headline(arguments: &Arguments, session: &Session, setup: &ChosenSetup) -> String {
    let remark = match (&setup.remark, &setup.name) {
        (Some(remark), _) => format!(", {}", escape(remark)),
        (None, Some(name)) => format!(", using setup `{}`", escape(name)),
        (None, None) => String::new(),
    };
    print::headline(&arguments.file.display().to_string(), session.system(), &remark)
}

/// Something is wrong with the specification or its runs: in JSON as `check` tells it.
pub(super) fn wrong(sources: &Sources, diagnostics: &[Diagnostic], json: bool) -> anyhow::Result<Exit> {
    let findings = Findings::new(sources, diagnostics);
    match json {
        true => print::json(&interplay_report::json(&findings))?,
        false => print::problems(&findings)?,
    }
    Ok(Exit::of_all(diagnostics))
}

pub(super) fn refuse(problem: &str) -> anyhow::Result<Exit> {
    print::aside(&format!("{}: {}\n", print::error_word(), escape(problem)))?;
    Ok(Exit::Wrong)
}

/// Not a secret, only different each time; the clock may stand still or go back.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(()) % 1_000_000_000
}
