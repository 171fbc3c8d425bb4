//! The way to a row: backwards through the layers to find the rows, then forwards to find the names of the steps.

use crate::outcome::Trace;
use crate::{Rows, System};

/// The rows of a shortest way from an initial state. `None` if the layers do not contain one, which happens only if a
/// lossy visited set forgot different states in two searches.
pub(crate) fn back<Y: System>(system: &Y, layers: &[Rows], depth: u64, row: &[u64]) -> Option<Rows> {
    let mut worker = system.worker();
    let mut reversed = Rows { words: row.iter().rev().copied().collect() };
    let mut wanted = row.to_vec();
    for layer in layers.get(..depth as usize)?.iter().rev() {
        wanted = predecessor(system, &mut worker, layer, &wanted)?;
        reversed.words.extend(wanted.iter().rev());
    }
    reversed.words.reverse();
    Some(reversed)
}

/// The first row of the layer with a step to the wanted one.
fn predecessor<Y: System>(system: &Y, worker: &mut Y::Worker, layer: &Rows, wanted: &[u64]) -> Option<Vec<u64>> {
    let mut targets = Rows::default();
    for row in layer.iter(system.width()) {
        targets.clear();
        system.expand(worker, row, &mut targets);
        if targets.iter(system.width()).any(|target| target == wanted) {
            return Some(row.to_vec());
        }
    }
    None
}

/// The way along these rows; of several steps between two of them, the first.
pub(crate) fn forward<Y: System>(system: &Y, path: &Rows) -> Option<Trace<Y::State, Y::Label>> {
    let mut worker = system.worker();
    let rows: Vec<&[u64]> = path.iter(system.width()).collect();
    let mut steps = Vec::new();
    for pair in rows.windows(2) {
        let found = system.steps(&mut worker, pair[0]).into_iter().flatten().find(|step| *step.target == *pair[1])?;
        steps.push((found.label, system.state(pair[1])));
    }
    Some(Trace { start: system.state(rows.first()?), steps })
}
