//! Random choices, all from one seed, so that a walk can be repeated.

use super::menu::{Choice, Group, Menu};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Chance with a seed: the same seed makes the same choices everywhere.
pub struct Dice(StdRng);

impl Dice {
    /// The first throw depends on the seed alone.
    pub fn new(seed: u64) -> Dice {
        Dice(StdRng::seed_from_u64(seed))
    }

    /// One of the steps, each equally likely. To wait leads nowhere and is never chosen.
    pub fn choose<'m>(&mut self, menu: &'m Menu) -> Option<&'m Choice> {
        let steps: Vec<&Choice> = menu.choices.iter().filter(|choice| choice.group != Group::Silence).collect();
        if steps.is_empty() { None } else { Some(steps[self.0.random_range(0..steps.len())]) }
    }
}
