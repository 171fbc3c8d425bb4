//! The one door through which every random choice passes: the same seed makes the same choices.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub(crate) struct Dice(StdRng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(StdRng::seed_from_u64(seed))
    }

    /// A number below the bound, which is not zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    /// A number between two others, both possible.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.random_range(low..=high)
    }

    /// True this often in a hundred throws.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.0.random_range(0..100) < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items, or none if there are none.
    pub(crate) fn any<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(self.pick(items)) }
    }
}
