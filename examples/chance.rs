//! What the implementations leave to chance: how long something takes. Nobody can repeat it; that is what makes them hard to
//! test.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) struct Chance(Mutex<StdRng>);

impl Chance {
    pub(crate) fn new() -> Chance {
        Chance(Mutex::new(StdRng::seed_from_u64(RandomState::new().hash_one(0))))
    }

    /// One of two sides.
    pub(crate) fn toss(&self) -> bool {
        self.source().random_bool(0.5)
    }

    /// Now and then.
    pub(crate) fn one_in(&self, times: u32) -> bool {
        self.source().random_ratio(1, times)
    }

    /// A moment that is not longer than this.
    pub(crate) fn up_to(&self, longest: Duration) -> Duration {
        longest.mul_f64(self.source().random_range(0.0..=1.0))
    }

    fn source(&self) -> MutexGuard<'_, StdRng> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
