//! `interplay adapter`: everything about adapters.

use super::explore::amount;
use super::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use clap::Subcommand;
use interplay_report::escape;
use interplay_workbench::{AdapterCheck, AdapterChecked, AdapterOutcome, Refusal, check_adapter, open};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Check the adapter of an implementation
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Check),
}

/// Exercise an adapter and say what is wrong with it
///
/// Starts the adapter a few times and talks to it as Interplay does when it tests, and a little worse: the usual messages,
/// unknown ones, garbage, the end of its input. Exit code 0: it keeps to the protocol; 2: a mistake in the specification or the
/// command; 4: it does not.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay adapter check ./run --spec lock.play\n  \
                        interplay adapter check 'python3 adapter/adapter.py'\n  \
                        interplay adapter check tcp://localhost:7000 --json")]
struct Check {
    /// The command that starts the adapter, with its arguments, or its address: tcp://HOST:PORT, http://...
    #[arg(required = true, value_name = "CMD")]
    command: Vec<String>,
    /// Compare its actions with those of this specification, and walk through it
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The setup to walk under; without it the only one, or none if there are several; `none` declines it
    #[arg(long, requires = "spec")]
    setup: Option<String>,
    /// Wait so long for each answer: `500ms`, `5s`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = amount::time)]
    timeout: Duration,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let Command::Check(arguments) = arguments.command;
    let context = match arguments.spec.as_deref().map(|path| open(path, &files::read)).transpose() {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let setup = arguments.setup.as_deref();
    let checked = match (check_adapter(&arguments.command, context.as_ref(), setup, arguments.timeout), &context) {
        (Ok((checked, _)), _) => checked,
        (Err(Refusal::Request(problem)), _) => return refuse(&problem),
        (Err(Refusal::Specification(problem)), Some(context)) => {
            return wrong(&context.sources, &[*problem], arguments.json);
        }
        (Err(Refusal::Specification(problem)), None) => return refuse(&problem.message),
    };
    match arguments.json {
        true => print::json(&as_json(&arguments.command, &checked))?,
        false => print::answer(&as_text(&checked))?,
    }
    Ok(if checked.is_good() { Exit::Met } else { Exit::NoPartner })
}

fn as_text(checked: &AdapterChecked) -> String {
    let mut text: String = checked.checks.iter().map(line).collect();
    let wrong = checked.checks.iter().filter(|check| matches!(check.outcome, AdapterOutcome::Wrong { .. })).count();
    if wrong == 0 {
        return text + "the adapter keeps to the protocol\n";
    }
    if !checked.exchange.is_empty() {
        text += "\nthe last lines before the first problem:\n";
        checked.exchange.iter().for_each(|line| text += &format!("  {}\n", escape(line)));
    }
    text + &format!("\n{wrong} {} with the adapter\n", if wrong == 1 { "problem" } else { "problems" })
}

fn line(check: &AdapterCheck) -> String {
    match &check.outcome {
        AdapterOutcome::Good(seen) => format!("ok     {:<16} {}\n", check.name, escape(seen)),
        AdapterOutcome::Wrong { problem, help } => {
            format!("wrong  {:<16} {}; {help}\n", check.name, escape(problem))
        }
    }
}

fn as_json(command: &[String], checked: &AdapterChecked) -> Value {
    let check = |check: &AdapterCheck| match &check.outcome {
        AdapterOutcome::Good(seen) => json!({ "check": check.name, "ok": true, "seen": seen }),
        AdapterOutcome::Wrong { problem, help } => {
            json!({ "check": check.name, "ok": false, "problem": problem, "help": help })
        }
    };
    json!({
        "schema": 1,
        "adapter": command,
        "ok": checked.is_good(),
        "checks": checked.checks.iter().map(check).collect::<Vec<Value>>(),
        "exchange": checked.exchange,
    })
}
