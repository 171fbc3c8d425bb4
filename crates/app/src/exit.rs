//! What the program answers to whoever started it.

use crate::print;
use interplay_answers::Verdict;
use interplay_diagnostics::{Code, Diagnostic, Fault, Severity};
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All that was asked for holds.
    Met = 0,
    /// A property, a scenario or an expectation is violated, or the model goes wrong.
    Violated = 1,
    /// The command line or the specification is wrong.
    Wrong = 2,
    /// A limit or an interrupt came before the answer.
    Unknown = 3,
    /// The implementation or its adapter cannot be talked to.
    NoPartner = 4,
    /// A bug of ours.
    Bug = 101,
}

impl Exit {
    /// What a problem of the specification means: in every command, a model that goes wrong is a finding, and one that a
    /// setup leaves open gives no answer.
    pub(crate) fn of(code: Code) -> Exit {
        match code.fault() {
            Fault::Run => Exit::Violated,
            Fault::Setup => Exit::Unknown,
            Fault::Text => Exit::Wrong,
        }
    }

    /// Nobody could go on. A specification that goes wrong is a finding here, too: the one that judges, or one that is played.
    pub(crate) fn of_breakdown(code: Option<Code>) -> Exit {
        code.map_or(Exit::NoPartner, Exit::of)
    }

    /// What an answer means.
    pub(crate) fn of_verdict(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Pass => Exit::Met,
            Verdict::Fail => Exit::Violated,
            Verdict::Inconclusive => Exit::Unknown,
        }
    }

    /// The same of several problems. A text with a mistake cannot be run; then a run that goes wrong weighs most.
    pub(crate) fn of_all(problems: &[Diagnostic]) -> Exit {
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
        let faults: Vec<Exit> = errors.map(|problem| Exit::of(problem.code)).collect();
        let alone = problems.first().map_or(Exit::Wrong, |problem| Exit::of(problem.code));
        let weight = [Exit::Wrong, Exit::Violated, Exit::Unknown];
        weight.into_iter().find(|exit| faults.contains(exit)).unwrap_or(alone)
    }

    /// What could not be printed or written is told. It spoils only a good answer: no full disk hides a violation.
    pub(crate) fn after(self, done: anyhow::Result<()>) -> Exit {
        match (done, self) {
            (Ok(()), exit) => exit,
            (Err(error), exit) => {
                print::error(&error);
                if exit == Exit::Met { Exit::Wrong } else { exit }
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
