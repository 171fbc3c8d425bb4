//! The report of a test: each failure as a chart with its explanation, then what was covered.

use super::Background;
use super::chart::Chart;
use super::page::{Block, Cell, Page, Section, Table, background, seconds};
use super::render::render;
use crate::diagnostics;
use crate::text::life;
use interplay_answers::Mark;
use interplay_answers::{Findings, Reason, TestEffort, TestFailure, TestTrouble, Tested, Verdict};
use interplay_diagnostics::{Sources, amount};

/// The whole page.
pub fn tested_html(tested: &Tested, behind: Background<'_>) -> String {
    let mut behind = behind;
    behind.marks.extend(blamed(tested));
    let mut sections = Vec::new();
    if !tested.remarks.is_empty() || !tested.gone.is_empty() {
        let gone = tested.gone.iter().map(|gone| format!("Stored failure not reproduced: {gone}"));
        let notes = tested.remarks.iter().cloned().chain(gone).map(Block::Warning).collect();
        sections.push(Section::new("remarks", "Warnings", notes));
    }
    for (index, each) in tested.failures.iter().enumerate() {
        sections.push(failure(behind.sources, index + 1, each, tested));
    }
    if let Some(trouble) = &tested.trouble {
        sections.push(self::trouble(trouble));
    }
    if let Some(problem) = &tested.problem {
        let text = diagnostics(&Findings::new(behind.sources, std::slice::from_ref(problem)), crate::Colour::Never);
        let blocks = vec![Block::Code { title: "Model error", text }];
        sections.push(Section::new("problem", "Model error of the specification", blocks));
    }
    if tested.failures.len() > 1 {
        sections.insert(0, overview(tested));
    }
    if !tested.properties.is_empty() {
        let row = |each: &interplay_answers::TestProperty| {
            vec![Cell::code(&each.name), Cell::verdict(each.verdict, each.verdict.word()), Cell::new(&each.because)]
        };
        let rows = tested.properties.iter().map(row).collect();
        let table = Table { head: vec!["property", "verdict", "because"], rows };
        sections.push(Section::new("properties", "Properties", vec![Block::Table(table)]));
    }
    if !tested.replay && tested.steps > 0 {
        sections.push(coverage(behind.sources, tested));
    }
    if !tested.replay && !tested.efforts.is_empty() {
        sections.push(efforts(tested));
    }
    sections.extend(background(&behind));
    render(&Page {
        command: if tested.replay { "replay" } else { "test" },
        system: &tested.system,
        verdict: tested.verdict(),
        assurance: tested.assurance(),
        sentence: sentence(tested),
        facts: facts(tested, &behind),
        sections,
    })
}

fn sentence(tested: &Tested) -> String {
    match (tested.verdict(), tested.replay, tested.failures.as_slice()) {
        (Verdict::Pass, true, _) => "The failure was not reproduced.".into(),
        (Verdict::Pass, false, _) => "No deviation from the specification was observed.".into(),
        (_, _, [only]) => format!("{}.", only.title),
        (_, _, [_, ..]) => format!("{} different failures were found.", tested.failures.len()),
        _ => match &tested.trouble {
            Some(trouble) => trouble.message.clone(),
            None => "No verdict was reached.".into(),
        },
    }
}

fn facts(tested: &Tested, behind: &Background<'_>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("specification", behind.file.clone()), ("implementation", tested.implementation.clone())];
    facts.extend(tested.setup.clone().map(|setup| ("setup", setup)));
    if !tested.replay {
        facts.push(("runs", tested.runs.to_string()));
        facts.push(("steps", tested.steps.to_string()));
        facts.push(("strategy", tested.strategy.clone()));
        facts.push(("seed", tested.seed.to_string()));
        facts.push(("ended by", tested.stop.word().into()));
    }
    facts.push(("time", seconds(tested.seconds)));
    facts
}

fn overview<'p>(tested: &Tested) -> Section<'p> {
    let row = |(index, each): (usize, &TestFailure)| {
        vec![
            Cell::new(&each.title).to(format!("#failure-{}", index + 1)),
            Cell::new(each.count.to_string()),
            Cell::new(each.length.to_string()),
            Cell::code(&each.signature),
        ]
    };
    let rows = tested.failures.iter().enumerate().map(row).collect();
    let table = Table { head: vec!["failure", "seen", "steps", "failure id"], rows };
    Section::new("failures", "Failures", vec![Block::Table(table)])
}

fn failure<'p>(sources: &Sources, number: usize, failure: &TestFailure, tested: &Tested) -> Section<'p> {
    let id = format!("failure-{number}");
    let mut blocks = vec![
        Block::Text(failure.title.clone()),
        Block::Chart(Chart::of_test(&format!("f{number}"), &failure.chart, Some("wrong"))),
    ];
    if !failure.expected.is_empty() {
        let words = ["nearest to the observation", ""];
        let row = |(index, label): (usize, &String)| vec![Cell::code(label), Cell::new(words[index.min(1)])];
        let rows = failure.expected.iter().enumerate().map(row).collect();
        blocks.push(Block::Table(Table { head: vec!["expected", ""], rows }));
    }
    if !failure.reasons.is_empty() {
        let rows = failure.reasons.iter().map(|each| reason(sources, each)).collect();
        blocks.push(Block::Table(Table { head: vec!["why it was not allowed", "values", "place"], rows }));
    }
    blocks.extend(states(failure));
    let life = life(failure, tested.replay);
    blocks.push(Block::Text(format!(
        "Failure id: {} (seen {}). {}.",
        failure.signature,
        amount(failure.count, "time"),
        life[..1].to_uppercase() + &life[1..],
    )));
    if let Some(file) = &failure.file {
        blocks.push(Block::Text(format!("Kept in {file}.")));
    }
    if !failure.token.is_empty() {
        blocks.push(Block::Code { title: "Replay", text: format!("interplay replay {}", failure.token) });
    }
    blocks.push(Block::Code { title: "As a scenario", text: failure.scenario.clone() });
    let title =
        if tested.failures.len() == 1 { "The failing conversation".into() } else { format!("Failure {number}") };
    Section::new(id, title, blocks)
}

fn reason(sources: &Sources, reason: &Reason) -> Vec<Cell> {
    let values: Vec<String> = reason.values.iter().map(|(part, value)| format!("{part} = {value}")).collect();
    vec![Cell::code(&reason.text), Cell::code(values.join(", ")), Cell::place(sources, reason.span)]
}

fn states<'p>(failure: &TestFailure) -> Vec<Block<'p>> {
    let shown = failure.states.len();
    let title = match (failure.state_count, shown) {
        (_, 0) => return Vec::new(),
        (1, _) => "The state before it".to_string(),
        (all, shown) if all > shown => format!("{all} states were possible before it; {shown} of them"),
        (all, _) => format!("{all} states were possible before it"),
    };
    let code = |state: &Vec<String>| Block::Code { title: "state", text: state.join("\n") };
    let states: Vec<Block<'p>> = failure.states.iter().map(code).collect();
    if failure.state_count == 1 {
        let lines = failure.states[0].join("\n");
        return vec![Block::Code { title: "The state before it", text: lines }];
    }
    vec![Block::Fold(title, states)]
}

fn trouble<'p>(trouble: &TestTrouble) -> Section<'p> {
    let mut blocks = vec![Block::Warning(trouble.message.clone())];
    if !trouble.chart.is_empty() {
        blocks.push(Block::Chart(Chart::of_test("t", &trouble.chart, None)));
    }
    if !trouble.exchange.is_empty() {
        blocks.push(Block::Code { title: "Last messages", text: trouble.exchange.join("\n") });
    }
    Section::new("trouble", "The run stopped", blocks)
}

fn coverage<'p>(sources: &Sources, tested: &Tested) -> Section<'p> {
    let covered = &tested.coverage;
    let part = |name: &'static str, (done, of): (usize, usize)| {
        let share = (done * 100).checked_div(of).map_or(String::new(), |share| format!("{share} %"));
        let verdict = if done == of { Verdict::Pass } else { Verdict::Inconclusive };
        (of > 0).then(|| vec![Cell::new(name), Cell::new(format!("{done} of {of}")), Cell::verdict(verdict, share)])
    };
    let number = |name: &'static str, number: u64| vec![Cell::new(name), Cell::new(number.to_string()), Cell::new("")];
    let parts = [
        part("rules", covered.rules),
        part("locations", covered.locations),
        part("branches", covered.branches),
        part("guard outcomes", covered.guards),
        part("outputs", covered.outputs),
        part("obligations of properties", covered.obligations),
    ];
    let mut rows: Vec<Vec<Cell>> = parts.into_iter().flatten().collect();
    match &covered.reachable {
        Some(all) => rows.extend(
            [
                part("states that can be reached", (covered.states, all.states)),
                part("transitions", (covered.transitions as usize, all.transitions)),
                part("pairs of rules", (covered.pairs, all.pairs)),
            ]
            .into_iter()
            .flatten(),
        ),
        None => rows.extend([
            number("states", covered.states as u64),
            number("transitions", covered.transitions),
            number("pairs of rules", covered.pairs as u64),
        ]),
    }
    let mut blocks = vec![Block::Table(Table { head: vec!["covered", "", ""], rows })];
    if !covered.never_given.is_empty() {
        blocks.push(Block::Warning(format!("Inputs that were never given: {}", covered.never_given.join(", "))));
    }
    if !covered.shown.is_empty() {
        blocks.push(remarks_table(sources, "covered by a trace of the solver", &covered.shown));
    }
    if !covered.missed.is_empty() {
        blocks.push(remarks_table(sources, "never happened", &covered.missed));
    }
    if !covered.unused.is_empty() {
        blocks.push(remarks_table(sources, "not covered", &covered.unused));
    }
    Section::new("coverage", "Coverage", blocks)
}

/// Who chose the inputs: a row each, with what only this one brought.
fn efforts<'p>(tested: &Tested) -> Section<'p> {
    let linked = |number: u64, link: &str| {
        let cell = Cell::short(number.to_string());
        if number > 0 && tested.steps > 0 { cell.to(link) } else { cell }
    };
    let failures = if tested.failures.len() > 1 { "#failures" } else { "#failure-1" };
    let row = |each: &TestEffort| {
        vec![
            Cell::short(&each.who),
            Cell::short(each.runs.to_string()),
            Cell::short(each.steps.map_or(String::new(), |steps| steps.to_string())),
            linked(each.sets, "#coverage"),
            linked(each.rules, "#coverage"),
            linked(each.failures, failures),
            // A number and its unit stay together.
            Cell::short(seconds(each.seconds).replace(' ', "\u{a0}")),
        ]
    };
    let head = vec!["who chose", "runs", "steps", "new sets of states", "new rules", "new failures", "time"];
    let table = Table { head, rows: tested.efforts.iter().map(row).collect() };
    Section::new("strategies", "Strategies", vec![Block::Table(table)])
}

/// The parts of guards that a failure is about.
fn blamed(tested: &Tested) -> Vec<Mark> {
    let reasons = tested.failures.iter().flat_map(|failure| &failure.reasons);
    let mark = |reason: &Reason| {
        let values: Vec<String> = reason.values.iter().map(|(part, value)| format!("{part} = {value}")).collect();
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
        let why = Some(format!("{}{values}", reason.text));
        Some(Mark { span: reason.span?, count: None, why, blamed: true })
    };
    let mut marks: Vec<Mark> = reasons.filter_map(mark).collect();
    marks.dedup();
    marks
}

pub(super) fn remarks_table<'p>(
    sources: &Sources,
    head: &'static str,
    remarks: &[interplay_answers::Remark],
) -> Block<'p> {
    let row = |each: &interplay_answers::Remark| vec![Cell::new(&each.message), Cell::place(sources, each.span)];
    Block::Table(Table { head: vec![head, "place"], rows: remarks.iter().map(row).collect() })
}
