//! Values with numbers: equal values get the same number, from whatever thread they come.
//!
//! The table is cut into shards with a lock each, chosen by the hash of the value, so that threads rarely meet. A number
//! holds its shard in the low bits. Nothing is ever forgotten.

use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, RwLock};

const SHARD_BITS: u32 = 5;
const SHARDS: usize = 1 << SHARD_BITS;

pub(crate) struct Interner<T> {
    shards: Vec<RwLock<Shard<T>>>,
}

struct Shard<T> {
    numbers: FxHashMap<Arc<T>, u64>,
    values: Vec<Arc<T>>,
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Interner<T> {
        let shard = || RwLock::new(Shard { numbers: FxHashMap::default(), values: Vec::new() });
        Interner { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    pub(crate) fn number(&self, value: T) -> u64 {
        self.number_new(value, |_| ())
    }

    /// The same, and a value that was not there is shown first.
    pub(crate) fn number_new(&self, value: T, new: impl FnOnce(&T)) -> u64 {
        let hash = FxBuildHasher.hash_one(&value);
        let at = (hash >> 32) as usize % SHARDS;
        if let Some(number) = self.shards[at].read().expect(POISONED).numbers.get(&value) {
            return *number;
        }
        let mut shard = self.shards[at].write().expect(POISONED);
        if let Some(number) = shard.numbers.get(&value) {
            return *number;
        }
        let number = ((shard.values.len() as u64) << SHARD_BITS) | at as u64;
        new(&value);
        let value = Arc::new(value);
        shard.values.push(value.clone());
        shard.numbers.insert(value, number);
        number
    }

    pub(crate) fn value(&self, number: u64) -> Arc<T> {
        let shard = self.shards[number as usize % SHARDS].read().expect(POISONED);
        shard.values[(number >> SHARD_BITS) as usize].clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.read().expect(POISONED).values.len()).sum()
    }

    /// Some of the values, spread over all of them.
    pub(crate) fn sample(&self, most: usize) -> Vec<Arc<T>> {
        let stride = self.len().div_ceil(most.max(1)).max(1);
        let shards = self.shards.iter().map(|shard| shard.read().expect(POISONED));
        shards.flat_map(|shard| shard.values.iter().step_by(stride).cloned().collect::<Vec<_>>()).collect()
    }
}

const POISONED: &str = "a thread panicked while it held a part of the table";
