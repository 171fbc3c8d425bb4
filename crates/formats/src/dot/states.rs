//! Graphviz: active states round, passive ones as boxes, as in the paper; outputs dashed, timeouts dotted.

use super::escaped;
use interplay_explore::{Arc, ArcKind, Graph, Node};
use std::collections::BTreeMap;

pub fn states(graph: &Graph) -> String {
    let mut text = String::from("digraph states {\n  node [fontsize=10];\n  edge [fontsize=9];\n");
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        text += &format!("  s{index} [{}];\n", attributes(index, node));
        if let Some(group) = &node.group {
            groups.entry(group).or_default().push(index);
        }
        if node.initial {
            text += &format!("  start{index} [shape=point];\n  start{index} -> s{index};\n");
        }
    }
    for (number, (group, nodes)) in groups.into_iter().enumerate() {
        let nodes: Vec<String> = nodes.into_iter().map(|node| format!("s{node};")).collect();
        text += &format!("  subgraph cluster_{number} {{ label=\"{}\"; {} }}\n", escaped(group), nodes.join(" "));
    }
    for arc in &graph.arcs {
        text += &edge(arc);
    }
    text + "}\n"
}

fn attributes(index: usize, node: &Node) -> String {
    let shape = match (node.passive, node.terminal) {
        (true, _) => "box",
        (false, true) => "octagon",
        (false, false) => "ellipse",
    };
    let tooltip: Vec<String> = node.lines.iter().map(|line| escaped(line)).collect();
    let label = match node.waited {
        Some(first) => format!("S{first}'"),
        None => format!("S{index}"),
    };
    let rings = if node.accepting { 2 } else { 1 };
    format!("label=\"{label}\", shape={shape}, peripheries={rings}, tooltip=\"{}\"", tooltip.join("\\n"))
}

fn edge(arc: &Arc) -> String {
    let style = match arc.kind {
        ArcKind::Input => "solid",
        ArcKind::Output => "dashed",
        ArcKind::Internal | ArcKind::Timeout => "dotted",
    };
    format!("  s{} -> s{} [label=\"{}\", style={style}];\n", arc.from, arc.to, escaped(&arc.label))
}
