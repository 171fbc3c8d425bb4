//! Why a command has no answer: the request has a mistake, or the specification has.
//!
//! A refusal carries all that is needed to tell it, so that whoever offers the commands has one place for that.

use interplay_diagnostics::{Diagnostic, Sources};
use std::fmt;

/// Nothing was done, for this reason.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The request does not fit the specification, or the world.
    Request {
        /// In a sentence.
        problem: String,
        /// What to do about it, if that is known.
        help: Option<String>,
    },
    /// The specification has mistakes, or goes wrong before anything is asked.
    Specification {
        /// The texts that the diagnostics point into.
        sources: Sources,
        /// At least one.
        diagnostics: Vec<Diagnostic>,
    },
}

impl Refusal {
    /// The request has a mistake, and this is what to do about it.
    pub fn request(problem: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::Request { problem: problem.into(), help: Some(help.into()) }
    }

    /// Only the first thing that is wrong, of a text that the user did not write; in other words, if nothing is told.
    pub fn only_first(mut self, otherwise: &str) -> Refusal {
        match &mut self {
            Refusal::Specification { diagnostics, .. } if diagnostics.is_empty() => otherwise.into(),
            Refusal::Specification { diagnostics, .. } => {
                diagnostics.truncate(1);
                self
            }
            Refusal::Request { .. } => self,
        }
    }

    /// The first thing that is wrong, to be told in a sentence about something else.
    pub fn first(&self) -> String {
        match self {
            Refusal::Request { problem, .. } => format!(": {problem}"),
            Refusal::Specification { diagnostics, .. } => {
                diagnostics.first().map_or(String::new(), |problem| format!(": {}", problem.message))
            }
        }
    }
}

/// What an engine says about a request. It may say what to do, in a last line that begins with `help: `.
impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        match text.split_once("\nhelp: ") {
            Some((problem, help)) => Refusal::request(problem, help),
            None => Refusal::Request { problem: text, help: None },
        }
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Refusal {
        Refusal::from(text.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Request { problem, help: Some(help) } => write!(f, "{problem}\nhelp: {help}"),
            Refusal::Request { problem, help: None } => f.write_str(problem),
            Refusal::Specification { sources, diagnostics } => {
                let Some(first) = diagnostics.first() else { return f.write_str("the specification has mistakes") };
                match first.span {
                    Some(span) => write!(f, "{}: {}", sources.locate(span), first.message),
                    None => f.write_str(&first.message),
                }
            }
        }
    }
}

impl std::error::Error for Refusal {}
