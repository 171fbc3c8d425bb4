//! What `monitor` tells: each violation when it is found, and in the end what is known about every property.

use crate::{Verdict, escape};
use serde_json::{Value, json as value};
use std::fmt;

const SCHEMA: u32 = 1;

/// Something that the log shows.
#[derive(Clone, Debug, PartialEq)]
pub enum LogNote {
    Violation(Box<LogViolation>),
    /// A line that could not be used.
    Problem {
        line: LogLine,
        message: String,
    },
}

/// Where in the log: `line 5`, or `line 5 of connection 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLine {
    pub number: u64,
    /// If there are several.
    pub connection: Option<u64>,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.number)?;
        self.connection.map_or(Ok(()), |connection| write!(f, " of connection {connection}"))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogViolation {
    pub property: String,
    /// What it says, as far as that is documented.
    pub doc: String,
    /// The values of the quantified variables.
    pub instance: Vec<(String, String)>,
    pub line: LogLine,
    /// Counted from one in each run.
    pub step: u64,
    pub time: Option<u64>,
    /// The last steps, with their numbers; all of them if there are not more.
    pub steps: Vec<(u64, String)>,
    pub breach: LogBreach,
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
            LogBreach::Time => Some("its time is over"),
            LogBreach::Rest => Some("the system rests, and what was promised has not come"),
            LogBreach::Hopeless => Some("no run can keep it, whatever happens"),
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
            LogBreach::Relation(_) => format!("a relation is broken {place}"),
            _ => format!("`{}` is violated{instance} {place}", self.property),
        }
    }
}

/// The truth of a subformula in the last steps: `+`, `-` or `?`.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRow {
    pub formula: String,
    pub depth: usize,
    pub truths: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Monitored {
    pub properties: Vec<LogProperty>,
    pub runs: u64,
    pub steps: u64,
    /// Those that were judged before the saved state from which it went on.
    pub steps_before: u64,
    pub lines: u64,
    pub broken_lines: u64,
    /// Steps in which a property went wrong: something that it needs has no value there.
    pub wrong: u64,
    /// The last line had no end and could not be read.
    pub cut: bool,
    pub outside: u64,
    pub backwards: u64,
    /// Names that the specification does not know, with how often they came.
    pub unknown: Vec<(LogUnknown, u64)>,
    /// Started in the middle, or went on from a saved state.
    pub from: Option<String>,
}

/// A name that the specification does not know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogUnknown {
    Action(String),
    Variable(String),
}

impl LogUnknown {
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
        format!("`{}` is not {what} of the specification; it came {}", self.name(), times_word(times))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogProperty {
    pub name: String,
    pub verdict: LogVerdict,
    pub violations: u64,
    /// `always (a implies b)`, and `a` never came.
    pub vacuous: bool,
    /// Values that were watched at once in the end, and those for which there was no room.
    pub instances: Option<(usize, u64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LogVerdict {
    Violated,
    Satisfied,
    Open,
    /// It should be possible, and no run has shown it yet.
    Unseen,
    /// Why not.
    NotJudged(String),
}

impl LogVerdict {
    pub fn word(&self) -> &'static str {
        match self {
            LogVerdict::Violated => "violated",
            LogVerdict::Satisfied => "satisfied",
            LogVerdict::Open | LogVerdict::Unseen => "open",
            LogVerdict::NotJudged(_) => "not judged",
        }
    }
}

impl Monitored {
    pub fn verdict(&self) -> Verdict {
        match () {
            () if self.is_violated() => Verdict::Fail,
            () if self.is_complete() => Verdict::Pass,
            () => Verdict::Inconclusive,
        }
    }

    pub fn is_violated(&self) -> bool {
        self.outside > 0 || self.wrong > 0 || self.properties.iter().any(|each| each.verdict == LogVerdict::Violated)
    }

    /// Nothing happened, now or before.
    pub fn is_empty(&self) -> bool {
        self.steps + self.steps_before == 0
    }

    /// Everything was read and judged.
    pub fn is_complete(&self) -> bool {
        let judged = |each: &LogProperty| !matches!(each.verdict, LogVerdict::NotJudged(_));
        let room = |each: &LogProperty| each.instances.is_none_or(|(_, ignored)| ignored == 0);
        let properties = self.properties.iter().all(|each| judged(each) && room(each));
        self.broken_lines == 0 && !self.cut && self.backwards == 0 && !self.is_empty() && properties
    }
}

pub fn log_note_text(note: &LogNote) -> String {
    match note {
        LogNote::Problem { line, message } => format!("{line}: {}\n", escape(message)),
        LogNote::Violation(violation) => violation_text(violation),
    }
}

fn violation_text(violation: &LogViolation) -> String {
    let message = violation.breach.message().map_or(String::new(), |message| format!(": {message}"));
    let mut text = format!("{}\n", escape(&format!("{}{message}", violation.title())));
    for line in violation.doc.lines() {
        text += &format!("  {}\n", escape(line));
    }
    text.push('\n');
    for (number, label) in &violation.steps {
        text += &format!("  {number:6}  {}\n", escape(label));
    }
    if violation.step > 0 && !violation.why.is_empty() {
        let width = violation.why.first().map_or(0, |row| row.truths.chars().count());
        let last = if width == 1 { "step".into() } else { count(width as u64, "step") };
        text += &format!("\n  in the last {last} (+ holds, - does not, ? not known):\n");
        for row in &violation.why {
            let indent = "  ".repeat(row.depth);
            text += &format!("  {}  {indent}{}\n", row.truths, escape(&row.formula));
        }
    }
    text + "\n"
}

pub fn monitored_text(monitored: &Monitored) -> String {
    let mut text = String::new();
    for property in &monitored.properties {
        let word = match property.verdict {
            LogVerdict::Violated => "fail",
            LogVerdict::Satisfied => "pass",
            LogVerdict::Open | LogVerdict::Unseen | LogVerdict::NotJudged(_) => "open",
        };
        text += &format!("{word}  {}: {}\n", escape(&property.name), verdict_text(property));
    }
    let from = monitored.from.as_ref().map_or(String::new(), |from| format!(", {from}"));
    let runs = if monitored.runs > 1 { format!(" in {} runs", monitored.runs) } else { String::new() };
    text += &format!("{}{runs} from {}{from}\n", count(monitored.steps, "step"), count(monitored.lines, "line"));
    for (number, noun, what) in [
        (monitored.outside, "step", "broke a relation"),
        (monitored.broken_lines, "line", "could not be read"),
        (monitored.wrong, "time", "a property went wrong"),
        (monitored.backwards, "line", "went back in time"),
    ] {
        if number > 0 {
            text += &format!("warning: {} {what}\n", count(number, noun));
        }
    }
    if monitored.cut {
        text += "warning: the log ends in the middle of a line\n";
    }
    if monitored.is_empty() && !monitored.is_violated() {
        text += "warning: nothing happened, so nothing was judged\n";
    }
    for (unknown, times) in &monitored.unknown {
        text += &format!("note: {}\n", escape(&unknown.sentence(*times)));
    }
    text
}

fn verdict_text(property: &LogProperty) -> String {
    let mut said = vec![match &property.verdict {
        LogVerdict::Violated if property.violations > 1 => format!("violated {}", times_word(property.violations)),
        LogVerdict::NotJudged(why) => format!("not judged: {}", escape(why)),
        LogVerdict::Open => "not violated so far".into(),
        LogVerdict::Unseen => "not seen so far".into(),
        LogVerdict::Satisfied => "satisfied for good".into(),
        verdict => verdict.word().into(),
    }];
    if property.vacuous {
        said.push("it was never put to the test: what it waits for never came".into());
    }
    match property.instances {
        Some((_, ignored)) if ignored > 0 => said.push(format!("there was no room for {}", count(ignored, "value"))),
        _ => {}
    }
    said.join("; ")
}

pub fn log_note_json(note: &LogNote) -> Value {
    match note {
        LogNote::Problem { line, message } => {
            value!({ "type": "problem", "line": line.number, "connection": line.connection, "message": message })
        }
        LogNote::Violation(violation) => {
            let instance = violation.instance.iter().map(|(name, shown)| (name.clone(), value!(shown)));
            let row = |row: &LogRow| value!({ "formula": row.formula, "depth": row.depth, "truths": row.truths });
            let step = |(number, label): &(u64, String)| value!({ "step": number, "label": label });
            value!({
                "type": if matches!(violation.breach, LogBreach::Relation(_)) { "relation" } else { "violation" },
                "property": violation.property,
                "instance": instance.collect::<serde_json::Map<_, _>>(),
                "message": violation.breach.message(),
                "line": violation.line.number,
                "connection": violation.line.connection,
                "step": violation.step,
                "time": violation.time,
                "steps": violation.steps.iter().map(step).collect::<Vec<_>>(),
                "why": violation.why.iter().map(row).collect::<Vec<_>>(),
            })
        }
    }
}

pub fn monitored_json(monitored: &Monitored) -> Value {
    let property = |each: &LogProperty| {
        value!({
            "name": each.name,
            "verdict": each.verdict.word(),
            "because": match &each.verdict { LogVerdict::NotJudged(why) => Some(why), _ => None },
            "violations": each.violations,
            "trigger_never_came": each.vacuous,
            "instances": each.instances.map(|(watched, _)| watched),
            "ignored_values": each.instances.map_or(0, |(_, ignored)| ignored),
        })
    };
    let unknown = |wanted: fn(&LogUnknown) -> bool| -> serde_json::Map<String, Value> {
        let those = monitored.unknown.iter().filter(|(unknown, _)| wanted(unknown));
        those.map(|(unknown, times)| (unknown.name().into(), value!(times))).collect()
    };
    value!({
        "type": "end",
        "schema": SCHEMA,
        "verdict": monitored.verdict().word(),
        "assurance": "observed",
        "properties": monitored.properties.iter().map(property).collect::<Vec<_>>(),
        "runs": monitored.runs,
        "steps": monitored.steps,
        "steps_before": monitored.steps_before,
        "lines": monitored.lines,
        "broken_lines": monitored.broken_lines,
        "went_wrong": monitored.wrong,
        "ends_in_the_middle_of_a_line": monitored.cut,
        "broken_relations": monitored.outside,
        "went_back_in_time": monitored.backwards,
        "unknown": unknown(|unknown| matches!(unknown, LogUnknown::Action(_))),
        "unknown_variables": unknown(|unknown| matches!(unknown, LogUnknown::Variable(_))),
    })
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn times_word(times: u64) -> String {
    if times == 1 { "once".into() } else { format!("{times} times") }
}
