//! PlantUML (`.puml`): runs as sequence diagrams, graphs of states as state diagrams.
//!
//! Names and labels come from users, and PlantUML has no quoting in labels: what it would take as a command is written as a
//! character reference, and `\n` stays two characters.

use crate::chart::{Chart, Line, Who};
use interplay_explore::{ArcKind, Graph};

/// A run as a sequence diagram.
pub fn chart(chart: &Chart) -> String {
    let mut text = String::from("@startuml\n");
    if !chart.title.is_empty() {
        text += &format!("title {}\n", label(&chart.title));
    }
    text += &format!("actor Environment as E\nparticipant \"{}\" as S\n", label(&chart.system));
    text.extend(chart.lines.iter().map(arrow));
    text + "@enduml\n"
}

fn arrow(line: &Line) -> String {
    let text = label(&line.text);
    match line.who {
        Who::Environment => format!("E -> S: {text}\n"),
        Who::System => format!("S --> E: {text}\n"),
        Who::Both => format!("E <-> S: {text}\n"),
        Who::Inside => format!("S -> S: {text}\n"),
        Who::Nobody => format!("note over S: {text}\n"),
    }
}

/// A graph of states as a state diagram: what the environment does is drawn through, everything else is marked.
pub fn states(graph: &Graph) -> String {
    let mut text = String::from("@startuml\nhide empty description\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        text += &format!("state S{index}\n");
        text.extend(node.lines.iter().map(|line| format!("S{index} : {}\n", label(line))));
        if node.initial {
            text += &format!("[*] --> S{index}\n");
        }
        if node.accepting && node.terminal {
            text += &format!("S{index} --> [*]\n");
        }
    }
    for arc in &graph.arcs {
        let arrow = if arc.kind == ArcKind::Input { "-->" } else { "-[dashed]->" };
        let said = if arc.label.is_empty() { "(timeout)" } else { &arc.label };
        text += &format!("S{} {arrow} S{} : {}\n", arc.from, arc.to, label(said));
    }
    text + "@enduml\n"
}

/// A text on one line in which nothing is a command.
fn label(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let escape = |sign: char| match sign {
        '"' | '<' | '>' | '&' | '\\' | '~' | '*' | '_' | '-' | '/' | '%' | '$' | '!' | '|' | '{' | '}' | '[' | ']' => {
            format!("&#{};", u32::from(sign))
        }
        other => other.to_string(),
    };
    one_line.chars().map(escape).collect()
}
