//! How often something fails, and how often to try it.
//!
//! While it shrinks, the first try that fails is enough: that is by far the cheapest. But then the rate may slide, because what fails
//! a little less often is taken as well. So after each halving, and in the end, a sequential test (Wald's) says whether the best one
//! still fails about as often as the last one of which that is known; if not, shrinking goes back to that one.

use super::Shrink;

/// No candidate is tried more often.
pub(super) const MOST_TRIES: u64 = 60;

/// What fails so often can be worked with: a short conversation has fewer occasions to fail than a long one, and is better all the same.
const RELIABLE: f64 = 0.1;

/// So many failures of so many tries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    pub(crate) failed: u64,
    pub(crate) tried: u64,
}

impl Rate {
    pub(crate) fn is_always(self) -> bool {
        self.failed == self.tried && self.tried > 0
    }

    pub(crate) fn and(self, other: Rate) -> Rate {
        Rate { failed: self.failed + other.failed, tried: self.tried + other.tried }
    }

    pub(crate) fn share(self) -> f64 {
        self.failed as f64 / self.tried.max(1) as f64
    }

    /// Whether it fails about as often as that, or less than half as often; `None` while nobody can say. One answer in twenty may be wrong.
    fn keeps_to(self, known: Rate) -> Option<bool> {
        let share = known.share().min(RELIABLE);
        let (kept, fallen) = (0.8 * share, 0.3 * share);
        let passed = (self.tried - self.failed) as f64;
        let evidence = self.failed as f64 * (kept / fallen).ln() + passed * ((1.0 - kept) / (1.0 - fallen)).ln();
        let enough = 19f64.ln();
        match evidence {
            evidence if evidence >= enough => Some(true),
            evidence if evidence <= -enough => Some(false),
            _ => None,
        }
    }
}

/// So many tries miss a candidate that fails half as often with a probability of one in twenty.
pub(crate) fn tries(rate: Rate) -> u64 {
    if rate.is_always() {
        return 1;
    }
    let half = Rate { failed: rate.failed.max(1), tried: rate.tried.max(1) }.share() / 2.0;
    ((0.05f64.ln() / (1.0 - half).ln()).ceil() as u64).clamp(1, MOST_TRIES)
}

impl Shrink<'_, '_> {
    /// Looks at the rate when the best one has become half as long as the last one that was looked at.
    pub(super) fn steady_if_halved(&mut self) {
        if self.sure.as_ref().is_some_and(|(sure, _)| self.best.turns.len() * 2 <= sure.turns.len()) {
            self.steady();
        }
    }

    /// Goes back if the best one fails less than half as often as the last one that was looked at.
    pub(super) fn steady(&mut self) {
        let Some((sure, known)) = self.sure.take() else { return };
        if self.best.steps == sure.steps {
            self.sure = Some((sure, known));
            return;
        }
        let mut rate = Rate::default();
        while rate.tried < MOST_TRIES && rate.keeps_to(known).is_none() && !self.is_over() {
            rate.failed += u64::from(self.follow(&self.best.steps.clone()).is_some());
            rate.tried += 1;
        }
        if rate.keeps_to(known) == Some(false) {
            // It is not tried again.
            self.tried.insert(super::hash(&self.best.steps), u64::MAX);
            self.best = sure.clone();
            self.sure = Some((sure, known));
        } else {
            self.sure = Some((self.best.clone(), known));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_enough_to_see_half_the_rate() {
        let tries = |failed, tried| tries(Rate { failed, tried });
        assert_eq!((tries(5, 5), tries(10, 20), tries(1, 20), tries(0, 80)), (1, 11, 60, 60));
    }

    #[test]
    fn a_rate_that_slides_is_seen() {
        let keeps = |failed, tried| Rate { failed, tried }.keeps_to(Rate { failed: 10, tried: 20 });
        assert_eq!((keeps(0, 0), keeps(4, 20), keeps(0, 60)), (None, Some(true), Some(false)));
    }
}
