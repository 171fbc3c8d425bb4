//! What `monitor` tells: each violation when it is found, and in the end what is known about every property.

use super::monitored_rules::{judges_text, refusal_text};
use crate::escape;
use interplay_answers::{LogNote, LogProperty, LogVerdict, LogViolation, Monitored};
use interplay_diagnostics::{amount, times};

pub fn log_note_text(note: &LogNote) -> String {
    match note {
        LogNote::Problem { line, message } => format!("{line}: {}\n", escape(message)),
        LogNote::Violation(violation) => violation_text(violation),
        LogNote::Refusal(refusal) => refusal_text(refusal),
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
        let last = if width == 1 { "step".into() } else { amount(width, "step") };
        text += &format!("\n  in the last {last} (+ true, - false, ? unknown):\n");
        for row in &violation.why {
            let indent = "  ".repeat(row.depth);
            text += &format!("  {}  {indent}{}\n", row.truths, escape(&row.formula));
        }
    }
    text + "\n"
}

pub fn monitored_text(monitored: &Monitored) -> String {
    let mut text = judges_text(&monitored.rules);
    for property in &monitored.properties {
        let word = match property.verdict {
            LogVerdict::Violated => "fail",
            LogVerdict::Satisfied => "pass",
            LogVerdict::Open | LogVerdict::Owed(_) | LogVerdict::Unseen | LogVerdict::NotJudged(_) => "open",
        };
        text += &format!("{word}  {}: {}\n", escape(&property.name), verdict_text(property));
    }
    let from = monitored.from.as_ref().map_or(String::new(), |from| format!(", {from}"));
    let runs = if monitored.runs > 1 { format!(" in {} runs", monitored.runs) } else { String::new() };
    let sessions = monitored.sessions.map_or(String::new(), |(told, _)| format!(" in {}", amount(told, "session")));
    text += &format!(
        "{}{runs}{sessions} from {}{from}\n",
        amount(monitored.steps, "step"),
        amount(monitored.lines, "line")
    );
    for (number, noun, what) in [
        (monitored.outside, "step", "violated a relation"),
        (monitored.broken_lines, "line", "could not be read"),
        (monitored.unmatched, "line", "matched no pattern"),
        (monitored.wrong, "model error", "in a property or in the rules"),
        (monitored.backwards, "line", "went back in time"),
    ] {
        if number > 0 {
            text += &format!("warning: {} {what}\n", amount(number, noun));
        }
    }
    if monitored.cut {
        text += "warning: the log ends in the middle of a line\n";
    }
    if let Some((_, ignored @ 1..)) = monitored.sessions {
        text += &format!("warning: {} not judged: more than `--sessions` at once\n", amount(ignored, "session"));
    }
    if monitored.is_empty() && !monitored.is_violated() {
        text += "warning: the log has no events, so nothing was judged\n";
    }
    for pattern in &monitored.idle_patterns {
        text += &format!("note: the pattern `{}` never matched\n", escape(pattern));
    }
    for (unknown, times) in &monitored.unknown {
        text += &format!("note: {}\n", escape(&unknown.sentence(*times)));
    }
    text
}

fn verdict_text(property: &LogProperty) -> String {
    let mut said = vec![match &property.verdict {
        LogVerdict::Violated if property.violations > 1 => format!("violated {}", times(property.violations)),
        LogVerdict::NotJudged(why) => format!("not judged: {}", escape(why)),
        LogVerdict::Open => "not violated so far".into(),
        LogVerdict::Owed(what) => format!("owed when the log ends: {}", escape(what)),
        LogVerdict::Unseen => "not seen so far".into(),
        LogVerdict::Satisfied => "satisfied, whatever follows".into(),
        verdict => verdict.word().into(),
    }];
    if property.vacuous {
        said.push("vacuous: its trigger never occurred".into());
    }
    match property.instances {
        Some((_, ignored)) if ignored > 0 => {
            said.push(format!("{} not judged: more than `--instances` at once", amount(ignored, "value")))
        }
        _ => {}
    }
    said.join("; ")
}
