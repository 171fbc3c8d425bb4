//! `interplay suite`: few and short tests that cover a specification.

use super::explore::amount;
use super::shared::Shared;
use crate::exit::Exit;
use crate::session::{Session, Work};
use crate::{files, print};
use anyhow::Context as _;
use interplay_answers::{Findings, SuiteLanguage};
use interplay_report::{escape, suite_file, suite_text};
use interplay_workbench::suite;
use std::path::PathBuf;
use std::time::Duration;

/// Generate a small test suite that covers a specification
///
/// The tests fire every rule, visit every location and reach every `possible` property. Interplay explores up to
/// --states states, and asks the solver for what is missing; unreachable items do not count. Test files drive an
/// adapter without Interplay. Exit code 0: everything is covered; 1: a model error occurs; 2: a mistake in the
/// specification or the command; 3: some items were neither covered nor proved unreachable.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay suite sender.play\n  \
                        interplay suite chat.play --cover rules --language python --sut \"python3 adapter.py\" --out test_chat.py")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    #[command(flatten)]
    shared: Shared,
    /// Cover only this (repeatable); by default rules, locations and verdicts
    #[arg(long, value_enum, value_name = "WHAT")]
    cover: Vec<Cover>,
    /// Explore at most N states
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000)]
    states: usize,
    /// Time limit for the solver: `500ms`, `30s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = amount::time)]
    timeout: Duration,
    /// The language of --out
    #[arg(long, value_enum, default_value_t = Language::Play)]
    language: Language,
    /// The command that starts the adapter, in test files
    #[arg(long, value_name = "COMMAND", default_value = "./run")]
    sut: String,
    /// Write the tests to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Cover {
    Rules,
    Locations,
    Verdicts,
    /// Branches of `if`, cases of `match`, loops, guard outcomes
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

impl Work for Arguments {
    fn json(&self) -> bool {
        self.shared.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let context = session.open(&self.file)?;
        // Branches make many more tests, so they are asked for.
        let covers = |what: Cover| self.cover.contains(&what) || self.cover.is_empty() && what != Cover::Branches;
        let request = suite::Request {
            setup: self.shared.setup.clone(),
            rules: covers(Cover::Rules),
            locations: covers(Cover::Locations),
            verdicts: covers(Cover::Verdicts),
            branches: covers(Cover::Branches),
            states: self.states,
            budget: self.timeout,
        };
        let suited = suite::run(&context, &request, session)?;
        if let Some(path) = &self.out {
            let text = suite_file(&suited, self.language.of_report(), &self.sut);
            files::keep(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        session.say(
            || suited.document(),
            || {
                let setup = print::using_of(&context, self.shared.setup.as_deref());
                print::headline(&self.file, &suited.system, &setup) + &escape_lines(&suite_text(&suited))
            },
        )?;
        if let (Some(error), false) = (&suited.wrong, self.shared.json) {
            print::problems(&Findings::new(&context.sources, std::slice::from_ref(error)))?;
        }
        Ok(match &suited.wrong {
            Some(error) => Exit::of(error.code),
            None if suited.open.is_empty() => Exit::Met,
            None => Exit::Unknown,
        })
    }
}

impl Language {
    fn of_report(self) -> SuiteLanguage {
        match self {
            Language::Play => SuiteLanguage::Scenarios,
            Language::Python => SuiteLanguage::Python,
            Language::Javascript => SuiteLanguage::JavaScript,
            Language::Rust => SuiteLanguage::Rust,
        }
    }
}

fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape(line).to_string() + "\n").collect()
}
