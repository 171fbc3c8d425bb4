//! A verification for people: an answer for each property with what it rests on, and how far the engines came where there
//! is none.

use crate::{Colour, diagnostics, escape};
use interplay_answers::{Answer, Attempt, Evidence, Findings, Proved, Verdict, Verified};
use interplay_diagnostics::{Sources, amount};

/// All of it; the times, which differ from run to run, are in the last line.
pub fn verified_text(sources: &Sources, verified: &Verified, colour: Colour) -> String {
    let mut text = String::new();
    if !verified.symbolic.is_empty() {
        text += &format!("for all values of {}\n", verified.symbolic.join(", "));
    }
    for each in &verified.properties {
        text += &property(sources, each);
    }
    for each in &verified.properties {
        text += &trace(sources, each, colour);
    }
    if let Some(missing) = &verified.missing {
        text += &format!("warning: {}\n", escape(missing));
    }
    text + &format!("{:.3} s\n", verified.seconds)
}

fn property(sources: &Sources, proved: &Proved) -> String {
    let word = match proved.verdict {
        Verdict::Inconclusive => "open",
        verdict => verdict.word(),
    };
    let assurance = proved.evidence.assured().map_or(String::new(), |assurance| match assurance.contains('(') {
        true => format!(", {assurance}"),
        false => format!(" ({assurance})"),
    });
    let condition = proved.condition.map_or(String::new(), |condition| format!(", {condition}"));
    let mut text = format!("{word}  {}: {}{assurance}{condition}\n", escape(&proved.name), proved.answer.word());
    match &proved.evidence {
        Evidence::Invariant { conjuncts, steps, .. } if !conjuncts.is_empty() => {
            let over = if *steps > 1 { format!(", by {steps}-induction") } else { String::new() };
            text += &format!("      because of this invariant{over}:\n");
            for conjunct in conjuncts {
                text += &format!("        {}\n", escape(conjunct));
            }
        }
        Evidence::Exhausted { states, .. } => text += &format!("      in all {}\n", amount(states, "state")),
        _ => {}
    }
    if matches!(proved.evidence, Evidence::None) {
        for attempt in &proved.progress {
            text += &told(sources, attempt);
        }
    }
    text
}

fn told(sources: &Sources, attempt: &Attempt) -> String {
    let place = attempt.span.map_or(String::new(), |span| {
        let (line, column) = sources.position(span.start_point());
        format!(" ({}:{line}:{column})", escape(&sources.file(span.file).name))
    });
    format!("      {}: {}{place}\n", attempt.engine, escape(&attempt.text))
}

fn trace(sources: &Sources, proved: &Proved, colour: Colour) -> String {
    let Evidence::Trace { walk, constants, error } = &proved.evidence else { return String::new() };
    let after = match walk.steps.len() {
        0 => "at the start".into(),
        steps => format!("after {}", amount(steps, "step")),
    };
    let name = escape(&proved.name);
    let what = match (proved.answer, error) {
        (Answer::Wrong, Some(_)) => format!("`{name}` cannot be evaluated {after}: model error"),
        (_, Some(_)) => format!("model error {after}"),
        (Answer::Possible, _) => format!("`{name}` is possible {after}"),
        _ => format!("`{name}` is violated {after}"),
    };
    let shown = error
        .as_ref()
        .map_or(String::new(), |error| diagnostics(&Findings::new(sources, std::slice::from_ref(&**error)), colour));
    let setup = match constants.is_empty() {
        true => String::new(),
        false => {
            let lines: String = constants.iter().map(|line| format!("    {}\n", escape(line))).collect();
            format!("setup found {{\n{lines}}}\n\n")
        }
    };
    let scenario: String = walk.scenario.lines().map(|line| format!("{}\n", escape(line))).collect();
    format!("\n{what}:\n\n{shown}{setup}{scenario}\n")
}
