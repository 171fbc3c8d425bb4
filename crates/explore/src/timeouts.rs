//! Waiting as a step of its own: the timeout extension of an explored graph, as the paper draws it.
//!
//! In a *passive* state the system can do something by itself (an output or an internal step), in an *active* one it waits.
//! A tester that wants to give an input in a passive state must first have waited in vain. So a passive
//! state is split: the first half keeps what the system does by itself and has one timeout to the second half,
//! where the inputs are. Active states stay as they are.

use crate::graph::{Arc, ArcKind, Graph, Node};
use crate::outcome::Outcome;

/// Nodes and arcs with timeouts: each passive state has one more of both.
pub fn with_timeouts<S, L>(outcome: &Outcome<S, L>) -> (u64, u64) {
    (outcome.states + outcome.passive, outcome.transitions + outcome.passive)
}

/// The same graph with every passive state split.
pub fn add_timeouts(graph: &Graph) -> Graph {
    let mut extended = Graph { arcs: Vec::new(), ..graph.clone() };
    let mut waited: Vec<usize> = (0..graph.nodes.len()).collect();
    for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.passive) {
        waited[index] = extended.nodes.len();
        extended.nodes.push(Node { passive: false, initial: false, waited: Some(index), ..node.clone() });
    }
    for arc in &graph.arcs {
        let from = if arc.kind == ArcKind::Input { waited[arc.from] } else { arc.from };
        extended.arcs.push(Arc { from, ..arc.clone() });
    }
    for (index, waited) in waited.into_iter().enumerate().filter(|(index, waited)| index != waited) {
        extended.arcs.push(Arc { from: index, to: waited, label: String::new(), kind: ArcKind::Timeout });
    }
    extended
}
