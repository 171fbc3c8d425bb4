//! The way to a row: backwards through the layers to find the rows, then forwards to find the names of the steps.

use crate::outcome::Trace;
use crate::{Rows, System};
use interplay_visited::Layers;
use std::ops::ControlFlow;

/// The rows of a shortest way from an initial state. `None` if the layers do not contain one, which happens only if a
/// lossy visited set forgot different states in two searches.
pub(crate) fn back<Y: System>(system: &Y, layers: &Layers<'_>, depth: u64, row: &[u64]) -> Option<Rows> {
    let mut worker = system.worker();
    let mut reversed = Rows { words: row.iter().rev().copied().collect() };
    let mut wanted = row.to_vec();
    for layer in (0..depth as usize).rev() {
        wanted = predecessor(system, &mut worker, layers, layer, &wanted)?;
        reversed.words.extend(wanted.iter().rev());
    }
    reversed.words.reverse();
    Some(reversed)
}

/// The first row of the layer with a step to the wanted one.
fn predecessor<Y: System>(
    system: &Y,
    worker: &mut Y::Worker,
    layers: &Layers<'_>,
    layer: usize,
    wanted: &[u64],
) -> Option<Vec<u64>> {
    let (mut targets, mut found) = (Rows::default(), None);
    let mut leads = |row: &[u64]| {
        targets.clear();
        system.expand(worker, row, &mut targets);
        targets.iter(system.width()).any(|target| target == wanted)
    };
    layers.look(layer, &mut |rows| match rows.iter(system.width()).find(|row| leads(row)) {
        Some(row) => {
            found = Some(row.to_vec());
            ControlFlow::Break(())
        }
        None => ControlFlow::Continue(()),
    });
    found
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
