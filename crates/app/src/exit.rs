//! What the program answers to whoever started it.

use crate::print;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All that was asked for holds.
    Met = 0,
    /// A property, a scenario or an expectation is violated.
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
