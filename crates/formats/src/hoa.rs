//! The Hanoi omega-automata format, which most tools for temporal logic read.

use interplay_temporal::{Cube, Diagram, Oracle, Refutation, exclusive_edges};

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

/// The runs that an automaton for endless runs accepts: they see every mark again and again. Marks stand on edges.
pub fn write_endless(automaton: &Refutation, title: &str, names: &[String]) -> String {
    let propositions: Vec<String> = names.iter().map(|name| format!("\"{}\"", quoted(name))).collect();
    let starts: String = automaton.initial.iter().map(|state| format!("Start: {state}\n")).collect();
    let marks: Vec<String> = (0..automaton.marks).map(|mark| format!("Inf({mark})")).collect();
    let condition = if marks.is_empty() { "t".into() } else { marks.join("&") };
    let kind = if marks.is_empty() { "all".into() } else { format!("generalized-Buchi {}", marks.len()) };
    let mut text = format!(
        "HOA: v1\nname: \"{}\"\nStates: {}\n{starts}AP: {} {}\nacc-name: {kind}\nAcceptance: {} {condition}\n\
         properties: trans-labels explicit-labels trans-acc\n--BODY--\n",
        quoted(title),
        automaton.transitions.len(),
        names.len(),
        propositions.join(" "),
        marks.len(),
    );
    for (state, transition) in automaton.transitions.iter().enumerate() {
        text += &format!("State: {state}\n");
        for (letters, leaf) in ways(automaton, *transition) {
            for choice in &automaton.choices[leaf as usize] {
                let carried = automaton.marks(state as u32, *choice);
                let carried: Vec<String> =
                    (0..automaton.marks).filter(|mark| carried >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
                let carried = if carried.is_empty() { String::new() } else { format!(" {{{}}}", carried.join(" ")) };
                text += &format!("[{}] {}{carried}\n", label(std::slice::from_ref(&letters)), choice.target);
            }
        }
    }
    text + "--END--\n"
}

/// The letters that lead to each leaf, as products that exclude each other; without those that cannot come.
fn ways(automaton: &Refutation, transition: Diagram) -> Vec<(Cube, u32)> {
    let (mut open, mut found) = (vec![(Cube::new(), transition)], Vec::new());
    while let Some((letters, at)) = open.pop() {
        match (automaton.diagrams.split(at), automaton.diagrams.number(at)) {
            (Some((variable, low, high)), _) => {
                let with = |value: bool| [&letters[..], &[(variable, value)]].concat();
                open.extend([(with(true), high), (with(false), low)]);
            }
            (None, Some(leaf)) if leaf != Refutation::OUTSIDE => found.push((letters, leaf)),
            (None, _) => {}
        }
    }
    found
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
