//! The one door of chance: every choice of a run passes here, from one seed, and is written down.
//!
//! A run is therefore a seed and what the implementation said; with the log alone the same choices can be made again.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub struct Choices {
    dice: StdRng,
    /// What was chosen, each as an index.
    log: Vec<u32>,
    /// Choices to make again before the dice are asked.
    script: std::vec::IntoIter<u32>,
}

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices::again(seed, Vec::new())
    }

    /// The choices of a log first.
    pub fn again(seed: u64, log: Vec<u32>) -> Choices {
        Choices { dice: StdRng::seed_from_u64(seed), log: Vec::new(), script: log.into_iter() }
    }

    /// The choices of one run of a campaign: the same, whatever was run before it.
    pub fn of_run(seed: u64, run: u64) -> Choices {
        // Two odd constants of splitmix64, so that neighbours have nothing in common.
        Choices::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ run.wrapping_mul(0xBF58_476D_1CE4_E5B9))
    }

    /// A number below `bound`, which is at least one.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound <= 1 {
            return 0;
        }
        let chosen = match self.script.next() {
            Some(chosen) => chosen as usize % bound,
            None => self.dice.random_range(0..bound as u32) as usize,
        };
        self.log.push(chosen as u32);
        chosen
    }

    /// A number that is at most this, in two choices if it is a long one.
    pub fn up_to(&mut self, most: u64) -> u64 {
        const HALF: u64 = 1 << 31;
        if most < HALF {
            return self.below(most as usize + 1) as u64;
        }
        let high = self.below((most / HALF + 1).min(HALF * 2 - 1) as usize) as u64;
        let low = self.below(HALF as usize) as u64;
        high.saturating_mul(HALF).saturating_add(low).min(most)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// An index with a probability in proportion to its weight; `None` if all weights are zero.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total = weights.iter().fold(0u64, |sum, weight| sum.saturating_add(*weight));
        if total == 0 {
            return None;
        }
        // Large weights are products of others; what is not zero may come, however small it is beside them.
        let scale = total / u64::from(u32::MAX) + 1;
        let scaled = |weight: &u64| if *weight == 0 { 0 } else { (weight / scale).max(1) };
        let total = weights.iter().map(scaled).sum::<u64>();
        let mut left = self.below(total as usize) as u64;
        weights.iter().map(scaled).position(|weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }

    pub fn log(&self) -> &[u32] {
        &self.log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_choices_come_from_the_seed_and_from_the_log() {
        let roll = |choices: &mut Choices| (0..50).map(|bound| choices.below(bound + 1)).collect::<Vec<_>>();
        let mut first = Choices::of_run(7, 3);
        let chosen = roll(&mut first);
        assert_eq!(roll(&mut Choices::of_run(7, 3)), chosen);
        assert_eq!(roll(&mut Choices::again(99, first.log().to_vec())), chosen);
        assert_ne!(roll(&mut Choices::of_run(7, 4)), chosen);
    }

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let mut choices = Choices::new(1);
        assert_eq!(choices.weighted(&[0, 0]), None);
        assert!((0..100).all(|_| choices.weighted(&[0, 3, 0, 1]).is_some_and(|index| index % 2 == 1)));
    }
}
