//! What to say when the conversation breaks down: what happened, and what to do about it.

use crate::transport::{Broken, LONGEST_LINE};
use crate::{Trouble, TroubleKind};
use std::time::Duration;

impl Trouble {
    pub fn new(kind: TroubleKind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into(), cause: String::new(), exchange: Vec::new() }
    }

    pub(crate) fn not_started(problem: String) -> Trouble {
        Trouble::new(TroubleKind::NotStarted, problem)
    }

    pub(crate) fn no_answer(what: &str, limit: Duration) -> Trouble {
        let message =
            format!("no answer to {what} within {limit:?}: the adapter hangs, or the limit is too short for it");
        Trouble::new(TroubleKind::NoAnswer, message)
    }

    pub(crate) fn out_of_turn(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::OutOfTurn, message)
    }

    pub(crate) fn unknown(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Unknown, message)
    }

    pub(crate) fn foreign(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Foreign, message)
    }

    /// An exception by its type, its text and its place, of which an adapter may know only some.
    pub fn raised(error: &str, text: &str, place: &str) -> Trouble {
        let error = if error.is_empty() { "an exception" } else { error };
        let text = if text.is_empty() { String::new() } else { format!(": {text}") };
        let (within, at) = match place {
            "" => (String::new(), String::new()),
            place => (format!(" ({place})"), format!(" at {place}")),
        };
        let cause = format!("{error}{at}");
        Trouble { cause, ..Trouble::new(TroubleKind::Raised, format!("{error}{text}{within}")) }
    }

    pub(crate) fn garbage(line: &[u8], problem: &str) -> Trouble {
        let start = excerpt(line);
        let advice = "one line must be one JSON object; logs belong on standard error";
        Trouble::new(TroubleKind::Garbage, format!("this line is not a message ({problem}): {start}; {advice}"))
    }

    fn died(what: &str, how: &str) -> Trouble {
        let cause = how.strip_prefix("it ").unwrap_or(how).to_string();
        Trouble { cause, ..Trouble::new(TroubleKind::Died, format!("{what}: {how}")) }
    }

    /// `obituary` says what is known about the end.
    pub(crate) fn broken(broken: Broken, obituary: impl FnOnce() -> String) -> Trouble {
        match broken {
            Broken::Ended => Trouble::died("the adapter is gone", &obituary()),
            Broken::Deaf => Trouble::died("the adapter stopped reading its input", &obituary()),
            Broken::Stuck => {
                Trouble::new(TroubleKind::NoAnswer, "the adapter accepts no message: it does not read its input")
            }
            Broken::TooLong => {
                let message = format!("a line is longer than {LONGEST_LINE} bytes, the limit of a message");
                Trouble::new(TroubleKind::Garbage, message)
            }
            Broken::Flood => {
                Trouble::new(TroubleKind::Flood, "far too many messages arrived at once; the adapter floods its output")
            }
            Broken::Other(problem) => Trouble::died("the connection to the adapter is lost", &problem),
        }
    }
}

/// The beginning of a line, as text that fits on a terminal.
pub(crate) fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(400)]);
    let mut shown: String = text.chars().take(120).flat_map(char::escape_debug).collect();
    if shown.len() < line.len() && text.chars().count() > 120 {
        shown.push('…');
    }
    format!("`{shown}`")
}
