//! `interplay scenario add`: a failing test or a counterexample becomes a scenario of the library.

use crate::cli::simulate::{refuse, wrong};
use crate::exit::Exit;
use crate::{files, print};
use interplay_report::escape;
use interplay_workbench::{Filed, Filing, Refusal, Saved, file, open};
use serde_json::json;
use std::path::{Path, PathBuf};

/// File a failing test, a counterexample or a scenario that was found in the library
///
/// A kept failure says what was done; the scenario says how the specification answers, so that it fails on the implementation for as long as that
/// is wrong. Of a JSON answer (of `explore`, `verify`, `test` or `scenario find`) the trace is taken. The scenario is played first: what the specification
/// cannot do is refused. It is added at the end of the file in which the last scenario stands. Exit code 0: it was added; 2: it was not.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay scenario add lock.play ip1.WyJ... --name third_try\n  \
                        interplay scenario add lock.play .interplay/lock/0123456789abcdef.json --name third_try\n  \
                        interplay verify lock.play --json | interplay scenario add lock.play - --name opens_too_early")]
pub(super) struct Add {
    /// A specification
    file: PathBuf,
    /// A replay token, or a file (`-` is standard input): a kept failure, a JSON answer, or the text of a scenario
    #[arg(value_name = "TOKEN_OR_FILE")]
    what: String,
    /// The name of the new scenario
    #[arg(long)]
    name: String,
    /// Which trace of an answer that holds several
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// The file of the specification to add it to
    #[arg(long, value_name = "FILE")]
    to: Option<String>,
    /// The setup to play it under; without it the only one, or none if there are several; `none` declines it
    #[arg(long)]
    setup: Option<String>,
    /// Only show the scenario
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Add) -> anyhow::Result<Exit> {
    let mut context = match open(&arguments.file, &files::read) {
        Ok(context) => context,
        Err((sources, diagnostics)) => return wrong(&sources, &diagnostics, arguments.json),
    };
    let what = match said(&arguments.what) {
        Ok(what) => what,
        Err(problem) => return refuse(&problem),
    };
    let request = Filing {
        what,
        name: arguments.name.clone(),
        number: arguments.number,
        to: arguments.to.clone(),
        setup: arguments.setup.clone(),
    };
    let filed = match file(&mut context, &request) {
        Ok(filed) => filed,
        Err(Refusal::Request(problem)) => return refuse(&problem),
        Err(Refusal::Specification(diagnostic)) => return wrong(&context.sources, &[*diagnostic], arguments.json),
    };
    if !arguments.dry_run
        && let Err(error) = files::replace(Path::new(&filed.file), &filed.text)
    {
        return refuse(&format!("{} cannot be written: {error}", filed.file));
    }
    tell(arguments, &filed)?;
    Ok(Exit::Met)
}

fn tell(arguments: &Add, filed: &Filed) -> anyhow::Result<()> {
    if arguments.json {
        let added = !arguments.dry_run;
        let told = json!({ "schema": 1, "name": arguments.name, "file": filed.file, "added": added, "scenario": filed.scenario });
        return Ok(print::json(&told)?);
    }
    let verb = if arguments.dry_run { "would be added to" } else { "added to" };
    Ok(print::answer(&format!("{verb} {}\n\n{}", escape(&filed.file), escape(&filed.scenario)))?)
}

fn said(what: &str) -> Result<String, String> {
    if Saved::is_token(what) {
        return Ok(what.into());
    }
    let bytes = if what == "-" { files::read_stdin() } else { files::read(Path::new(what)) };
    let bytes = bytes.map_err(|error| format!("{what} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{what} is no text"))
}
