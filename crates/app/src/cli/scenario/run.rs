//! `interplay scenario run`: the library, played on the specification or on an implementation.

use crate::cli::explore::machine::Machine;
use crate::cli::simulate::scenarios::{document, exit, show_all, unknown_scenario};
use crate::cli::simulate::{fresh_seed, refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::{Enacted, enacted_json, enacted_text, escape};
use interplay_workbench::{ChosenSetup, Context, Enacting, Refusal, TestHost, choose_setup, enact, open, play};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Play the scenarios of a specification, on the model or on an implementation
///
/// On the model a scenario passes if there is a run in which every line holds; a line that fails is shown with what would have been possible.
/// With --sut the inputs are given to an implementation, and what comes is judged by the specification: it fails if
/// it does not keep to it, and stays open if it goes another way that is allowed too. Exit code 0: all pass; 1: one fails; 2: a mistake in the text
/// or the command; 3: one stays open; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario run telephone.play\n  \
                        interplay scenario run telephone.play pots_talks cw_tone\n  \
                        interplay scenario run lock.play --sut ./adapter.py --json")]
pub(super) struct Run {
    /// A specification
    file: PathBuf,
    /// Names of scenarios; without them all
    #[arg(value_name = "NAME")]
    scenarios: Vec<String>,
    /// The implementation: a command, tcp://HOST:PORT, http://..., or model:FILE
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
    /// The setup to play under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// The seed of an implementation that is played (`model:FILE`)
    #[arg(long, value_name = "N", requires = "sut")]
    seed: Option<u64>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Run) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    if let Some(problem) = unknown_scenario(&context, &arguments.scenarios) {
        return refuse(&problem);
    }
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    match &arguments.sut {
        Some(sut) => on_implementation(arguments, &context, sut, &machine),
        None => on_model(arguments, &context, &machine),
    }
}

fn on_model(arguments: &Run, context: &Context, machine: &Machine) -> anyhow::Result<Exit> {
    let setup = match choose_setup(&context.model, arguments.setup.as_deref()) {
        Ok(setup) => ChosenSetup { remark: setup.remark.filter(|_| setup.name.is_some()), name: setup.name },
        Err(problem) => return refuse(&problem),
    };
    let mut played = Vec::new();
    let mut interrupted = false;
    for scenario in &context.model.scenarios {
        interrupted |= machine.with_host(|host| host.interrupted.load(Ordering::Relaxed));
        if interrupted {
            break;
        }
        let named = arguments.scenarios.is_empty() || arguments.scenarios.contains(&scenario.name);
        match play(&context.model, setup.name.as_deref(), |each| named && each.span == scenario.span) {
            Ok(one) => played.extend(one),
            Err(diagnostic) => return wrong(&context.sources, &[*diagnostic], arguments.json),
        }
    }
    if arguments.json {
        let mut told = document(&context.sources, &setup, &played);
        told["interrupted"] = interrupted.into();
        print::json(&told)?;
    } else {
        let headline = headline(arguments, context, None);
        let cut = if interrupted { "interrupted: the scenarios after these were not played\n" } else { "" };
        print::answer(&(headline + &show_all(&context.sources, &setup, &played) + cut))?;
    }
    Ok(match (exit(&played), interrupted) {
        (Exit::Met, true) => Exit::Unknown,
        (exit, _) => exit,
    })
}

fn on_implementation(arguments: &Run, context: &Context, sut: &str, machine: &Machine) -> anyhow::Result<Exit> {
    let request = Enacting {
        file: arguments.file.clone(),
        sut: sut.into(),
        setup: arguments.setup.clone(),
        scenarios: arguments.scenarios.clone(),
        seed: arguments.seed.unwrap_or_else(fresh_seed),
    };
    let enacted = machine.with_host(|host| {
        let host = TestHost {
            now: host.now,
            interrupted: host.interrupted,
            progress: &|_| {},
            found: &|_| {},
            save: &|_| None,
            read: &files::read,
        };
        enact(context, &request, &host)
    });
    let enacted = match enacted {
        Ok(enacted) => enacted,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    match arguments.json {
        true => print::json(&enacted_json(&context.sources, &enacted))?,
        false => {
            let headline = headline(arguments, context, Some(&enacted));
            print::answer(&(headline + &enacted_text(&context.sources, &enacted)))?;
        }
    }
    Ok(verdict(&enacted))
}

fn headline(arguments: &Run, context: &Context, enacted: Option<&Enacted>) -> String {
    let against = enacted.map_or(String::new(), |enacted| format!(" against {}", escape(&enacted.implementation)));
    let file = arguments.file.display().to_string();
    print::headline(&file, &context.model.name, &against)
}

fn verdict(enacted: &Enacted) -> Exit {
    match enacted {
        enacted if enacted.count("fail") > 0 => Exit::Violated,
        Enacted { trouble: Some(_), .. } => Exit::NoPartner,
        Enacted { scenarios, interrupted: false, .. } if scenarios.is_empty() => Exit::Wrong,
        enacted if enacted.count("inconclusive") > 0 || enacted.interrupted => Exit::Unknown,
        _ => Exit::Met,
    }
}
