//! An oracle as a graph: for each state the states that follow, with the letters that lead there as sums of products. Whoever
//! writes an automaton down starts from it.

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

/// The edges of a state whose letters exclude each other, also outside the relations: for readers who know nothing of relations.
pub fn exclusive_edges(oracle: &Oracle) -> impl Iterator<Item = (u32, Vec<Edge>)> + '_ {
    let mut diagrams = oracle.diagrams().clone();
    (0..oracle.len() as u32).map(move |from| {
        let shortest = edges_from(oracle, &mut diagrams, from, oracle.alphabet());
        match are_disjoint(&shortest) {
            true => (from, shortest),
            false => (from, edges_from(oracle, &mut diagrams, from, TRUE)),
        }
    })
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
