//! Which inputs does some property promise an answer to? An implementation that ignores the others breaks nothing.
//!
//! A promise is a conjunct such as `always (request implies within 7 open)`: an input on the left side of an implication, an
//! output on the right one, now or later. This is read off the formula: polarity tells the two sides apart, however the
//! implication is written.

use crate::atom::Atom;
use crate::formula::{Formula, Node, NodeId};
use crate::monitor::Monitor;
use crate::read::Aim;
use interplay_model::{ActionId, Direction, Model};
use std::collections::BTreeSet;

/// The inputs that no property answers. An observer may promise anything, so nothing is claimed where there is one.
pub fn unanswered(model: &Model, monitors: &[Monitor]) -> Vec<ActionId> {
    let mut answered = BTreeSet::new();
    for monitor in monitors.iter().filter(|monitor| monitor.aim == Aim::Never) {
        let Some(reading) = monitor.reading() else { return Vec::new() };
        let mut open = vec![reading.root];
        while let Some(id) = open.pop() {
            match reading.formula.node(id) {
                Node::And(left, right) => open.extend([left, right]),
                Node::Always(inner) | Node::Throughout(inner) => open.push(inner),
                _ => answered.extend(answered_by(model, &reading.formula, id)),
            }
        }
    }
    let is_open = |id: &ActionId| model.actions[id.0].direction == Direction::Input && !answered.contains(id);
    (0..model.actions.len()).map(ActionId).filter(is_open).collect()
}

/// The inputs on the left side of a conjunct, if there is an output on its right side.
fn answered_by(model: &Model, formula: &Formula, conjunct: NodeId) -> BTreeSet<ActionId> {
    let (mut inputs, mut promised) = (BTreeSet::new(), false);
    let (mut open, mut seen) = (vec![(conjunct, true, false)], BTreeSet::new());
    while let Some((id, positive, past)) = open.pop() {
        if !seen.insert((id, positive, past)) {
            continue;
        }
        match formula.node(id) {
            Node::Constant(_) | Node::Present { .. } => {}
            Node::Atom(atom) => {
                let Atom::Event { action, .. } = &formula.atoms[atom as usize] else { continue };
                match (model.actions[action.0].direction, positive) {
                    (Direction::Input, false) => drop(inputs.insert(*action)),
                    (Direction::Output, true) => promised |= !past,
                    _ => {}
                }
            }
            Node::Not(inner) => open.push((inner, !positive, past)),
            Node::And(left, right) | Node::Or(left, right) | Node::Unless(left, right) => {
                open.extend([(left, positive, past), (right, positive, past)]);
            }
            Node::Previous(inner) => open.push((inner, positive, true)),
            Node::Since(left, right) => open.extend([(left, positive, true), (right, positive, true)]),
            Node::Next(inner)
            | Node::Always(inner)
            | Node::Throughout(inner)
            | Node::Within(_, inner)
            | Node::Soon(_, inner) => open.push((inner, positive, past)),
        }
    }
    if promised { inputs } else { BTreeSet::new() }
}
