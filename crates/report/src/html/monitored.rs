//! The report of a log: each property, and each violation with the last steps and the truth of each subformula in them.

use super::Background;
use super::chart::{Arrow, Chart, Row};
use super::page::{Block, Cell, Page, Section, Table, background};
use super::render::render;
use crate::log_note_text;
use crate::text::judges_text;
use interplay_answers::{LogNote, LogProperty, LogVerdict, LogViolation, Monitored, Verdict};
use interplay_diagnostics::amount;

/// So many violations are shown; the others are counted.
const SHOWN: usize = 100;

/// The whole page. The notes are those that were told on the way.
pub fn monitored_html(
    system: &str,
    log: &str,
    monitored: &Monitored,
    notes: &[LogNote],
    behind: Background<'_>,
) -> String {
    let violations: Vec<&LogViolation> = notes
        .iter()
        .filter_map(|note| match note {
            LogNote::Violation(violation) => Some(&**violation),
            LogNote::Refusal(_) | LogNote::Problem { .. } => None,
        })
        .collect();
    let mut sections: Vec<Section<'_>> = Vec::new();
    sections.extend(rules(monitored, notes));
    sections.push(properties(monitored, &violations));
    sections.extend(remarks(monitored, notes, violations.len()));
    sections.extend(violations.iter().take(SHOWN).enumerate().map(|(index, each)| violation(index + 1, each)));
    sections.extend(background(&behind));
    let facts = vec![
        ("specification", behind.file.clone()),
        ("log", log.into()),
        ("lines", monitored.lines.to_string()),
        ("steps", monitored.steps.to_string()),
        ("runs", monitored.runs.to_string()),
    ];
    let broken = monitored.properties.iter().filter(|each| each.verdict == LogVerdict::Violated).count() as u64;
    render(&Page {
        command: "monitor",
        system,
        verdict: monitored.verdict(),
        assurance: Some("observed".into()),
        sentence: match monitored.verdict() {
            Verdict::Fail if monitored.rules.verdict() == Some(Verdict::Fail) && broken == 0 => {
                "A step is not allowed by the rules.".into()
            }
            Verdict::Fail if broken == 0 => "A step violated a relation.".into(),
            Verdict::Fail => format!("{} violated.", amount(broken, "property")),
            Verdict::Pass => "No property is violated.".into(),
            Verdict::Inconclusive => "No property is violated, but not everything could be judged.".into(),
        },
        facts,
        sections,
    })
}

/// What the rules say, and the steps that they do not allow.
fn rules<'p>(monitored: &Monitored, notes: &[LogNote]) -> Option<Section<'p>> {
    let said = judges_text(&monitored.rules);
    if said.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Text(said.trim().into())];
    let refusals = notes.iter().filter_map(|note| match note {
        LogNote::Refusal(refusal) => Some(refusal),
        _ => None,
    });
    for refusal in refusals.take(SHOWN) {
        blocks.push(Block::Warning(refusal.title()));
        blocks.push(Block::Code { title: "step not allowed", text: log_note_text(&LogNote::Refusal(refusal.clone())) });
    }
    Some(Section::new("rules", "Rules", blocks))
}

fn properties<'p>(monitored: &Monitored, violations: &[&LogViolation]) -> Section<'p> {
    let row = |each: &LogProperty| {
        let first = violations.iter().take(SHOWN).position(|violation| violation.property == each.name);
        let verdict = match each.verdict {
            LogVerdict::Violated => Verdict::Fail,
            LogVerdict::Satisfied | LogVerdict::Open | LogVerdict::Unseen => Verdict::Pass,
            LogVerdict::Owed(_) | LogVerdict::NotJudged(_) => Verdict::Inconclusive,
        };
        let because = match (&each.verdict, each.vacuous) {
            (LogVerdict::NotJudged(why), _) => why.clone(),
            (LogVerdict::Owed(what), _) => format!("owed when the log ends: {what}"),
            (_, true) => "vacuous: its trigger never occurred".into(),
            (LogVerdict::Unseen, _) => "not seen so far".into(),
            _ => String::new(),
        };
        let link = first.map(|index| format!("#violation-{}", index + 1));
        vec![
            Cell { link, ..Cell::code(&each.name) },
            Cell::verdict(verdict, each.verdict.word()),
            Cell::new(each.violations.to_string()),
            Cell::new(because),
        ]
    };
    let rows = monitored.properties.iter().map(row).collect();
    let table = Table { head: vec!["property", "verdict", "violations", ""], rows };
    Section::new("properties", "Properties", vec![Block::Table(table)])
}

fn remarks<'p>(monitored: &Monitored, notes: &[LogNote], violations: usize) -> Option<Section<'p>> {
    let counts = [
        (monitored.outside, "step", "violated a relation"),
        (monitored.broken_lines, "line", "could not be read"),
        (monitored.unmatched, "line", "matched no pattern"),
        (monitored.backwards, "line", "went back in time"),
    ];
    let counts = counts.iter().filter(|(number, ..)| *number > 0);
    let mut blocks: Vec<Block<'p>> =
        counts.map(|(number, noun, what)| Block::Warning(format!("{} {what}.", amount(*number, noun)))).collect();
    if monitored.cut {
        blocks.push(Block::Warning("The log ends in the middle of a line.".into()));
    }
    if monitored.is_empty() {
        blocks.push(Block::Warning("The log has no events, so nothing was judged.".into()));
    }
    for (unknown, times) in &monitored.unknown {
        blocks.push(Block::Text(format!("{}.", unknown.sentence(*times))));
    }
    let problem = |note: &LogNote| match note {
        LogNote::Problem { line, message } => Some(vec![Cell::new(line.to_string()), Cell::new(message)]),
        LogNote::Violation(_) | LogNote::Refusal(_) => None,
    };
    let rows: Vec<Vec<Cell>> = notes.iter().filter_map(problem).take(SHOWN).collect();
    if !rows.is_empty() {
        blocks.push(Block::Table(Table { head: vec!["where", "problem"], rows }));
    }
    if violations > SHOWN {
        blocks.push(Block::Text(format!("Of {violations} violations the first {SHOWN} are shown.")));
    }
    (!blocks.is_empty()).then(|| Section::new("remarks", "Remarks", blocks))
}

fn violation<'p>(number: usize, violation: &LogViolation) -> Section<'p> {
    let mut blocks = Vec::new();
    blocks.extend(violation.breach.message().map(|message| Block::Text(message.into())));
    if !violation.doc.trim().is_empty() {
        blocks.push(Block::Text(violation.doc.trim().into()));
    }
    let row = |(step, label): &(u64, String)| Row {
        arrow: Arrow::Both,
        text: label.clone(),
        changes: vec![format!("step {step}")],
    };
    let rows = violation.steps.iter().map(row).collect();
    let wrong = Some("violated".into());
    let id = format!("v{number}");
    blocks.push(Block::Chart(Chart { id, left: "environment", right: "system", rows, wrong }));
    if !violation.why.is_empty() {
        let rows = violation
            .why
            .iter()
            .map(|row| vec![Cell::code(&row.truths), Cell::code(format!("{}{}", "  ".repeat(row.depth), row.formula))]);
        let table = Table { head: vec!["last steps: + true, - false", "part of the property"], rows: rows.collect() };
        blocks.push(Block::Table(table));
    }
    Section::new(format!("violation-{number}"), violation.title(), blocks)
}
