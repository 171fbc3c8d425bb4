//! The program `interplay`: read the command line, do what it says, answer with an exit code.

mod bug;
mod cli;
mod exit;
mod files;
mod interrupt;
mod print;
mod renamed;
mod session;
mod watch;

use cli::Cli;
use exit::Exit;
use std::process::ExitCode;

/// Expressions may be deep, and every phase walks them; a thread's usual stack is too small for the deepest that are allowed.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    bug::install_hook();
    let (words, remarks) = renamed::todays(std::env::args_os());
    let cli = cli::parse(words);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || answer(cli, &remarks));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_panic)) => Exit::Bug.into(),
        Err(error) => {
            print::error(&anyhow::anyhow!("no thread can be started: {error}"));
            Exit::Wrong.into()
        }
    }
}

fn answer(cli: Cli, remarks: &[String]) -> ExitCode {
    match run(cli, remarks) {
        Ok(exit) => exit.into(),
        Err(error) => {
            print::error(&error);
            Exit::Wrong.into()
        }
    }
}

fn run(cli: Cli, remarks: &[String]) -> anyhow::Result<Exit> {
    if cli.quiet {
        print::be_quiet();
    }
    if cli.verbose {
        print::be_verbose();
    }
    for remark in remarks {
        print::news(&format!("note: {remark}\n"))?;
    }
    match &cli.command {
        None => cli::welcome::run(),
        Some(command) => command.answer(),
    }
}
