//! The report of an exploration: each property, the way to each finding, and the graph.

use super::Background;
use super::page::{Block, Cell, Page, Section, Table, background, seconds, walk_blocks};
use super::render::render;
use super::tested::remarks_table;
use crate::diagnostics;
use interplay_answers::{Completeness, Explored, Findings, Found, FoundKind, Stop, Verdict};
use interplay_diagnostics::{Sources, amount};

/// The whole page.
pub fn explored_html(explored: &Explored, behind: Background<'_>) -> String {
    let mut sections = Vec::new();
    if !explored.properties.is_empty() {
        sections.push(properties(explored));
    }
    for (index, found) in explored.findings.iter().enumerate() {
        sections.push(finding(behind.sources, index + 1, found));
    }
    let mut remarks = Vec::new();
    if !explored.remarks.is_empty() {
        remarks.push(remarks_table(behind.sources, "never happened", &explored.remarks));
    }
    if let Some(grows) = &explored.growth {
        let sizes: Vec<String> = grows.sizes.iter().map(u64::to_string).collect();
        let text =
            format!("{} grows with the depth: {}. The state space may be infinite.", grows.measure, sizes.join(", "));
        remarks.push(Block::Warning(text));
        remarks.push(Block::Code { title: "A line for the setup", text: grows.proposal.clone() });
    }
    if !remarks.is_empty() {
        sections.push(Section::new("remarks", "Remarks", remarks));
    }
    sections.extend(background(&behind));
    render(&Page {
        command: "explore",
        system: &explored.system,
        verdict: explored.verdict(),
        assurance: assurance(explored),
        sentence: sentence(explored),
        facts: facts(explored, &behind),
        sections,
    })
}

/// The weakest of all that was judged.
fn assurance(explored: &Explored) -> Option<String> {
    match (explored.verdict(), explored.stop, explored.completeness, explored.bounded) {
        (Verdict::Fail, ..) => Some("proved".into()),
        (_, Stop::Exhausted, Completeness::Exact, _) => Some(explored.whole.to_string()),
        (_, Stop::Exhausted, Completeness::Compact { omission }, _) => {
            Some(format!("{} but for a probability of {omission:.1e}", explored.whole))
        }
        (_, _, Completeness::Exact, Some(steps)) => Some(format!("bounded({steps})")),
        _ => None,
    }
}

fn sentence(explored: &Explored) -> String {
    let counts = format!(
        "{} and {}, to a depth of {}",
        amount(explored.states, "state"),
        amount(explored.transitions, "transition"),
        explored.depth
    );
    match explored.stop {
        Stop::Exhausted => format!("Explored all: {counts}."),
        stop => format!("Explored partially: {counts}; ended by: {}.", stop.word()),
    }
}

fn facts(explored: &Explored, behind: &Background<'_>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("specification", behind.file.clone())];
    facts.extend(explored.setup.clone().map(|setup| ("setup", setup)));
    facts.extend([
        ("states", explored.states.to_string()),
        ("transitions", explored.transitions.to_string()),
        ("depth", explored.depth.to_string()),
        ("active, passive", format!("{}, {}", explored.active, explored.passive)),
        ("terminal", explored.terminal.to_string()),
        (
            "engine",
            if explored.engine == interplay_answers::Engine::Compiled { "compiled" } else { "interpreted" }.into(),
        ),
        ("ended by", explored.stop.word().into()),
        ("time", seconds(explored.seconds)),
    ]);
    facts
}

fn properties<'p>(explored: &Explored) -> Section<'p> {
    let row = |each: &interplay_answers::Judged| {
        let link = each.finding.map(|index| format!("#finding-{}", index + 1));
        vec![
            Cell { link, ..Cell::code(&each.name) },
            Cell::verdict(each.verdict, each.verdict.word()),
            Cell::new(each.assurance.map_or(String::new(), |assurance| assurance.to_string())),
            Cell::new(&each.because),
        ]
    };
    let rows = explored.properties.iter().map(row).collect();
    let table = Table { head: vec!["property", "verdict", "assurance", "because"], rows };
    Section::new("properties", "Properties", vec![Block::Table(table)])
}

fn finding<'p>(sources: &Sources, number: usize, found: &Found) -> Section<'p> {
    let shortest = if found.shortest { " This is the shortest trace." } else { "" };
    let (title, mark) = match &found.kind {
        FoundKind::Violated(name) => (format!("`{name}` is violated"), Some("violated")),
        FoundKind::Satisfied(name) => (format!("`{name}` is possible"), None),
        FoundKind::Error { .. } => ("Model error".into(), None),
        FoundKind::Deadlock => ("Deadlock".into(), Some("stuck")),
    };
    let mut blocks = Vec::new();
    if let FoundKind::Error { diagnostic, step } = &found.kind {
        let findings = Findings::new(sources, std::slice::from_ref(diagnostic));
        let text = diagnostics(&findings, crate::Colour::Never);
        blocks.push(Block::Code { title: "Model error", text });
        blocks.extend(step.as_ref().map(|step| Block::Text(format!("In the step {step}, after these:"))));
    }
    if let Some(walk) = &found.trace {
        let steps = walk.steps.len() as u64;
        blocks.insert(0, Block::Text(format!("After {}.{shortest}", amount(steps, "step"))));
        blocks.extend(walk_blocks(&format!("w{number}"), walk, mark));
    }
    Section::new(format!("finding-{number}"), title, blocks)
}
