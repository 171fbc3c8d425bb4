//! The report of a search for goals: the way to each, or why there is none.

use super::Background;
use super::chart::{Arrow, Chart, Row};
use super::page::{Block, Cell, Page, Section, Table, background, seconds, walk_blocks};
use super::render::render;
use interplay_answers::{Sought, SoughtAnswer, SoughtGoal};
use interplay_diagnostics::amount;

/// The whole page.
pub fn sought_html(sought: &Sought, behind: Background<'_>) -> String {
    let mut sections = vec![table(sought)];
    sections.extend(sought.goals.iter().enumerate().map(|(index, goal)| section(index + 1, goal)));
    sections.extend(background(&behind));
    let words = ["reached", "unreachable", "contradictory", "unknown"];
    let counts = words.map(|word| (sought.goals.iter().filter(|goal| goal.answer.word() == word).count(), word));
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    render(&Page {
        command: "scenario find",
        system: &sought.system,
        verdict: sought.verdict(),
        assurance: None,
        sentence: format!("{}.", counts.collect::<Vec<_>>().join(", ")),
        facts: vec![
            ("specification", behind.file.clone()),
            ("goals", sought.goals.len().to_string()),
            ("time", seconds(sought.seconds)),
        ],
        sections,
    })
}

fn table<'p>(sought: &Sought) -> Section<'p> {
    let row = |(index, goal): (usize, &SoughtGoal)| {
        let verdict = goal.answer.verdict();
        let steps = match &goal.answer {
            SoughtAnswer::Reached { way, shortest, .. } => {
                format!("{}{}", way.steps.len(), if *shortest { " (shortest)" } else { "" })
            }
            _ => String::new(),
        };
        vec![
            Cell::code(&goal.name).to(format!("#goal-{}", index + 1)),
            Cell::verdict(verdict, goal.answer.word()),
            Cell::new(steps),
            Cell::new(goal.method.unwrap_or("")),
            Cell::new(goal.setups.join(", ")),
            Cell::new(seconds(goal.seconds)),
        ]
    };
    let rows = sought.goals.iter().enumerate().map(row).collect();
    let table = Table { head: vec!["goal", "answer", "steps", "method", "setups", "time"], rows };
    let mut blocks = vec![Block::Table(table)];
    if sought.interrupted {
        blocks.push(Block::Warning("Interrupted: the remaining goals were not searched for.".into()));
    }
    Section::new("goals", "Goals", blocks)
}

fn section<'p>(number: usize, goal: &SoughtGoal) -> Section<'p> {
    let blocks = match &goal.answer {
        SoughtAnswer::Reached { way, values, achieved, .. } => {
            let mut blocks = Vec::new();
            if !values.is_empty() {
                blocks.push(Block::Text(format!("For {}.", values.join(", "))));
            }
            if !achieved.is_empty() {
                let row = |(step, conjunct): &(Option<usize>, String)| {
                    let since = match step {
                        Some(step) => Cell::new(format!("step {}", step + 1)).to(format!("#g{number}-{}", step + 1)),
                        None => Cell::new("from the start"),
                    };
                    vec![Cell::code(conjunct), since]
                };
                let rows = achieved.iter().map(row).collect();
                blocks.push(Block::Table(Table { head: vec!["part of the goal", "holds since"], rows }));
            }
            blocks.extend(walk_blocks(&format!("g{number}"), way, None));
            blocks
        }
        SoughtAnswer::Wrong { error, way } => {
            let mut blocks = vec![Block::Warning(format!("{}: {}", error.code, error.message))];
            blocks.extend(way.iter().flat_map(|way| walk_blocks(&format!("g{number}"), way, None)));
            blocks
        }
        SoughtAnswer::Unreachable { invariant: Some(invariant), .. } => {
            let rows = invariant.iter().map(|conjunct| vec![Cell::code(conjunct)]).collect();
            vec![Block::Table(Table { head: vec!["unreachable (proved) because of this invariant"], rows })]
        }
        SoughtAnswer::Unreachable { states, .. } => {
            vec![Block::Text(format!("The goal is false in all {}.", amount(*states, "state")))]
        }
        SoughtAnswer::Contradictory { core } => {
            let rows = core.iter().map(|conjunct| vec![Cell::code(conjunct)]).collect();
            vec![Block::Table(Table { head: vec!["these cannot hold together"], rows })]
        }
        SoughtAnswer::Unknown { states, nearest, obstacle } => {
            let mut blocks = vec![Block::Text(format!("Unknown after {}.", amount(*states, "state")))];
            blocks.extend(obstacle.iter().map(|why| Block::Warning(format!("{}: {}", why.code, why.message))));
            if let Some(interplay_answers::SoughtNear { events, lacks, .. }) = nearest {
                let row = |event: &String| Row { arrow: Arrow::Both, text: event.clone(), changes: Vec::new() };
                let rows = events.iter().map(row).collect();
                let id = format!("g{number}");
                blocks.push(Block::Text(format!("The nearest trace lacks {}:", lacks.join(" and "))));
                blocks.push(Block::Chart(Chart { id, left: "environment", right: "system", rows, wrong: None }));
            }
            blocks
        }
    };
    Section::new(format!("goal-{number}"), format!("`{}`: {}", goal.name, goal.answer.word()), blocks)
}
