//! `interplay suite`: few and short tests that cover a specification.

use super::explore::{amount, machine::Machine};
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use anyhow::Context as _;
use interplay_report::{Findings, SuiteLanguage, escape, suite_file, suite_json, suite_text};
use interplay_workbench::{Refusal, SuiteRequest, open, test_suite};
use std::path::PathBuf;
use std::time::Duration;

/// Write few and short tests that cover a specification
///
/// The tests take every rule, visit every location and reach everything that is `possible`. All states are visited as far as they are few;
/// what was not met is asked of the solver, which finds a way or proves that there is none: then it does not count. Test files drive an
/// adapter by themselves, without Interplay. Exit code 0: everything is covered; 1: the model goes wrong; 2: a mistake in the text or the
/// command; 3: something was neither found nor excluded.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay suite sender.play\n  \
                        interplay suite chat.play --cover rules --language python --sut \"python3 adapter.py\" --out test_chat.py")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// Inputs and constants as this setup says; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Cover only this (repeatable); without it rules, locations and verdicts
    #[arg(long, value_enum, value_name = "WHAT")]
    cover: Vec<Cover>,
    /// Visit at most so many states
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000)]
    states: usize,
    /// Time for the solver, for everything that was not met: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = amount::time)]
    timeout: Duration,
    /// The language of --out
    #[arg(long, value_enum, default_value_t = Language::Play)]
    language: Language,
    /// The command that starts the adapter, for test files
    #[arg(long, value_name = "COMMAND", default_value = "./run")]
    sut: String,
    /// Write the tests to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Cover {
    Rules,
    Locations,
    Verdicts,
    /// Branches of `if`, cases of `match`, loops, outcomes of guards
    Branches,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Language {
    /// Scenarios
    Play,
    /// For pytest
    Python,
    /// For node --test
    Javascript,
    /// For cargo test
    Rust,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let machine = match Machine::start(Ok(Default::default())) {
        Ok(machine) => machine,
        Err(problem) => return refuse(&problem),
    };
    // Branches make many more tests, so they are asked for.
    let covers = |what: Cover| arguments.cover.contains(&what) || arguments.cover.is_empty() && what != Cover::Branches;
    let request = SuiteRequest {
        setup: arguments.setup.clone(),
        rules: covers(Cover::Rules),
        locations: covers(Cover::Locations),
        verdicts: covers(Cover::Verdicts),
        branches: covers(Cover::Branches),
        states: arguments.states,
        budget: arguments.timeout,
    };
    let suited = match machine.with_host(|host| test_suite(&context, &request, host)) {
        Ok(suited) => suited,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if let Some(path) = &arguments.out {
        let language = match arguments.language {
            Language::Play => SuiteLanguage::Scenarios,
            Language::Python => SuiteLanguage::Python,
            Language::Javascript => SuiteLanguage::JavaScript,
            Language::Rust => SuiteLanguage::Rust,
        };
        let text = suite_file(&suited, language, &arguments.sut);
        files::keep(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if arguments.json {
        print::json(&suite_json(&suited))?;
    } else {
        let setup = print::using(&context.model, arguments.setup.as_deref());
        let file = arguments.file.display().to_string();
        let headline = print::headline(&file, &suited.system, &setup);
        print::answer(&(headline + &escape_lines(&suite_text(&suited))))?;
    }
    if let (Some(error), false) = (&suited.wrong, arguments.json) {
        print::problems(&Findings::new(&context.sources, std::slice::from_ref(error)))?;
    }
    Ok(match &suited.wrong {
        Some(error) => Exit::of(error.code),
        None if suited.open.is_empty() => Exit::Met,
        None => Exit::Unknown,
    })
}

fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape(line).to_string() + "\n").collect()
}
