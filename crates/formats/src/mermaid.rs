//! Mermaid (`.mmd`): runs as sequence diagrams, graphs of states as state diagrams, for pages that draw it from Markdown.
//!
//! Mermaid has no quoting in labels: `;` and `#` and what looks like markup are written as its entities.

use crate::chart::{Chart, Line, Who};
use interplay_explore::Graph;

/// A run as a sequence diagram.
pub fn chart(chart: &Chart) -> String {
    let mut text = String::new();
    if !chart.title.is_empty() {
        // In front matter, a text between quotes of YAML.
        text += &format!("---\ntitle: '{}'\n---\n", one_line(&chart.title).replace('\'', "''"));
    }
    text += &format!("sequenceDiagram\n    actor E as Environment\n    participant S as {}\n", label(&chart.system));
    text.extend(chart.lines.iter().map(arrow));
    text
}

fn arrow(line: &Line) -> String {
    let text = label(&line.text);
    match line.who {
        Who::Environment => format!("    E->>S: {text}\n"),
        Who::System => format!("    S-->>E: {text}\n"),
        Who::Both => format!("    E<<->>S: {text}\n"),
        Who::Inside => format!("    S->>S: {text}\n"),
        Who::Nobody => format!("    Note over S: {text}\n"),
    }
}

/// A graph of states as a state diagram.
pub fn states(graph: &Graph) -> String {
    let mut text = String::from("stateDiagram-v2\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let lines: Vec<String> = node.lines.iter().map(|line| label(line)).collect();
        let shown = if lines.is_empty() { format!("S{index}") } else { lines.join("<br/>") };
        text += &format!("    S{index} : {shown}\n");
        if node.initial {
            text += &format!("    [*] --> S{index}\n");
        }
        if node.accepting && node.terminal {
            text += &format!("    S{index} --> [*]\n");
        }
    }
    for arc in &graph.arcs {
        let said = if arc.label.is_empty() { "(timeout)" } else { &arc.label };
        text += &format!("    S{} --> S{} : {}\n", arc.from, arc.to, label(said));
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text on one line in which nothing is a command.
fn label(text: &str) -> String {
    let escape = |sign: char| match sign {
        ';' | '#' | ':' | '<' | '>' | '"' | '{' | '}' | '%' | '\\' | '`' => format!("#{};", u32::from(sign)),
        other => other.to_string(),
    };
    one_line(text).chars().map(escape).collect()
}
