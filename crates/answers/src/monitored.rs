//! What `monitor` tells: each violation when it is found, and in the end what is known about every property.

use crate::words::words;
use crate::{LogJudges, LogRefusal, Verdict};
use std::fmt;
use std::sync::Arc;

/// Something that the log shows.
#[derive(Clone, Debug, PartialEq)]
pub enum LogNote {
    /// A property or a relation is broken.
    Violation(Box<LogViolation>),
    /// A step that the rules do not allow.
    Refusal(Box<LogRefusal>),
    /// A line that could not be used.
    Problem {
        /// Where.
        line: LogLine,
        /// Why not.
        message: String,
    },
}

/// Where in the log: `line 5`, `line 5 of connection 2`, or `line 5, session ann`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Counted from one.
    pub number: u64,
    /// If there are several.
    pub connection: Option<u64>,
    /// The value of the field that tells sessions apart.
    pub session: Option<Arc<str>>,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.number)?;
        if let Some(connection) = self.connection {
            write!(f, " of connection {connection}")?;
        }
        self.session.as_ref().map_or(Ok(()), |session| write!(f, ", session {session}"))
    }
}

/// A violation, with the steps before it and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct LogViolation {
    /// As in the specification.
    pub property: String,
    /// What it says, as far as that is documented.
    pub doc: String,
    /// The values of the quantified variables.
    pub instance: Vec<(String, String)>,
    /// After which it is certain.
    pub line: LogLine,
    /// Counted from one in each run.
    pub step: u64,
    /// As the log says it.
    pub time: Option<u64>,
    /// The last steps, with their numbers; all of them if there are not more.
    pub steps: Vec<(u64, String)>,
    /// In which way it is broken.
    pub breach: LogBreach,
    /// Why, subformula by subformula.
    pub why: Vec<LogRow>,
}

/// What broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogBreach {
    /// The step breaks a relation between signals: which one.
    Relation(String),
    /// The step breaks the property.
    Property,
    /// The clock went on after the step, and the time for something promised is over.
    Time,
    /// The system rests after the step, and something promised has not come.
    Rest,
    /// No run keeps the property, so this one does not.
    Hopeless,
}

impl LogBreach {
    /// What is to be said about it.
    pub fn message(&self) -> Option<&str> {
        match self {
            LogBreach::Relation(message) => Some(message),
            LogBreach::Property => None,
            LogBreach::Time => Some("its deadline has passed"),
            LogBreach::Rest => Some("the system is quiescent, and the required event has not come"),
            LogBreach::Hopeless => Some("no continuation can satisfy it"),
        }
    }
}

impl LogViolation {
    /// `a relation is broken in step 3 (line 4)`, `calm is violated after step 7 (line 9)`.
    pub fn title(&self) -> String {
        let values: Vec<String> = self.instance.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let instance = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
        let word = if self.breach == LogBreach::Time { "after" } else { "in" };
        let place = match self.step {
            0 => format!("at the start ({})", self.line),
            step => format!("{word} step {step} ({})", self.line),
        };
        match &self.breach {
            LogBreach::Relation(_) => format!("a relation is violated {place}"),
            _ => format!("`{}` is violated{instance} {place}", self.property),
        }
    }
}

/// The truth of a subformula in the last steps: `+`, `-` or `?`.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRow {
    /// In specification syntax.
    pub formula: String,
    /// How deep it stands in the formula.
    pub depth: usize,
    /// One sign for each step.
    pub truths: String,
}

/// The answer of `monitor`, so far or in the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Monitored {
    /// Each with what the log says about it.
    pub properties: Vec<LogProperty>,
    /// What the rules say.
    pub rules: LogJudges,
    /// Sessions that were told apart, and those for which there was no room.
    pub sessions: Option<(u64, u64)>,
    /// Conversations in the log.
    pub runs: u64,
    /// Steps that were judged.
    pub steps: u64,
    /// Those that were judged before the saved state from which it went on.
    pub steps_before: u64,
    /// Lines that were read.
    pub lines: u64,
    /// Lines that could not be read.
    pub broken_lines: u64,
    /// Lines that no pattern fits.
    pub unmatched: u64,
    /// Patterns that no line fits.
    pub idle_patterns: Vec<String>,
    /// Steps in which a property went wrong: something that it needs has no value there.
    pub wrong: u64,
    /// The last line had no end and could not be read.
    pub cut: bool,
    /// Steps that break a relation.
    pub outside: u64,
    /// Lines whose time is before that of an earlier one.
    pub backwards: u64,
    /// Names that the specification does not know, with how often they came.
    pub unknown: Vec<(LogUnknown, u64)>,
    /// Started in the middle, or went on from a saved state.
    pub from: Option<String>,
}

/// A name that the specification does not know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogUnknown {
    /// In `action`.
    Action(String),
    /// In `state`.
    Variable(String),
}

impl LogUnknown {
    /// Without its kind.
    pub fn name(&self) -> &str {
        let (LogUnknown::Action(name) | LogUnknown::Variable(name)) = self;
        name
    }

    /// `` `coffee` is not an action of the specification; it came once ``
    pub fn sentence(&self, times: u64) -> String {
        let what = match self {
            LogUnknown::Action(_) => "an action",
            LogUnknown::Variable(_) => "a variable",
        };
        format!("`{}` is not {what} of the specification (seen {})", self.name(), interplay_diagnostics::times(times))
    }
}

/// A property and what the log says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogProperty {
    /// As in the specification.
    pub name: String,
    /// With the reason where there is one.
    pub verdict: LogVerdict,
    /// How often it was broken.
    pub violations: u64,
    /// `always (a implies b)`, and `a` never came.
    pub vacuous: bool,
    /// Values that were watched at once in the end, and those for which there was no room.
    pub instances: Option<(usize, u64)>,
}

/// What a log says about a property.
#[derive(Clone, Debug, PartialEq)]
pub enum LogVerdict {
    /// A run breaks it.
    Violated,
    /// Nothing can break it any more.
    Satisfied,
    /// Nothing has broken it so far.
    Open,
    /// No prefix breaks it, and what it promises has not come yet: what, since when.
    Owed(String),
    /// It should be possible, and no run has shown it yet.
    Unseen,
    /// Why not.
    NotJudged(String),
}

words! {
    /// What a log says about a property, in a word.
    LogVerdictWord {
        /// A run breaks it.
        Violated = "violated",
        /// Nothing can break it any more.
        Satisfied = "satisfied",
        /// Nothing broke it, or showed it, so far.
        Open = "open",
        /// It could not be watched.
        NotJudged = "not judged",
    }
}

impl LogVerdict {
    /// Without the reason.
    pub fn kind(&self) -> LogVerdictWord {
        match self {
            LogVerdict::Violated => LogVerdictWord::Violated,
            LogVerdict::Satisfied => LogVerdictWord::Satisfied,
            LogVerdict::Open | LogVerdict::Owed(_) | LogVerdict::Unseen => LogVerdictWord::Open,
            LogVerdict::NotJudged(_) => LogVerdictWord::NotJudged,
        }
    }

    /// As people and programs read it.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }
}

impl Monitored {
    /// What the whole log says.
    pub fn verdict(&self) -> Verdict {
        match () {
            () if self.is_violated() => Verdict::Fail,
            () if self.is_complete() => Verdict::Pass,
            () => Verdict::Inconclusive,
        }
    }

    /// Something is wrong, whatever was left open.
    pub fn is_violated(&self) -> bool {
        let rules = self.rules.verdict() == Some(Verdict::Fail);
        rules
            || self.outside > 0
            || self.wrong > 0
            || self.properties.iter().any(|each| each.verdict == LogVerdict::Violated)
    }

    /// Nothing happened, now or before.
    pub fn is_empty(&self) -> bool {
        self.steps + self.steps_before == 0
    }

    /// Everything was read and judged.
    pub fn is_complete(&self) -> bool {
        let judged = |each: &LogProperty| !matches!(each.verdict, LogVerdict::NotJudged(_) | LogVerdict::Owed(_));
        let room = |each: &LogProperty| each.instances.is_none_or(|(_, ignored)| ignored == 0);
        let properties = self.properties.iter().all(|each| judged(each) && room(each));
        let rules = self.rules.verdict() != Some(Verdict::Inconclusive);
        let properties = properties && rules && self.sessions.is_none_or(|(_, ignored)| ignored == 0);
        self.broken_lines == 0
            && self.unmatched == 0
            && !self.cut
            && self.backwards == 0
            && !self.is_empty()
            && properties
    }
}
