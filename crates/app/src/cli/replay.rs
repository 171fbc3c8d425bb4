//! `interplay replay`: does a kept failure happen again?

use super::outputs::Outputs;
use super::test::tell;
use crate::exit::Exit;
use crate::session::{Session, Work, refuse};
use crate::{files, print};
use interplay_workbench::{Refusal, Saved, test};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Repeat a failure that `test` found
///
/// A token names the specification and the implementation, relative to the folder of the test; a file in `.interplay`
/// belongs to the specification beside it. The command is printed first, and runs only if you agree, because somebody
/// else may have written the token. Exit code 0: not reproduced; 1: reproduced; 2: the token or the specification is
/// wrong; 4: the implementation or its adapter could not be run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay replay ip1.WyJ...\n  \
                        interplay replay .interplay/lock/0123456789abcdef.json --sut ./adapter.py")]
pub(crate) struct Arguments {
    /// A replay token, or a file that `test` stored
    #[arg(value_name = "TOKEN_OR_FILE")]
    what: String,
    /// Use another implementation
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
    /// Repeat the original run, before shrinking; only for files
    #[arg(long)]
    original: bool,
    /// Do not ask before running the command of the token
    #[arg(long)]
    yes: bool,
    /// The specification, if it has moved
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print only one JSON document, at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

impl Work for Arguments {
    fn json(&self) -> bool {
        self.json
    }

    fn run(&self, session: &mut Session) -> anyhow::Result<Exit> {
        self.outputs.check()?;
        let mut saved = saved(&self.what).map_err(refuse)?;
        if self.original && saved.original.is_null() {
            let help = "name the file in `.interplay` beside the specification";
            return Err(Refusal::request("the original run is not stored here", help).into());
        }
        if self.original {
            saved.plan = saved.original.clone();
        }
        if self.sut.is_none()
            && !self.yes
            && let Some(problem) = unwanted(&saved.sut)
        {
            return Err(refuse(problem));
        }
        let file = self.file.clone().unwrap_or_else(|| specification(&self.what, &saved));
        let context = session.open(&file)?;
        let request = test::Request {
            file: file.clone(),
            sut: self.sut.clone().unwrap_or_else(|| saved.sut.clone()),
            setup: saved.setup.clone(),
            threads: 1,
            stored: vec![saved],
            replay: true,
            ..test::Request::default()
        };
        let answer = test::run(&context, &request, session)?;
        tell(&context, &file, &answer, &self.outputs, session)
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
            "this would run `{shown}`, and there is no terminal to ask\nhelp: --yes runs it; --sut COMMAND runs another one"
        ));
    }
    // Nobody agrees to what could not be shown.
    if print::aside(&format!("this runs `{shown}`; continue? [y/N] ")).is_err() {
        return Some("cannot ask the question".into());
    }
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    let agreed = read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes");
    (!agreed).then(|| {
        "not confirmed, so nothing was run\nhelp: --yes runs it without a question; --sut COMMAND runs another one"
            .into()
    })
}

fn saved(what: &str) -> Result<Saved, String> {
    if Saved::is_token(what) {
        return Saved::parse(what);
    }
    let bytes = files::read(Path::new(what)).map_err(|error| format!("{what} cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8 text"))?;
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
