//! A derived test case for people: its size, and the shortest way to each verdict; and as a picture for Graphviz.

use crate::{DerivedTest, escape};

pub fn derived_text(derived: &DerivedTest) -> String {
    let size = |(nodes, edges): (usize, usize)| format!("{nodes} nodes, {edges} edges");
    let watching: Vec<String> = [("possible", &derived.possible), ("never", &derived.never)]
        .into_iter()
        .filter_map(|(word, name)| Some(format!("{word} `{}`", escape(name.as_ref()?))))
        .collect();
    let mut text =
        format!("watching {}\n", if watching.is_empty() { "nothing".into() } else { watching.join(" and ") });
    text += &format!("all that can be seen ({}): {}\n", derived.relation, size(derived.product));
    text += &format!("selected for {}: {}\n", derived.target, size(derived.selected));
    for (name, way) in &derived.verdicts {
        let way: Vec<String> = way.iter().map(|event| escape(event).into_owned()).collect();
        text += &format!("  {name}: {}\n", if way.is_empty() { "at the start".into() } else { way.join(" ") });
    }
    text
}

/// Inputs are drawn solid, what is seen dashed; verdicts as boxes.
pub fn derived_dot(derived: &DerivedTest) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!("digraph {} {{\n", quoted(&derived.system));
    for (index, node) in derived.nodes.iter().enumerate() {
        let (label, shape) = match &node.verdict {
            Some(verdict) => (verdict.clone(), "box"),
            None => (node.states.join("\n"), "ellipse"),
        };
        text += &format!("  {index} [shape={shape}, label={}];\n", quoted(&label).replace('\n', "\\n"));
    }
    for edge in &derived.edges {
        let style = if edge.input { "solid" } else { "dashed" };
        text += &format!("  {} -> {} [style={style}, label={}];\n", edge.from, edge.to, quoted(&edge.label));
    }
    text + "}\n"
}
