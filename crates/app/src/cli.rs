//! The command line: one file per command, each with its arguments, its help and the function that does it.

pub(crate) mod adapter;
pub(crate) mod aimed;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod conform;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod import;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod monitor;
pub(crate) mod mutants;
pub(crate) mod new;
pub(crate) mod operations;
pub(crate) mod oracle;
pub(crate) mod outputs;
pub(crate) mod patterns;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod scenario;
pub(crate) mod serve;
pub(crate) mod shared;
pub(crate) mod simulate;
pub(crate) mod skill;
pub(crate) mod suite;
pub(crate) mod systematic;
mod tasks;
pub(crate) mod test;
pub(crate) mod test_case;
pub(crate) mod verify;
pub(crate) mod welcome;

use crate::exit::Exit;
use crate::session;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// Test, explore and prove reactive systems.
#[derive(Parser)]
#[command(name = "interplay", version, max_term_width = 100)]
#[command(
    after_help = "Example:\n  interplay new lock && interplay test lock/lock.play --sut 'python3 lock/adapter/adapter.py'"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print only errors; the exit code is the answer
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Log files, engines, solver and adapter messages
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// What the words of the command line say; with mistakes, or for help, the program ends here.
pub(crate) fn parse(words: Vec<OsString>) -> Cli {
    let matches = tasks::by_task(Cli::command()).get_matches_from(words);
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Explain(explain::Arguments),
    New(new::Arguments),
    Simulate(simulate::Arguments),
    Explore(explore::Arguments),
    Oracle(oracle::Arguments),
    Monitor(monitor::Arguments),
    Patterns(patterns::Arguments),
    Test(test::Arguments),
    Replay(replay::Arguments),
    Verify(verify::Arguments),
    Conform(conform::Arguments),
    TestCase(test_case::Arguments),
    Suspend(operations::Suspend),
    RemoveInternal(operations::RemoveInternal),
    Determinise(operations::Determinise),
    CanonicalTester(operations::CanonicalTester),
    CompleteInputs(operations::CompleteInputs),
    Product(operations::Product),
    Suite(suite::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Run(run::Arguments),
    Scenario(scenario::Arguments),
    Adapter(adapter::Arguments),
    Lsp(lsp::Arguments),
    Serve(serve::Arguments),
    Mcp(mcp::Arguments),
    Skill(skill::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    /// Does what it says.
    pub(crate) fn answer(&self) -> anyhow::Result<Exit> {
        session::answer(match self {
            Command::Check(work) => work,
            Command::Fmt(work) => work,
            Command::Explain(work) => work,
            Command::New(work) => work,
            Command::Simulate(work) => work,
            Command::Explore(work) => work,
            Command::Oracle(work) => work,
            Command::Monitor(work) => work,
            Command::Patterns(work) => work,
            Command::Test(work) => work,
            Command::Replay(work) => work,
            Command::Verify(work) => work,
            Command::Conform(work) => work,
            Command::TestCase(work) => work,
            Command::Suspend(work) => work,
            Command::RemoveInternal(work) => work,
            Command::Determinise(work) => work,
            Command::CanonicalTester(work) => work,
            Command::CompleteInputs(work) => work,
            Command::Product(work) => work,
            Command::Suite(work) => work,
            Command::Export(work) => work,
            Command::Import(work) => work,
            Command::Run(work) => work,
            Command::Scenario(work) => work,
            Command::Adapter(work) => work,
            Command::Lsp(work) => work,
            Command::Serve(work) => work,
            Command::Mcp(work) => work,
            Command::Skill(work) => work,
            Command::Completions(work) => return completions::run(work),
            Command::Man(work) => return man::run(work),
        })
    }
}
