//! Rows of several words, one after the other, in blocks that never move, so that other threads may read while one writes.
//!
//! Whoever wants to add a row reserves a place, writes the words, and then publishes the place through an entry of the
//! table; the table's compare-and-swap orders the words before the entry.

use super::Full;
use super::memory::Words;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// Rows that are reserved at a time, as a power of two. The first block has so many, and every other twice as many as the one before.
const RESERVED_BITS: u32 = 10;
const RESERVED: u64 = 1 << RESERVED_BITS;
const BLOCKS: usize = 48;

pub(super) struct Arena {
    width: usize,
    blocks: Vec<OnceLock<Words>>,
    next: AtomicU64,
    /// Reserved by a batch that did not need them.
    spare: Mutex<Vec<Range<u64>>>,
}

impl Arena {
    pub(super) fn new(width: usize) -> Arena {
        let blocks = (0..BLOCKS).map(|_| OnceLock::new()).collect();
        Arena { width, blocks, next: AtomicU64::new(0), spare: Mutex::default() }
    }

    pub(super) fn bytes(&self) -> u64 {
        // Of the last block only the pages that were written to are taken.
        self.next.load(Ordering::Relaxed) * self.width as u64 * 8
    }

    /// Reserves some places.
    pub(super) fn reserve(&self) -> Result<Range<u64>, Full> {
        if let Some(places) = self.spare.lock().expect(POISONED).pop() {
            return Ok(places);
        }
        let first = self.next.fetch_add(RESERVED, Ordering::Relaxed);
        let places = first..first + RESERVED;
        let (block, _) = block_of(first);
        let slot = self.blocks.get(block).ok_or(Full)?;
        if slot.get().is_none() {
            // If two threads make the same block, one of them is dropped again.
            let _ = slot.set(Words::zeroed(self.width << block << RESERVED_BITS)?);
        }
        Ok(places)
    }

    /// What was reserved and not used.
    pub(super) fn give_back(&self, places: Range<u64>) {
        if !places.is_empty() {
            self.spare.lock().expect(POISONED).push(places);
        }
    }

    #[inline]
    pub(super) fn write(&self, place: u64, row: &[u64]) {
        for (slot, word) in self.words(place).iter().zip(row) {
            slot.store(*word, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn is(&self, place: u64, row: &[u64]) -> bool {
        self.words(place).iter().zip(row).all(|(slot, word)| slot.load(Ordering::Relaxed) == *word)
    }

    /// A hint that this row will be read soon.
    #[inline]
    pub(super) fn prefetch(&self, place: u64) {
        let (block, first) = self.find(place);
        block.prefetch(first);
    }

    pub(super) fn row(&self, place: u64) -> impl Iterator<Item = u64> {
        self.words(place).iter().map(|slot| slot.load(Ordering::Relaxed))
    }

    #[inline]
    fn words(&self, place: u64) -> &[AtomicU64] {
        let (block, first) = self.find(place);
        &block[first..first + self.width]
    }

    #[inline]
    fn find(&self, place: u64) -> (&Words, usize) {
        let (block, row) = block_of(place);
        let block = self.blocks[block].get().expect("the place was reserved");
        (block, row as usize * self.width)
    }
}

/// The block of a place, and its row there.
#[inline]
fn block_of(place: u64) -> (usize, u64) {
    let above = place + RESERVED;
    let bits = above.ilog2();
    ((bits - RESERVED_BITS) as usize, above - (1 << bits))
}

const POISONED: &str = "a thread panicked while it held the spare places";
