//! A proof is looked at by another program, cvc5, which knows nothing of how it was found. Without it a proof rests on one solver, and
//! says so.

use crate::engines::Obligation;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the other program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// All is as it should be.
    Confirmed,
    /// It does not know, for this reason.
    Open(String),
    /// It says the opposite, about this question.
    Contradicted(&'static str),
}

/// How often we look whether it is done.
const LOOK: Duration = Duration::from_millis(5);

/// Where cvc5 is: `INTERPLAY_CVC5`, beside our program, the project's tool folder, `PATH`.
pub fn independent() -> Option<PathBuf> {
    if let Some(chosen) = std::env::var_os("INTERPLAY_CVC5") {
        return Some(PathBuf::from(chosen)).filter(|path| path.is_file());
    }
    let name = if cfg!(windows) { "cvc5.exe" } else { "cvc5" };
    interplay_smt::folders("cvc5").into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Asks all questions of a proof, in one go.
pub fn confirm(obligations: &[Obligation], program: &Path, budget: Duration) -> Confirmation {
    let mut script = String::new();
    for obligation in obligations {
        script += "(reset)\n";
        script += &obligation.text;
    }
    let said = match ask(&script, program, budget) {
        Ok(said) => said,
        Err(why) => return Confirmation::Open(why),
    };
    let mut answers = said.lines().map(str::trim).filter(|line| !line.is_empty());
    for obligation in obligations {
        match answers.next() {
            Some("unsat") => {}
            Some("sat") => return Confirmation::Contradicted(obligation.name),
            Some("unknown") => return Confirmation::Open(format!("cvc5: unknown for {}", obligation.name)),
            Some(_) => return Confirmation::Open("cvc5 does not understand the question".into()),
            None => return Confirmation::Open("cvc5 did not answer".into()),
        }
    }
    Confirmation::Confirmed
}

fn ask(script: &str, program: &Path, budget: Duration) -> Result<String, String> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(["--lang=smt2", "--arrays-exp", &format!("--tlimit={}", budget.as_millis().max(1))])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start cvc5: {error}"))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let text = script.to_string();
    // It may answer before it has read everything, and the other way round.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        let read = stdout.map(|mut stdout| stdout.read_to_string(&mut said));
        read.is_some_and(|read| read.is_ok()).then_some(said)
    });
    while !reader.is_finished() {
        if started.elapsed() > budget {
            let _ = child.kill();
            let _ = child.wait();
            let _ = (writer.join(), reader.join());
            return Err("cvc5: time limit reached".into());
        }
        std::thread::sleep(LOOK);
    }
    let _ = child.wait();
    let _ = writer.join();
    reader.join().ok().flatten().ok_or_else(|| "cvc5 did not answer".into())
}
