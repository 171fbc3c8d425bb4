//! An oracle as a graph: for each state the states that follow, with the letters that lead there as sums of products. HOA and
//! DOT are written from it.

use crate::cover::{Cube, cover};
use crate::diagram::{Diagram, Diagrams, TRUE};
use crate::oracle::Oracle;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// One of these; an empty product is any letter.
    pub letters: Vec<Cube>,
}

/// All edges, ordered by their ends. What they say of letters outside the relations is whatever is shortest.
pub fn edges(oracle: &Oracle) -> Vec<Edge> {
    let mut diagrams = oracle.diagrams().clone();
    (0..oracle.len() as u32).flat_map(|from| edges_from(oracle, &mut diagrams, from, oracle.alphabet())).collect()
}

/// The edges of a state, by their ends; outside of `matters` their letters say anything.
fn edges_from(oracle: &Oracle, diagrams: &mut Diagrams, from: u32, matters: Diagram) -> Vec<Edge> {
    if from == Oracle::BAD {
        return vec![Edge { from, to: from, letters: vec![Cube::new()] }];
    }
    let edge = |to| {
        let leads = |leaf: u32| u32::from(leaf == to);
        let function = diagrams.relabel(oracle.transitions(from), &mut FxHashMap::default(), &leads);
        Edge { from, to, letters: cover(diagrams, function, matters) }
    };
    oracle.successors(from).into_iter().map(edge).collect()
}

/// No letter belongs to two of the edges.
fn are_disjoint(edges: &[Edge]) -> bool {
    let apart = |left: &Cube, right: &Cube| left.iter().any(|(atom, value)| right.contains(&(*atom, !value)));
    edges.iter().enumerate().all(|(index, edge)| {
        let later = edges[index + 1..].iter().flat_map(|other| &other.letters);
        later.into_iter().all(|other| edge.letters.iter().all(|letters| apart(letters, other)))
    })
}

/// The letters of an edge as a condition: `open and not moving or ...`.
pub fn condition(letters: &[Cube], names: &[String]) -> String {
    let literal = |(variable, value): &(u32, bool)| {
        let name = &names[*variable as usize];
        if *value { name.clone() } else { format!("not {name}") }
    };
    let product = |cube: &Cube| cube.iter().map(literal).collect::<Vec<_>>().join(" and ");
    let products: Vec<String> = letters.iter().map(product).collect();
    if products.iter().any(String::is_empty) { "true".into() } else { products.join(" or ") }
}

/// The Hanoi omega-automata format: all states but the violation accept, so exactly the kept runs are accepted. Its readers know
/// nothing of relations, so the labels of a state exclude each other whatever the letter.
pub fn hoa(oracle: &Oracle, title: &str, names: &[String]) -> String {
    let propositions: Vec<String> = names.iter().map(|name| format!("\"{}\"", quoted(name))).collect();
    let complete = if oracle.alphabet() == TRUE { " complete" } else { "" };
    let mut text = format!(
        "HOA: v1\nname: \"{}\"\nStates: {}\nStart: {}\nAP: {} {}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         properties: trans-labels explicit-labels state-acc deterministic{complete}\n--BODY--\n",
        quoted(title),
        oracle.len(),
        oracle.initial(),
        names.len(),
        propositions.join(" "),
    );
    let mut diagrams = oracle.diagrams().clone();
    for state in 0..oracle.len() as u32 {
        text += &match state {
            Oracle::BAD => format!("State: {state} \"violated\"\n"),
            _ => format!("State: {state} {{0}}\n"),
        };
        let mut edges = edges_from(oracle, &mut diagrams, state, oracle.alphabet());
        if !are_disjoint(&edges) {
            edges = edges_from(oracle, &mut diagrams, state, TRUE);
        }
        for edge in edges {
            text += &format!("[{}] {}\n", hoa_label(&edge.letters), edge.to);
        }
    }
    text + "--END--\n"
}

fn hoa_label(letters: &[Cube]) -> String {
    let literal = |(variable, value): &(u32, bool)| format!("{}{variable}", if *value { "" } else { "!" });
    let product = |cube: &Cube| cube.iter().map(literal).collect::<Vec<_>>().join("&");
    let products: Vec<String> = letters.iter().map(product).collect();
    if products.iter().any(String::is_empty) { "t".into() } else { products.join(" | ") }
}

/// Graphviz: the violation is a filled octagon, safe states have two rings.
pub fn dot(oracle: &Oracle, title: &str, names: &[String]) -> String {
    let mut text = format!(
        "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=circle, fontsize=10];\n  edge [fontsize=9];\n  start [shape=point];\n  start -> q{};\n",
        quoted(title),
        oracle.initial()
    );
    for state in 0..oracle.len() as u32 {
        let shape = match state {
            Oracle::BAD => "label=\"violated\", shape=octagon, style=filled, fillcolor=\"#f4c7c3\"".to_string(),
            _ if oracle.is_safe(state) => format!("label=\"{state}\", peripheries=2"),
            _ => format!("label=\"{state}\""),
        };
        text += &format!("  q{state} [{shape}];\n");
    }
    for edge in edges(oracle) {
        let label = quoted(&condition(&edge.letters, names));
        text += &format!("  q{} -> q{} [label=\"{label}\"];\n", edge.from, edge.to);
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
