//! The report of a verification: an answer for each property, with what it rests on.

use super::Background;
use super::page::{Block, Cell, Page, Section, Table, background, seconds, walk_blocks};
use super::render::render;
use crate::diagnostics;
use interplay_answers::{Answer, Evidence, Findings, Proved, Verdict, Verified};
use interplay_diagnostics::{Sources, amount};

/// The whole page.
pub fn verified_html(verified: &Verified, behind: Background<'_>) -> String {
    let mut sections = vec![table(verified)];
    if let Some(missing) = &verified.missing {
        sections.push(Section::new("solver", "The solver", vec![Block::Warning(missing.clone())]));
    }
    for (index, each) in verified.properties.iter().enumerate() {
        sections.extend(property(behind.sources, index + 1, each));
    }
    sections.extend(background(&behind));
    let mut facts = vec![("specification", behind.file.clone())];
    facts.extend(verified.setup.clone().map(|setup| ("setup", setup)));
    facts.push(("properties", verified.properties.len().to_string()));
    if !verified.symbolic.is_empty() {
        facts.push(("for all values of", verified.symbolic.join(", ")));
    }
    facts.push(("time", seconds(verified.seconds)));
    render(&Page {
        command: "verify",
        system: &verified.system,
        verdict: verified.verdict(),
        assurance: assurance(verified),
        sentence: sentence(verified),
        facts,
        sections,
    })
}

/// The weakest of those that count.
fn assurance(verified: &Verified) -> Option<String> {
    let decides = |each: &&Proved| match verified.verdict() {
        Verdict::Fail => each.verdict == Verdict::Fail,
        _ => true,
    };
    let all: Option<Vec<&str>> =
        verified.properties.iter().filter(decides).map(|each| each.evidence.assurance()).collect();
    let all = all?;
    let weakest = all.iter().find(|each| **each != "proved").or(all.first())?;
    Some((*weakest).into())
}

fn sentence(verified: &Verified) -> String {
    let with = |verdict| verified.properties.iter().filter(move |each| each.verdict == verdict).count() as u64;
    let parts = [
        (with(Verdict::Fail), "failed"),
        (with(Verdict::Pass), "passed"),
        (with(Verdict::Inconclusive), "inconclusive"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    match parts.is_empty() {
        true => "The specification has no properties.".into(),
        false => format!("Of {}: {}.", amount(verified.properties.len(), "question"), parts.join(", ")),
    }
}

fn table<'p>(verified: &Verified) -> Section<'p> {
    let row = |(index, each): (usize, &Proved)| {
        let link = has_more(each).then(|| format!("#property-{}", index + 1));
        vec![
            Cell { link, ..Cell::code(&each.name) },
            Cell::verdict(each.verdict, each.answer.word()),
            Cell::new(
                [each.evidence.assured().as_deref(), each.condition]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            Cell::new(each.engine.unwrap_or("")),
            Cell::new(seconds(each.seconds)),
        ]
    };
    let rows = verified.properties.iter().enumerate().map(row).collect();
    let table = Table { head: vec!["property", "answer", "assurance", "engine", "time"], rows };
    Section::new("properties", "Properties", vec![Block::Table(table)])
}

fn has_more(proved: &Proved) -> bool {
    !matches!(proved.evidence, Evidence::None) || !proved.progress.is_empty()
}

fn property<'p>(sources: &Sources, number: usize, proved: &Proved) -> Option<Section<'p>> {
    if !has_more(proved) {
        return None;
    }
    let mut blocks = Vec::new();
    match &proved.evidence {
        Evidence::None => {}
        Evidence::Trace { walk, constants, error } => {
            if let Some(error) = error {
                let text = diagnostics(&Findings::new(sources, std::slice::from_ref(&**error)), crate::Colour::Never);
                blocks.push(Block::Code { title: "Model error", text });
            }
            if !constants.is_empty() {
                let text = format!("setup found {{\n    {}\n}}", constants.join("\n    "));
                blocks.push(Block::Code { title: "With these constants", text });
            }
            let mark = (proved.answer == Answer::Violated && error.is_none()).then_some("violated");
            blocks.extend(walk_blocks(&format!("w{number}"), walk, mark));
        }
        Evidence::Invariant { conjuncts, steps, solvers } => {
            let over = if *steps > 1 { format!(", by {steps}-induction") } else { String::new() };
            let by = match solvers.split_first() {
                Some((first, [])) => format!("found by {first}, confirmed by a second process of {first}"),
                Some((first, others)) => format!("found by {first}, confirmed by {}", others.join(" and ")),
                None => String::new(),
            };
            blocks.push(Block::Text(format!("Proved by this invariant{over}; {by}.")));
            blocks.push(Block::Code { title: "Invariant", text: conjuncts.join("\n") });
        }
        Evidence::Exhausted { states, .. } => {
            blocks.push(Block::Text(format!("All {} were visited.", amount(*states, "state"))))
        }
    }
    if !proved.progress.is_empty() {
        let row = |each: &interplay_answers::Attempt| {
            vec![Cell::new(each.engine), Cell::new(&each.text), Cell::place(sources, each.span)]
        };
        let rows = proved.progress.iter().map(row).collect();
        blocks.push(Block::Table(Table { head: vec!["engine", "progress", "place"], rows }));
    }
    Some(Section::new(format!("property-{number}"), format!("`{}`: {}", proved.name, proved.answer.word()), blocks))
}
