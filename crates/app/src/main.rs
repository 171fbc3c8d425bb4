//! The program `interplay`: read the command line, do what it says, answer with an exit code.

mod bug;
mod cli;
mod exit;
mod files;
mod interrupt;
mod print;

use clap::Parser;
use cli::{Cli, Command};
use exit::Exit;
use std::process::ExitCode;

/// Expressions may be deep, and every phase walks them; a thread's usual stack is too small for the deepest that are allowed.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    bug::install_hook();
    let cli = Cli::parse();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || answer(cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_panic)) => Exit::Bug.into(),
        Err(error) => {
            print::error(&anyhow::anyhow!("no thread can be started: {error}"));
            Exit::Wrong.into()
        }
    }
}

fn answer(cli: Cli) -> ExitCode {
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            print::error(&error);
            Exit::Wrong.into()
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    if cli.quiet {
        print::be_quiet();
    }
    if cli.verbose {
        print::be_verbose();
    }
    match cli.command {
        None => cli::welcome::run(),
        Some(Command::Check(arguments)) => cli::check::run(arguments),
        Some(Command::Fmt(arguments)) => cli::fmt::run(arguments),
        Some(Command::Explain(arguments)) => cli::explain::run(arguments),
        Some(Command::New(arguments)) => cli::new::run(arguments),
        Some(Command::Simulate(arguments)) => cli::simulate::run(arguments),
        Some(Command::Explore(arguments)) => cli::explore::run(arguments),
        Some(Command::Oracle(arguments)) => cli::oracle::run(arguments),
        Some(Command::Monitor(arguments)) => cli::monitor::run(arguments),
        Some(Command::Test(arguments)) => cli::test::run(arguments),
        Some(Command::Replay(arguments)) => cli::replay::run(arguments),
        Some(Command::Verify(arguments)) => cli::verify::run(arguments),
        Some(Command::Derive(arguments)) => cli::derive::run(arguments),
        Some(Command::Suspend(arguments)) => cli::operations::suspend(arguments),
        Some(Command::Hide(arguments)) => cli::operations::hide(arguments),
        Some(Command::Determinise(arguments)) => cli::operations::determinise(arguments),
        Some(Command::Complete(arguments)) => cli::operations::complete(arguments),
        Some(Command::Product(arguments)) => cli::operations::product(arguments),
        Some(Command::Suite(arguments)) => cli::suite::run(arguments),
        Some(Command::Export(arguments)) => cli::export::run(arguments),
        Some(Command::Import(arguments)) => cli::import::run(arguments),
        Some(Command::Run(arguments)) => cli::run::run(arguments),
        Some(Command::Scenario(arguments)) => cli::scenario::run(arguments),
        Some(Command::Adapter(arguments)) => cli::adapter::run(arguments),
        Some(Command::Completions(arguments)) => cli::completions::run(arguments),
        Some(Command::Man(arguments)) => cli::man::run(arguments),
    }
}
