//! What `test --systematic --json` prints: the search, or a table of several.

use super::shared::seconds;
use super::version::Version;
use crate::{Systematic, SystematicFinding, SystematicRow, SystematicStop, SystematicTable, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a search through all behaviours of a service found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystematicDocument<'a> {
    schema: Version<1>,
    /// The name of the system.
    system: &'a str,
    /// The setup that was used.
    setup: Option<&'a str>,
    /// The implementation, if not the specification alone was searched.
    sut: Option<&'a str>,
    verdict: Verdict,
    assurance: Option<String>,
    driver: &'a str,
    merge: &'a str,
    /// Events per run.
    depth: u64,
    overwrite: u32,
    /// Those that were judged.
    properties: &'a [String],
    /// The inputs of which they speak.
    observable: &'a [String],
    stop: SystematicStop,
    paths: u64,
    events: u64,
    longest: u64,
    choices: u64,
    ended: u64,
    cut: u64,
    stuck: u64,
    /// Runs that ended with an input that a black box refused without having said what it would take.
    refused: u64,
    halted: u64,
    misdirected: u64,
    estimated_paths: Option<f64>,
    /// How long it took.
    seconds: f64,
    events_per_second: f64,
    findings: Vec<Finding<'a>>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<u64>,
    /// Messages that the implementation answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    round_trips: Option<u64>,
    /// With the published driver: why each node is searched completely, if it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Node<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Finding<'a> {
    /// A word: `violated`, `crash`, `deadlock`, `enabled` ...
    kind: &'a str,
    property: Option<&'a str>,
    message: &'a str,
    tosses: &'a [u32],
    events: &'a [String],
    scenario: &'a str,
    evidence: &'a [String],
    /// Runs that ended in the same way.
    runs: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Node<'a> {
    node: &'a str,
    complete_because: Option<&'a str>,
}

/// Paths and seconds by depth and driver.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystematicTableDocument<'a> {
    schema: Version<1>,
    title: &'a str,
    rows: Vec<Row<'a>>,
}

/// One cell for each driver; none where it would have taken too long.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Row<'a> {
    depth: u64,
    #[serde(flatten)]
    cells: BTreeMap<&'a str, Option<Cell>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Cell {
    paths: u64,
    seconds: f64,
}

impl Systematic {
    /// For programs.
    pub fn document(&self) -> SystematicDocument<'_> {
        let work = &self.work;
        SystematicDocument {
            schema: Version,
            system: &self.system,
            setup: self.setup.as_deref(),
            sut: self.sut.as_deref(),
            verdict: self.verdict(),
            assurance: (self.verdict() == Verdict::Pass).then(|| self.assurance.to_string()),
            driver: &self.driver,
            merge: &self.merge,
            depth: self.depth,
            overwrite: self.overwrite,
            properties: &self.properties,
            observable: &self.observable,
            stop: self.stop,
            paths: work.paths,
            events: work.events,
            longest: work.longest,
            choices: work.choices,
            ended: work.ended,
            cut: work.cut,
            stuck: work.stuck,
            refused: work.refused,
            halted: work.halted,
            misdirected: work.misdirected,
            estimated_paths: self.estimate.map(f64::round),
            seconds: seconds(self.seconds),
            events_per_second: self.events_per_second().round(),
            findings: self.findings.iter().map(finding).collect(),
            warnings: &self.remarks,
            states: self.matching.then_some(work.states),
            transitions: self.matching.then_some(work.transitions),
            round_trips: self.sut.is_some().then_some(work.round_trips),
            nodes: self.nodes.iter().map(|(node, why)| Node { node, complete_because: why.as_deref() }).collect(),
        }
    }
}

fn finding(found: &SystematicFinding) -> Finding<'_> {
    Finding {
        kind: &found.kind,
        property: found.property.as_deref(),
        message: &found.message,
        tosses: &found.tosses,
        events: &found.events,
        scenario: &found.scenario,
        evidence: &found.evidence,
        runs: found.runs,
    }
}

impl SystematicTable {
    /// For programs.
    pub fn document(&self) -> SystematicTableDocument<'_> {
        let cell = |cell: &Option<(u64, f64)>| cell.map(|(paths, spent)| Cell { paths, seconds: seconds(spent) });
        let row = |row: &SystematicRow| Row {
            depth: row.depth,
            cells: self.drivers.iter().map(String::as_str).zip(row.cells.iter().map(cell)).collect(),
        };
        SystematicTableDocument { schema: Version, title: &self.title, rows: self.rows.iter().map(row).collect() }
    }
}
