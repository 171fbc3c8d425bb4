//! What the rules say about a log: each step that they refuse, with the states that were possible and what these would have allowed.

use crate::{LogLine, Verdict};

/// A step that no possible state allows.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRefusal {
    /// A sentence: what is wrong, and what was expected.
    pub message: String,
    /// A word: `output`, `forbidden`, `silence`.
    pub kind: &'static str,
    /// Where in the log.
    pub line: LogLine,
    /// Counted from one in each run; those before it are explained.
    pub step: u64,
    /// When, if the log says so.
    pub time: Option<u64>,
    /// The last steps, with their numbers.
    pub steps: Vec<(u64, String)>,
    /// Where the system may have been before it; not all of them.
    pub states: Vec<LogState>,
    /// How many states were possible.
    pub state_count: usize,
    /// What would have been right.
    pub expected: Vec<String>,
    /// Which conditions excluded it, and which earlier step removed the other states.
    pub reasons: Vec<LogReason>,
}

/// A state that was possible.
#[derive(Clone, Debug, PartialEq)]
pub struct LogState {
    /// Its variables, as `name = value`.
    pub variables: Vec<String>,
    /// What could have happened there, as far as it can be listed.
    pub allowed: Vec<String>,
}

/// Why it was not allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct LogReason {
    /// A sentence.
    pub text: String,
    /// `door.play:6:21`
    pub place: Option<String>,
    /// Texts of expressions with their values.
    pub values: Vec<(String, String)>,
}

/// What the rules said about the whole log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogRules {
    /// Steps that were judged.
    pub judged: u64,
    /// Steps that were not judged.
    pub skipped: u64,
    /// Steps that are not allowed.
    pub refusals: u64,
    /// Why steps were not judged, the first time.
    pub because: Option<String>,
}

/// Whether the rules judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LogJudges {
    /// The specification has no rules.
    #[default]
    NoRules,
    /// Somebody did not want them to, or they could not.
    Declined(String),
    /// They did.
    Judged(LogRules),
}

impl LogJudges {
    /// Nothing if the rules did not judge; inconclusive if they did not judge every step.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            LogJudges::NoRules | LogJudges::Declined(_) => None,
            LogJudges::Judged(rules) if rules.refusals > 0 => Some(Verdict::Fail),
            LogJudges::Judged(rules) if rules.skipped > 0 || rules.because.is_some() => Some(Verdict::Inconclusive),
            LogJudges::Judged(_) => Some(Verdict::Pass),
        }
    }
}

impl LogRefusal {
    /// With the place.
    pub fn title(&self) -> String {
        match self.step {
            0 => format!("at the start ({}): {}", self.line, self.message),
            step => format!("step {step} ({}): {}", self.line, self.message),
        }
    }
}
