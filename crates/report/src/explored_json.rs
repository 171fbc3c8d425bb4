//! What `explore --json` prints: one document. Its `schema` is raised when a field changes its meaning or goes away; new
//! fields may come at any time.

use crate::{Completeness, Engine, Explored, Findings, Found, FoundKind, Judged, Remark, Walk, json};
use interplay_diagnostics::{Sources, Span};
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

pub fn explored_json(sources: &Sources, explored: &Explored) -> Value {
    let mut document = value!({
        "schema": SCHEMA,
        "system": explored.system,
        "setup": explored.setup,
        "verdict": explored.verdict().word(),
        "states": explored.states,
        "transitions": explored.transitions,
        "depth": explored.depth,
        "stop": explored.stop.word(),
        "bounded": explored.bounded,
        "seconds": rounded(explored.seconds, 1e6),
        "states_per_second": explored.states_per_second().round(),
        "bytes_per_state": rounded(explored.bytes_per_state(), 10.0),
        "engine": if explored.engine == Engine::Compiled { "compiled" } else { "interpreted" },
        "interpreted_because": because(sources, &explored.engine),
        "visited_set": completeness(explored.completeness),
        "postponed": explored.postponed,
        "on_disk": explored.spilled,
        "disk_trouble": explored.trouble,
        "active": explored.active,
        "passive": explored.passive,
        "terminal": explored.terminal,
        "not_accepting": explored.not_accepting,
        "timeouts": explored.timeouts,
        "properties": explored.properties.iter().map(|each| property(explored, each)).collect::<Vec<_>>(),
        "findings": explored.findings.iter().map(|each| finding(sources, each)).collect::<Vec<_>>(),
        "warnings": explored.remarks.iter().map(|each| warning(sources, each)).collect::<Vec<_>>(),
    });
    document["growth"] = match &explored.growth {
        Some(grows) => value!({ "measure": grows.measure, "sizes": grows.sizes, "proposal": grows.proposal }),
        None => Value::Null,
    };
    if let Some(reduction) = &explored.reduction {
        document["symmetry"] = value!({ "types": reduction.types, "represented": reduction.represented });
    }
    document
}

/// Why it was interpreted, if it was.
fn because(sources: &Sources, engine: &Engine) -> Value {
    match engine {
        Engine::Compiled => Value::Null,
        Engine::Interpreted { why, span } => value!({ "why": why, "place": span.map(|span| place(sources, span)) }),
    }
}

fn completeness(completeness: Completeness) -> Value {
    match completeness {
        Completeness::Exact => value!({ "kind": "exact" }),
        Completeness::Compact { omission } => value!({ "kind": "compact", "omission": omission }),
        Completeness::Bitstate { coverage } => value!({ "kind": "bitstate", "coverage": coverage }),
    }
}

fn property(explored: &Explored, judged: &Judged) -> Value {
    let found = judged.finding.map(|index| &explored.findings[index]);
    value!({
        "name": judged.name,
        "verdict": judged.verdict.word(),
        "assurance": judged.assurance.map(|assurance| assurance.to_string()),
        "because": judged.because,
        "trace": found.and_then(|found| found.trace.as_ref()).map(trace),
    })
}

fn finding(sources: &Sources, found: &Found) -> Value {
    let mut document = match &found.kind {
        FoundKind::Violated(name) => value!({ "kind": "violated", "property": name }),
        FoundKind::Satisfied(name) => value!({ "kind": "satisfied", "property": name }),
        FoundKind::Deadlock => value!({ "kind": "deadlock" }),
        FoundKind::Error { diagnostic, step } => {
            let findings = Findings::new(sources, std::slice::from_ref(diagnostic));
            value!({ "kind": "model error", "step": step, "diagnostic": json(&findings)["diagnostics"][0] })
        }
    };
    document["shortest"] = value!(found.shortest);
    document["trace"] = value!(found.trace.as_ref().map(trace));
    document
}

pub(crate) fn trace(walk: &Walk) -> Value {
    let step = |step: &crate::WalkStep| value!({ "event": step.event, "changes": step.changes });
    value!({
        "length": walk.steps.len(),
        "start": walk.start,
        "steps": walk.steps.iter().map(step).collect::<Vec<_>>(),
        "end": walk.end,
        "scenario": walk.scenario,
    })
}

fn warning(sources: &Sources, remark: &Remark) -> Value {
    value!({ "message": remark.message, "place": remark.span.map(|span| place(sources, span)) })
}

pub(crate) fn place(sources: &Sources, span: Span) -> Value {
    let (line, column) = sources.position(span.start_point());
    value!({ "file": sources.file(span.file).name, "line": line, "column": column })
}

pub(crate) fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
