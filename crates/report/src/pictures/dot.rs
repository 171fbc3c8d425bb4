//! Any picture for Graphviz.

use interplay_answers::{ArcKind, Ending, Picture};

/// Any picture for Graphviz: groups as boxes, verdicts as boxes, inputs solid, outputs dashed, what is inside dotted.
pub fn picture_dot(picture: &Picture) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let mut text = format!("digraph {} {{\n  node [fontsize=10];\n  edge [fontsize=9];\n", quoted(&picture.title));
    for (index, node) in picture.nodes.iter().enumerate() {
        let shape = if matches!(node.ending, Ending::Final | Ending::Stuck) { "box" } else { "ellipse" };
        text += &format!("  n{index} [shape={shape}, label={}];\n", quoted(&node.name));
    }
    for (index, group) in picture.groups.iter().enumerate() {
        let inside = picture.nodes.iter().enumerate().filter(|(_, node)| node.group == Some(index));
        let inside: Vec<String> = inside.map(|(node, _)| format!("n{node};")).collect();
        text += &format!("  subgraph cluster_{index} {{ label={}; {} }}\n", quoted(&group.name), inside.join(" "));
    }
    for start in &picture.initial {
        text += &format!("  start{start} [shape=point];\n  start{start} -> n{start};\n");
    }
    for arc in &picture.arcs {
        let style = match arc.kind {
            ArcKind::Input => "solid",
            ArcKind::Output => "dashed",
            ArcKind::Internal | ArcKind::Timeout => "dotted",
        };
        text += &format!("  n{} -> n{} [style={style}, label={}];\n", arc.from, arc.to, quoted(&arc.label));
    }
    text + "}\n"
}
