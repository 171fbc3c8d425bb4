//! What `test --systematic --json` prints: one document. Its `schema` is raised when a field changes its meaning or goes away;
//! new fields may come at any time.

use crate::{Systematic, SystematicFinding, SystematicTable, Verdict};
use serde_json::{Value, json};

const SCHEMA: u32 = 1;

pub fn systematic_json(done: &Systematic) -> Value {
    let work = &done.work;
    let mut document = json!({
        "schema": SCHEMA,
        "system": done.system,
        "setup": done.setup,
        "sut": done.sut,
        "verdict": done.verdict().word(),
        "assurance": (done.verdict() == Verdict::Pass).then(|| done.assurance.to_string()),
        "driver": done.driver,
        "merge": done.merge,
        "depth": done.depth,
        "overwrite": done.overwrite,
        "properties": done.properties,
        "observable": done.observable,
        "stop": done.stop.word(),
        "paths": work.paths,
        "events": work.events,
        "longest": work.longest,
        "choices": work.choices,
        "ended": work.ended,
        "cut": work.cut,
        "stuck": work.stuck,
        "refused": work.refused,
        "halted": work.halted,
        "misdirected": work.misdirected,
        "estimated_paths": done.estimate.map(f64::round),
        "seconds": (done.seconds * 1e6).round() / 1e6,
        "events_per_second": done.events_per_second().round(),
        "findings": done.findings.iter().map(finding).collect::<Vec<_>>(),
        "warnings": done.remarks,
    });
    if done.matching {
        document["states"] = json!(work.states);
        document["transitions"] = json!(work.transitions);
    }
    if done.sut.is_some() {
        document["round_trips"] = json!(work.round_trips);
    }
    if !done.nodes.is_empty() {
        let node = |(name, why): &(String, Option<String>)| json!({ "node": name, "complete_because": why });
        document["nodes"] = done.nodes.iter().map(node).collect();
    }
    document
}

fn finding(found: &SystematicFinding) -> Value {
    json!({
        "kind": found.kind,
        "property": found.property,
        "message": found.message,
        "tosses": found.tosses,
        "events": found.events,
        "scenario": found.scenario,
        "evidence": found.evidence,
        "runs": found.runs,
    })
}

pub fn systematic_table_json(table: &SystematicTable) -> Value {
    let row = |row: &crate::SystematicRow| {
        let mut document = json!({ "depth": row.depth });
        for (driver, cell) in table.drivers.iter().zip(&row.cells) {
            document[driver] = match cell {
                Some((paths, seconds)) => json!({ "paths": paths, "seconds": (seconds * 1e6).round() / 1e6 }),
                None => Value::Null,
            };
        }
        document
    };
    json!({ "schema": SCHEMA, "title": table.title, "rows": table.rows.iter().map(row).collect::<Vec<_>>() })
}
