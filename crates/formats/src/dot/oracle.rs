//! The automaton of a property, for Graphviz.

use super::escaped;
use interplay_temporal::{Oracle, condition, edges};

/// Graphviz: the violation is a filled octagon, safe states have two rings.
pub fn oracle(automaton: &Oracle, title: &str, names: &[String]) -> String {
    let mut text = format!(
        "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=circle, fontsize=10];\n  edge [fontsize=9];\n  start [shape=point];\n  start -> q{};\n",
        escaped(title),
        automaton.initial()
    );
    for state in 0..automaton.len() as u32 {
        let shape = match state {
            Oracle::BAD => "label=\"violated\", shape=octagon, style=filled, fillcolor=\"#f4c7c3\"".to_string(),
            _ if automaton.is_safe(state) => format!("label=\"{state}\", peripheries=2"),
            _ => format!("label=\"{state}\""),
        };
        text += &format!("  q{state} [{shape}];\n");
    }
    for edge in edges(automaton) {
        let label = escaped(&condition(&edge.letters, names));
        text += &format!("  q{} -> q{} [label=\"{label}\"];\n", edge.from, edge.to);
    }
    text + "}\n"
}
