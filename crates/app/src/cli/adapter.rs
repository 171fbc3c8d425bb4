//! `interplay adapter`: everything about adapters.

use super::explore::amount;
use crate::exit::Exit;
use crate::session::{Session, Work};
use clap::Subcommand;
use interplay_answers::{AdapterCheckDocument, AdapterDocument, Version};
use interplay_diagnostics::amount;
use interplay_report::escape;
use interplay_workbench::{AdapterCheck, AdapterChecked, AdapterOutcome, adapter};
use std::path::PathBuf;
use std::time::Duration;

/// Check an adapter
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Check),
}

/// Check that an adapter follows the protocol
///
/// Starts the adapter several times and sends normal messages, unknown ones, garbage, and the end of input. Exit code
/// 0: it follows the protocol; 2: a mistake in the specification or the command; 4: it does not.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay adapter check ./run --spec lock.play\n  \
                        interplay adapter check 'python3 adapter/adapter.py'\n  \
                        interplay adapter check tcp://localhost:7000 --json")]
struct Check {
    /// The command that starts the adapter, with its arguments, or its address: tcp://HOST:PORT, http://...
    #[arg(required = true, value_name = "CMD")]
    command: Vec<String>,
    /// Compare its actions with this specification, and take some random steps
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The setup for these steps; by default the only one of the specification, or none if there are several; `none`
    /// uses none
    #[arg(long, requires = "spec")]
    setup: Option<String>,
    /// Time limit for each answer: `500ms`, `5s`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = amount::time)]
    timeout: Duration,
    /// Print only one JSON document
    #[arg(long)]
    json: bool,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        let Command::Check(check) = &self.command;
        check.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        let Command::Check(check) = &self.command;
        let context = check.spec.as_deref().map(|path| session.open(path)).transpose()?;
        let (checked, _) = {
            let (command, setup, limit) = (check.command.clone(), check.setup.clone(), check.timeout);
            adapter::run(context.as_ref(), &adapter::Request { command, setup, limit }, session)?
        };
        session.say(|| document(&check.command, &checked), || as_text(&checked))?;
        Ok(if checked.is_good() { Exit::Met } else { Exit::NoPartner })
    }
}

fn as_text(checked: &AdapterChecked) -> String {
    let mut text: String = checked.checks.iter().map(line).collect();
    let wrong = checked.checks.iter().filter(|check| matches!(check.outcome, AdapterOutcome::Wrong { .. })).count();
    if wrong == 0 {
        return text + "the adapter follows the protocol\n";
    }
    if !checked.exchange.is_empty() {
        text += "\nthe last lines before the first problem:\n";
        checked.exchange.iter().for_each(|line| text += &format!("  {}\n", escape(line)));
    }
    text + &format!("\n{}\n", amount(wrong, "problem of the adapter"))
}

fn line(check: &AdapterCheck) -> String {
    match &check.outcome {
        AdapterOutcome::Good(seen) => format!("ok     {:<16} {}\n", check.name, escape(seen)),
        AdapterOutcome::Wrong { problem, help } => {
            format!("wrong  {:<16} {}; {help}\n", check.name, escape(problem))
        }
    }
}

fn document<'a>(command: &'a [String], checked: &'a AdapterChecked) -> AdapterDocument<'a> {
    let check = |check: &'a AdapterCheck| match &check.outcome {
        AdapterOutcome::Good(seen) => AdapterCheckDocument::good(check.name, seen),
        AdapterOutcome::Wrong { problem, help } => AdapterCheckDocument::wrong(check.name, problem, help),
    };
    AdapterDocument {
        schema: Version,
        adapter: command,
        ok: checked.is_good(),
        checks: checked.checks.iter().map(check).collect(),
        exchange: &checked.exchange,
    }
}
