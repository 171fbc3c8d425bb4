//! `interplay replay`: does a kept failure happen again?

use super::outputs::{Outputs, Samples};
use super::simulate::{refuse, wrong};
use super::test::{conduct, exit, tell, write};
use crate::exit::Exit;
use crate::{files, print};
use interplay_workbench::{Refusal, Saved, Testing, open};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Repeat a failure that `test` has found
///
/// A token names the specification and the implementation as they were named then, from the current folder; a file kept in
/// `.interplay` belongs to the specification beside it. What it would run is shown first, and runs only if you agree: somebody else may
/// have written it. Exit code 0: it was not reproduced; 1: it was; 2: the token or the
/// specification is wrong; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay replay ip1.WyJ...\n  \
                        interplay replay .interplay/lock/0123456789abcdef.json --sut ./adapter.py")]
pub(crate) struct Arguments {
    /// A token, or a file that `test` has kept
    #[arg(value_name = "TOKEN_OR_FILE")]
    what: String,
    /// Another implementation than the one that failed
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
    /// Repeat the run in which the failure was found, as it was before it was shrunk; only a file keeps it
    #[arg(long)]
    original: bool,
    /// Run what the token names without being asked
    #[arg(long)]
    yes: bool,
    /// The specification, if it is somewhere else now
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print one JSON document at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(problem) = arguments.outputs.refused() {
        return refuse(&problem);
    }
    let saved = match saved(&arguments.what) {
        Ok(saved) if arguments.original && saved.original.is_null() => {
            return refuse(
                "the original run is not kept here\nhelp: name the file in `.interplay` beside the specification",
            );
        }
        Ok(saved) if arguments.original => Saved { plan: saved.original.clone(), ..saved },
        Ok(saved) => saved,
        Err(problem) => return refuse(&problem),
    };
    if arguments.sut.is_none()
        && !arguments.yes
        && let Some(problem) = unwanted(&saved.sut)
    {
        return refuse(&problem);
    }
    let file = arguments.file.clone().unwrap_or_else(|| specification(&arguments.what, &saved));
    let context = match open(&file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let request = Testing {
        file: file.clone(),
        sut: arguments.sut.clone().unwrap_or_else(|| saved.sut.clone()),
        setup: saved.setup.clone(),
        threads: 1,
        stored: vec![saved],
        replay: true,
        ..Testing::default()
    };
    let samples = Samples::new();
    match conduct(&context, &request, None, &samples, arguments.json)? {
        Ok(answer) => {
            let told = tell(&context, &file, &answer, arguments.json);
            let written = write(&arguments.outputs, &context, &file, &answer, &samples);
            Ok(exit(&answer.tested).after(told).after(written))
        }
        Err(Refusal::Request(problem)) => refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => wrong(&context.sources, &[*diagnostic], arguments.json),
    }
}

/// A token from elsewhere may name any command. Nothing is run that nobody agreed to; a specification that is played runs nothing.
fn unwanted(sut: &str) -> Option<String> {
    if sut.starts_with("model:") {
        return None;
    }
    let shown: String = sut.chars().flat_map(char::escape_debug).collect();
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Some(format!(
            "this would run `{shown}`, and nobody is here to agree\nhelp: --yes runs it; --sut COMMAND runs another one"
        ));
    }
    // Nobody agrees to what could not be shown.
    if print::aside(&format!("this runs `{shown}`; go on? [y/N] ")).is_err() {
        return Some("the question could not be asked".into());
    }
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    let agreed = read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes");
    (!agreed).then(|| "nothing was run\nhelp: --yes runs it without a question; --sut COMMAND runs another one".into())
}

fn saved(what: &str) -> Result<Saved, String> {
    if Saved::is_token(what) {
        return Saved::parse(what);
    }
    let bytes = files::read(Path::new(what)).map_err(|error| format!("{what} cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{what} is no text"))?;
    Saved::parse(&text).map_err(|why| format!("{what}: {why}"))
}

/// A kept file lies in `.interplay/NAME` beside its specification.
fn specification(what: &str, saved: &Saved) -> PathBuf {
    let name = Path::new(&saved.file).file_name().unwrap_or_default();
    let beside = Path::new(what).ancestors().nth(3).map(|folder| folder.join(name));
    match beside {
        Some(beside) if !Saved::is_token(what) && beside.exists() => beside,
        _ => PathBuf::from(&saved.file),
    }
}
