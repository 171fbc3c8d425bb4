//! The graph as one JSON value, for whoever wants to draw or measure it.

use interplay_explore::{Arc, ArcKind, Graph, Node};
use serde_json::{Value, json};

/// `{ "complete", "nodes": [{ "id", "state", "kind", ... }], "arcs": [{ "from", "to", "label", "kind" }] }`
pub fn write(graph: &Graph) -> Value {
    let nodes: Vec<Value> = graph.nodes.iter().enumerate().map(|(index, node)| node_json(index, node)).collect();
    let arcs: Vec<Value> = graph.arcs.iter().map(arc_json).collect();
    json!({ "complete": graph.complete, "nodes": nodes, "arcs": arcs })
}

fn node_json(index: usize, node: &Node) -> Value {
    json!({
        "id": index,
        "state": node.lines,
        "kind": if node.passive { "passive" } else { "active" },
        "initial": node.initial,
        "terminal": node.terminal,
        "accepting": node.accepting,
        "group": node.group,
        "waited": node.waited,
    })
}

fn arc_json(arc: &Arc) -> Value {
    let kind = match arc.kind {
        ArcKind::Input => "input",
        ArcKind::Output => "output",
        ArcKind::Internal => "internal",
        ArcKind::Timeout => "timeout",
    };
    json!({ "from": arc.from, "to": arc.to, "label": arc.label, "kind": kind })
}
