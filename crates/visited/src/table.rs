//! An open-addressing table of nonzero words that threads fill without locks: what the exact and the compact sets share.
//!
//! A slot is claimed by one compare-and-swap from zero and never changes again, until the table grows.
//! Growing stops everybody: a batch holds the table open for reading, and whoever finds too little room waits
//! until all batches are through. What an entry means (a row, a fingerprint, a place in an arena) only the owner knows;
//! its upper bits are a hash, which says where it belongs.
//!
//! A large table grows by a quarter, in place, so that it is more than half full and never there twice; one that several threads
//! share doubles, and they move its entries together. Slots follow
//! the order of the hashes, so growing goes through memory from one end to the other and looks at nothing else.

use super::memory::Words;
use super::{Full, Room};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

/// Slots at the start: two pages.
const FIRST: usize = 1 << 10;
/// A table with fewer slots doubles; a larger one has a multiple of so many, which is a huge page.
const LARGE: usize = 1 << 18;
/// So many slots are emptied before their entries move.
const BLOCK: usize = 1 << 10;

/// So many threads make a table grow.
const MOST_THREADS: usize = 8;

pub(super) struct Table {
    slots: RwLock<Slots>,
    /// Entries, and room promised to batches that are under way.
    taken: AtomicUsize,
    room: Room,
}

pub(super) struct Slots {
    words: Words,
    /// The bits of an entry that are a hash.
    hash: u64,
    alone: bool,
}

impl Table {
    /// For entries with a hash in these bits, which are the upper ones.
    pub(super) fn new(hash: u64, room: Room) -> Result<Table, Full> {
        let slots = Slots { words: Words::zeroed(FIRST)?, hash, alone: room.alone };
        Ok(Table { slots: RwLock::new(slots), taken: AtomicUsize::new(0), room })
    }

    /// The table, with room for so many more entries; [`Table::close`] tells how many it were.
    pub(super) fn open(&self, coming: usize) -> Result<RwLockReadGuard<'_, Slots>, Full> {
        let taken = self.taken.fetch_add(coming, Ordering::Relaxed) + coming;
        loop {
            let slots = self.slots.read().expect(POISONED);
            if taken <= slots.comfortable() {
                return Ok(slots);
            }
            let fits = taken <= slots.crowded();
            drop(slots);
            let grown = self.grow(taken);
            if grown.is_err() {
                if fits {
                    return Ok(self.slots.read().expect(POISONED));
                }
                self.taken.fetch_sub(coming, Ordering::Relaxed);
                return Err(Full);
            }
        }
    }

    pub(super) fn close(&self, coming: usize, added: usize) {
        self.taken.fetch_sub(coming - added, Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> u64 {
        self.slots.read().expect(POISONED).bytes()
    }

    #[cold]
    fn grow(&self, needed: usize) -> Result<(), Full> {
        let mut slots = self.slots.write().expect(POISONED);
        while needed > slots.comfortable() {
            let length = slots.larger();
            if length as u64 * 8 > self.room.limit {
                return Err(Full);
            }
            slots.grow(length)?;
        }
        Ok(())
    }
}

impl Slots {
    /// The slot where an entry with this hash is looked for first.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash & self.hash) * self.words.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        self.words.prefetch(self.home(hash));
    }

    /// What stands in the first slot that this hash is looked for in.
    #[inline(always)]
    pub(super) fn peek(&self, hash: u64) -> u64 {
        self.words[self.home(hash)].load(Ordering::Acquire)
    }

    /// Adds an entry unless one that is the `same` is there already; says whether it did.
    #[inline(always)]
    pub(super) fn claim(&self, hash: u64, same: impl Fn(u64) -> bool, entry: u64) -> bool {
        self.find_or_claim(hash, same, || Some(entry)).is_some_and(|(_, new)| new)
    }

    /// The entry that is the `same`, or else a new one, and which of both it is. The new one is made when a free slot is met
    /// (nothing happens if it cannot be made), and possibly made again if another thread took that slot.
    #[inline(always)]
    pub(super) fn find_or_claim(
        &self,
        hash: u64,
        same: impl Fn(u64) -> bool,
        mut make: impl FnMut() -> Option<u64>,
    ) -> Option<(u64, bool)> {
        let slots: &[_] = &self.words;
        let mut at = self.home(hash);
        loop {
            let slot = &slots[at];
            let mut entry = slot.load(Ordering::Acquire);
            if entry == 0 {
                let new = make()?;
                debug_assert_ne!(new, 0, "zero marks a free slot");
                if self.alone {
                    slot.store(new, Ordering::Release);
                    return Some((new, true));
                }
                match slot.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Some((new, true)),
                    Err(other) => entry = other,
                }
            }
            if same(entry) {
                return Some((entry, false));
            }
            at = if at + 1 == slots.len() { 0 } else { at + 1 };
        }
    }

    /// Beyond this it grows.
    fn comfortable(&self) -> usize {
        self.words.len() / 5 * 4
    }

    /// Beyond this it is too slow to be of use.
    fn crowded(&self) -> usize {
        self.words.len() / 16 * 14
    }

    fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    fn larger(&self) -> usize {
        let length = self.words.len();
        // Several threads wait while it grows, so then it grows less often.
        let more = if self.alone { length / 4 } else { length };
        if length < LARGE { length * 2 } else { (length + more).next_multiple_of(LARGE) }
    }

    /// Entries move towards the end, so those at the end go first. Runs of entries move as a whole: what is beyond a run has
    /// its new place, and nothing before it is passed over on the way there.
    fn grow(&mut self, length: usize) -> Result<(), Full> {
        let before = self.words.len();
        self.words.extend(length)?;
        // Those that went round the end are in the first run, which comes last, as do those that go round the new end.
        let mut late = Vec::new();
        let first = self.words.iter().position(|slot| slot.load(Ordering::Relaxed) == 0).unwrap_or(before);
        self.take(0..first, &mut late);
        let mut end = before;
        // What is in the upper half of the rest has its new place beyond it: there several threads are not in each other's way.
        while !self.alone && length >= before * 2 && end > first + LARGE {
            let middle = self.gap((end / 2).max(first)..end);
            if middle == end {
                break;
            }
            late.extend(self.shift_together(middle..end));
            end = middle;
        }
        late.extend(self.shift(first..end));
        for entry in late {
            let _ = self.settle(entry, self.home(entry)) || self.settle(entry, 0);
        }
        Ok(())
    }

    /// Behind the first free slot, where entries begin that are looked for nowhere before; the end if there is none.
    fn gap(&self, within: Range<usize>) -> usize {
        let free = self.words[within.clone()].iter().position(|slot| slot.load(Ordering::Relaxed) == 0);
        free.map_or(within.end, |free| within.start + free + 1)
    }

    /// [`Slots::shift`] by several threads.
    fn shift_together(&self, from: Range<usize>) -> Vec<u64> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
        let part = from.len() / threads;
        let mut starts: Vec<usize> =
            (1..threads).map(|thread| self.gap(from.start + thread * part..from.end)).collect();
        starts.insert(0, from.start);
        starts.push(from.end);
        let parts: Vec<Range<usize>> = starts.windows(2).map(|part| part[0]..part[1]).collect();
        std::thread::scope(|scope| {
            let begun = parts.iter().map(|part| {
                // If there cannot be another thread, this one does it.
                let begun = std::thread::Builder::new().spawn_scoped(scope, || self.shift(part.clone()));
                begun.map_err(|_| self.shift(part.clone()))
            });
            let begun: Vec<_> = begun.collect();
            begun
                .into_iter()
                .flat_map(|part| part.map_or_else(|late| late, |part| part.join().expect(POISONED)))
                .collect()
        })
    }

    /// Moves the entries of a range, behind a free slot, to their new places. Gives those that have none before the end.
    fn shift(&self, from: Range<usize>) -> Vec<u64> {
        let (mut block, mut late) = (Vec::new(), Vec::new());
        let mut end = from.end;
        while end > from.start {
            let mut start = end.saturating_sub(BLOCK).max(from.start);
            while start > from.start && self.words[start - 1].load(Ordering::Relaxed) != 0 {
                start -= 1;
            }
            self.take(start..end, &mut block);
            late.extend(block.drain(..).filter(|entry| !self.settle(*entry, self.home(*entry))));
            end = start;
        }
        late
    }

    /// Takes entries out.
    fn take(&self, from: Range<usize>, entries: &mut Vec<u64>) {
        for slot in &self.words[from] {
            let entry = slot.load(Ordering::Relaxed);
            if entry != 0 {
                entries.push(entry);
            }
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Puts an entry into the first free slot from here to the end, if there is one.
    fn settle(&self, entry: u64, from: usize) -> bool {
        let mut slots = self.words[from..].iter();
        slots.any(|slot| {
            slot.load(Ordering::Relaxed) == 0
                && slot.compare_exchange(0, entry, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        })
    }
}

const POISONED: &str = "a thread panicked while it held the table";
