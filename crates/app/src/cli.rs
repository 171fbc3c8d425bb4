//! The command line: one file per command, each with its arguments, its help and the function that does it.

pub(crate) mod adapter;
pub(crate) mod aimed;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod derive;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod import;
pub(crate) mod man;
pub(crate) mod monitor;
pub(crate) mod mutants;
pub(crate) mod new;
pub(crate) mod operations;
pub(crate) mod oracle;
pub(crate) mod outputs;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod scenario;
pub(crate) mod simulate;
pub(crate) mod suite;
pub(crate) mod systematic;
pub(crate) mod test;
pub(crate) mod verify;
pub(crate) mod welcome;

use clap::{Parser, Subcommand};

/// Specify, explore, prove and test reactive systems.
#[derive(Parser)]
#[command(name = "interplay", version, max_term_width = 100)]
#[command(after_help = "Example:\n  interplay new lock && interplay check lock/lock.play")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print errors only; the exit code is the answer
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Tell beside the answer what happens: files, engines, the solver, every message of an adapter
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
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
    Test(test::Arguments),
    Replay(replay::Arguments),
    Verify(verify::Arguments),
    Derive(derive::Arguments),
    Suspend(operations::Suspend),
    Hide(operations::Hide),
    Determinise(operations::Determinise),
    Complete(operations::Complete),
    Product(operations::Product),
    Suite(suite::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Run(run::Arguments),
    Scenario(scenario::Arguments),
    Adapter(adapter::Arguments),
    #[command(hide = true)]
    Completions(completions::Arguments),
    #[command(hide = true)]
    Man(man::Arguments),
}
