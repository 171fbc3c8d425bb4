//! The Hanoi omega-automata format, which most tools for temporal logic read.

use interplay_temporal::{Cube, Oracle, exclusive_edges};

/// All states but the violation accept, so exactly the kept runs are accepted. Its readers know nothing of relations, so the labels
/// of a state exclude each other whatever the letter.
pub fn write(oracle: &Oracle, title: &str, names: &[String]) -> String {
    let propositions: Vec<String> = names.iter().map(|name| format!("\"{}\"", quoted(name))).collect();
    let complete = if oracle.knows_all_letters() { " complete" } else { "" };
    let mut text = format!(
        "HOA: v1\nname: \"{}\"\nStates: {}\nStart: {}\nAP: {} {}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         properties: trans-labels explicit-labels state-acc deterministic{complete}\n--BODY--\n",
        quoted(title),
        oracle.len(),
        oracle.initial(),
        names.len(),
        propositions.join(" "),
    );
    for (state, edges) in exclusive_edges(oracle) {
        text += &match state {
            Oracle::BAD => format!("State: {state} \"violated\"\n"),
            _ => format!("State: {state} {{0}}\n"),
        };
        for edge in edges {
            text += &format!("[{}] {}\n", label(&edge.letters), edge.to);
        }
    }
    text + "--END--\n"
}

fn label(letters: &[Cube]) -> String {
    let literal = |(variable, value): &(u32, bool)| format!("{}{variable}", if *value { "" } else { "!" });
    let product = |cube: &Cube| cube.iter().map(literal).collect::<Vec<_>>().join("&");
    let products: Vec<String> = letters.iter().map(product).collect();
    if products.iter().any(String::is_empty) { "t".into() } else { products.join(" | ") }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
