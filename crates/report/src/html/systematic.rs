//! The report of a systematic test, and that of the table of all drivers.

use super::Background;
use super::chart::{Arrow, Chart, Row};
use super::page::{Block, Cell, Page, Section, Table, background, seconds};
use super::plot::{Plot, Series};
use super::render::render;
use interplay_answers::{Systematic, SystematicFinding, SystematicTable, Verdict};
use interplay_diagnostics::amount;

/// The whole page.
pub fn systematic_html(done: &Systematic, behind: Background<'_>) -> String {
    let mut sections: Vec<Section<'_>> =
        done.findings.iter().enumerate().map(|(index, each)| finding(index + 1, each, done)).collect();
    sections.push(work(done));
    sections.extend(background(&behind));
    let mut facts = vec![("specification", behind.file.clone())];
    facts.extend(done.setup.clone().map(|setup| ("setup", setup)));
    facts.extend(done.sut.clone().map(|sut| ("implementation", sut)));
    facts.extend([
        ("driver", done.driver.clone()),
        ("events per run", done.depth.to_string()),
        ("runs", done.work.paths.to_string()),
        ("events", done.work.events.to_string()),
        ("ended by", done.stop.word().into()),
        ("time", seconds(done.seconds)),
    ]);
    render(&Page {
        command: "test --systematic",
        system: &done.system,
        verdict: done.verdict(),
        assurance: (done.verdict() == Verdict::Pass).then(|| format!("bounded({})", done.depth)),
        sentence: match done.verdict() {
            Verdict::Pass => format!("No fault in any run of {}.", amount(done.depth, "event")),
            Verdict::Fail => {
                format!("{} in runs of {}.", amount(done.findings.len(), "finding"), amount(done.depth, "event"))
            }
            Verdict::Inconclusive => "No fault so far.".into(),
        },
        facts,
        sections,
    })
}

fn finding<'p>(number: usize, finding: &SystematicFinding, done: &Systematic) -> Section<'p> {
    let mut blocks = vec![Block::Text(finding.message.clone())];
    if !finding.events.is_empty() {
        let row = |event: &String| Row { arrow: Arrow::Right, text: event.clone(), changes: Vec::new() };
        let rows = finding.events.iter().map(row).collect();
        let (id, wrong) = (format!("e{number}"), Some(finding.kind.clone()));
        blocks.push(Block::Chart(Chart { id, left: "tester", right: "service", rows, wrong }));
    }
    if !finding.evidence.is_empty() {
        blocks.push(Block::Code { title: "The last messages", text: finding.evidence.join("\n") });
    }
    if finding.runs > 1 {
        blocks.push(Block::Text(format!("Found in {} runs; this is the shortest.", finding.runs)));
    }
    if let Some(text) = done.again(finding) {
        blocks.push(Block::Code { title: "Replay", text });
    }
    blocks.push(Block::Code { title: "As a scenario", text: finding.scenario.clone() });
    let title = finding.property.as_ref().map_or(finding.kind.clone(), |name| format!("{}: `{name}`", finding.kind));
    Section::new(format!("finding-{number}"), title, blocks)
}

fn work<'p>(done: &Systematic) -> Section<'p> {
    let work = &done.work;
    let numbers = [
        (work.ended, "reached an end of the service"),
        (work.cut, "were cut at the depth limit"),
        (work.stuck, "could continue only by a correction"),
        (work.refused, "ended with a refused input"),
        (work.halted, "were abandoned by the driver"),
    ];
    let rows = numbers.iter().filter(|(number, _)| *number > 0);
    let rows = rows.map(|(number, what)| vec![Cell::new(*what), Cell::new(number.to_string())]).collect();
    let mut blocks = vec![Block::Table(Table { head: vec!["how runs ended", "runs"], rows })];
    for (node, _) in done.nodes.iter().filter(|(_, why)| why.is_none()) {
        blocks.push(Block::Warning(format!("The published driver may miss behaviours after the node `{node}`.")));
    }
    blocks.extend(done.remarks.iter().cloned().map(Block::Warning));
    Section::new("work", "Work", blocks)
}

/// The whole page of `--table`.
pub fn systematic_table_html(system: &str, table: &SystematicTable, behind: Background<'_>) -> String {
    let cell = |cell: &Option<(u64, f64)>| match cell {
        Some((paths, taken)) => [Cell::new(paths.to_string()), Cell::new(seconds(*taken))],
        None => [Cell::new("-"), Cell::new("-")],
    };
    let row = |row: &interplay_answers::SystematicRow| {
        let cells = row.cells.iter().flat_map(cell);
        std::iter::once(Cell::new(row.depth.to_string())).chain(cells).collect()
    };
    let rows: Vec<Vec<Cell>> = table.rows.iter().map(row).collect();
    let names = table.drivers.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut head = vec!["depth"];
    table.drivers.iter().for_each(|_| head.extend(["runs", "time"]));
    let series = |(column, driver): (usize, &String)| {
        let point = |row: &interplay_answers::SystematicRow| {
            Some((row.depth as f64, row.cells.get(column)?.as_ref()?.0 as f64))
        };
        Series { name: driver.clone(), points: table.rows.iter().filter_map(point).collect() }
    };
    let plot = Plot {
        title: "Runs by depth".into(),
        across: "events per run".into(),
        up: "runs".into(),
        series: table.drivers.iter().enumerate().map(series).collect(),
        logarithmic: true,
    };
    let mut sections = vec![
        Section::new("table", format!("Runs of the drivers {names}"), vec![Block::Table(Table { head, rows })]),
        Section::new("plots", "Over depth", vec![Block::Plot(plot)]),
    ];
    sections.extend(background(&behind));
    render(&Page {
        command: "test --systematic --table",
        system,
        verdict: Verdict::Pass,
        assurance: None,
        sentence: table.title.clone(),
        facts: vec![("specification", behind.file.clone())],
        sections,
    })
}
