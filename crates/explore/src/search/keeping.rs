//! What a search writes to disk as it goes, so that another process can take it up.

use super::{Counts, POISONED, Search};
use crate::checkpoint::{self, Kept};
use crate::found::Found;
use crate::strategy::{BreadthFirst, Strategy};
use crate::{Rows, System};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

impl<Y: System> Search<'_, Y> {
    /// At the beginning of a layer, if it is time.
    pub(super) fn keep(&mut self, strategy: &dyn Strategy) -> bool {
        let Some(keep) = self.config.keep else { return true };
        let Some(layers) = strategy.layers_to_keep().filter(|_| keep.due()) else { return true };
        let counts = *self.counts.lock().expect(POISONED);
        self.kept.counts = counts.numbers(&self.states, &self.transitions);
        let mut save = |found: &Found| {
            let mut row = Vec::new();
            self.system.save(&found.row, &mut row).then_some((found.depth, row))
        };
        self.kept.findings = self.found.lock().expect(POISONED).iter().filter_map(&mut save).collect();
        match self.kept.write(keep, self.system, layers) {
            Ok(()) => true,
            Err(error) => self.give_up(&error),
        }
    }

    /// What was kept before, if anything was.
    pub(super) fn kept(&mut self) -> Option<Kept> {
        match Kept::read(self.config.keep?) {
            Ok(kept) => kept.filter(|kept| kept.notes == self.system.notes()),
            Err(error) => {
                self.give_up(&error);
                None
            }
        }
    }

    pub(super) fn take_up(&mut self, kept: Kept, strategy: &mut BreadthFirst<'_>) {
        let Some(keep) = self.config.keep else { return };
        let (mut rows, mut fresh) = (0, Rows::default());
        let result = kept.layers(keep, self.system, &mut |layer| {
            layer.iter(self.width).for_each(|row| self.system.recall(row));
            rows += layer.count(self.width) as u64;
            if !self.spilled {
                self.add(&layer, &mut fresh);
                fresh.clear();
                self.press(self.bytes() + strategy.bytes());
            }
            strategy.restore(layer)?;
            if self.pressed.swap(false, Ordering::Relaxed) && !self.put_away(strategy) {
                return Err(io::Error::other("not enough memory to resume the exploration"));
            }
            Ok(())
        });
        let counts = Counts::from_numbers(&kept.counts).filter(|(_, states, _)| *states == rows);
        match (result, counts) {
            (Ok(()), Some((counts, states, transitions))) => {
                *self.counts.lock().expect(POISONED) = counts;
                self.states.store(states, Ordering::Relaxed);
                self.transitions.store(transitions, Ordering::Relaxed);
                self.judge_again(&kept, strategy);
                self.kept = kept;
            }
            (Ok(()), None) => _ = self.give_up(&checkpoint::broken()),
            (Err(error), _) => _ = self.give_up(&error),
        }
    }
}

impl Counts {
    /// With the states and transitions, to be kept.
    fn numbers(&self, states: &AtomicU64, transitions: &AtomicU64) -> Vec<u64> {
        let (states, transitions) = (states.load(Ordering::Relaxed), transitions.load(Ordering::Relaxed));
        let Counts { depth, terminal, not_accepting, active, passive, largest_frontier, cut } = *self;
        let cut = u64::from(cut);
        vec![states, transitions, depth, terminal, not_accepting, active, passive, largest_frontier, cut]
    }

    fn from_numbers(numbers: &[u64]) -> Option<(Counts, u64, u64)> {
        let [states, transitions, depth, terminal, not_accepting, active, passive, largest_frontier, cut] = *numbers
        else {
            return None;
        };
        let cut = cut != 0;
        Some((Counts { depth, terminal, not_accepting, active, passive, largest_frontier, cut }, states, transitions))
    }
}
