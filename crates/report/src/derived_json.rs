//! What `derive --json` prints and `derive --out` writes: one document with the whole test case.

use crate::DerivedTest;
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

pub fn derived_json(derived: &DerivedTest) -> Value {
    let size = |(nodes, edges): (usize, usize)| value!({ "nodes": nodes, "edges": edges });
    let verdicts = derived.verdicts.iter().map(|(name, way)| (name.clone(), value!(way)));
    let nodes = derived.nodes.iter().map(|node| value!({ "verdict": node.verdict, "states": node.states }));
    let edges = derived.edges.iter().map(|edge| {
        let kind = if edge.input { "input" } else { "output" };
        value!({ "from": edge.from, "to": edge.to, "label": edge.label, "kind": kind })
    });
    value!({
        "schema": SCHEMA,
        "system": derived.system,
        "setup": derived.setup,
        "target": derived.target,
        "relation": derived.relation,
        "possible": derived.possible,
        "never": derived.never,
        "before_selection": size(derived.product),
        "after_selection": size(derived.selected),
        "reachable": derived.reachable,
        "hopeless": derived.hopeless,
        "case": {
            "symbolic": derived.not_symbolic.is_none(),
            "because": derived.not_symbolic,
            "places": derived.case.places,
            "steps": derived.case.steps,
            "specification": derived.case.text,
        },
        "verdicts": verdicts.collect::<serde_json::Map<String, Value>>(),
        "test": { "start": 0, "nodes": nodes.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>() },
    })
}
