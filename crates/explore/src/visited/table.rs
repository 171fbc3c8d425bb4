//! An open-addressing table of nonzero words that threads fill without locks: what the exact and the compact sets share.
//!
//! A slot is claimed by one compare-and-swap from zero and never changes again. The table is cut into [`PARTS`] by the first bits of
//! the hash, which grow one after the other, so that growing needs room for one part only and not for a second table.
//! Growing stops everybody: a batch holds the table open for reading, and whoever finds too little room waits
//! until all batches are through. What an entry means (a row, a fingerprint, a place in an arena) only the owner knows;
//! it says which hash an entry has when the table grows.

use super::memory::Words;
use super::{Full, Room};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

const PART_BITS: u32 = 4;
const PARTS: usize = 1 << PART_BITS;
/// Entries that are moved at a time.
const PIECE: usize = 64;
/// Slots per part at the start: one page.
const FIRST_BITS: u32 = 9;

/// What the owner of a table knows about its entries.
pub(super) trait Entries {
    fn hash(&self, entry: u64) -> u64;

    /// The hash of this entry will be asked for soon.
    fn fetch(&self, _entry: u64) {}
}

pub(super) struct Table {
    parts: RwLock<Parts>,
    /// Entries, and room promised to batches that are under way.
    taken: AtomicUsize,
    room: Room,
}

pub(super) struct Parts {
    slots: Vec<Words>,
    /// The number of slots of a part is a power of two.
    bits: u32,
    alone: bool,
}

impl Table {
    pub(super) fn new(room: Room) -> Result<Table, Full> {
        let slots = (0..PARTS).map(|_| Words::zeroed(1 << FIRST_BITS)).collect::<Result<_, _>>()?;
        let parts = Parts { slots, bits: FIRST_BITS, alone: room.alone };
        Ok(Table { parts: RwLock::new(parts), taken: AtomicUsize::new(0), room })
    }

    /// The table, with room for so many more entries; [`Table::close`] tells how many it were.
    pub(super) fn open(&self, coming: usize, entries: &impl Entries) -> Result<RwLockReadGuard<'_, Parts>, Full> {
        let taken = self.taken.fetch_add(coming, Ordering::Relaxed) + coming;
        loop {
            let parts = self.parts.read().expect(POISONED);
            if taken <= parts.comfortable() {
                return Ok(parts);
            }
            let fits = taken <= parts.crowded();
            drop(parts);
            let grown = self.grow(taken, entries);
            if grown.is_err() {
                if fits {
                    return Ok(self.parts.read().expect(POISONED));
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
        self.parts.read().expect(POISONED).bytes()
    }

    #[cold]
    fn grow(&self, needed: usize, entries: &impl Entries) -> Result<(), Full> {
        let mut parts = self.parts.write().expect(POISONED);
        if needed <= parts.comfortable() {
            return Ok(());
        }
        if parts.bytes() * 2 > self.room.limit {
            return Err(Full);
        }
        parts.double(entries)
    }
}

impl Parts {
    #[inline(always)]
    fn place(&self, hash: u64) -> (usize, usize) {
        let part = (hash >> (64 - PART_BITS)) as usize;
        (part, ((hash << PART_BITS) >> (64 - self.bits)) as usize)
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        let (part, at) = self.place(hash);
        self.slots[part].prefetch(at);
    }

    /// What stands in the first slot that this hash is looked for in.
    #[inline(always)]
    pub(super) fn peek(&self, hash: u64) -> u64 {
        let (part, at) = self.place(hash);
        self.slots[part][at].load(Ordering::Acquire)
    }

    /// Adds an entry unless one that is the `same` is there already; says whether it did. The entry is made when a free
    /// slot is met, and possibly made again if another thread took that slot.
    #[inline(always)]
    pub(super) fn claim(&self, hash: u64, same: impl Fn(u64) -> bool, mut make: impl FnMut() -> u64) -> bool {
        let (part, mut at) = self.place(hash);
        let slots: &[_] = &self.slots[part];
        let mask = slots.len() - 1;
        loop {
            let slot = &slots[at & mask];
            let mut entry = slot.load(Ordering::Acquire);
            if entry == 0 {
                let new = make();
                debug_assert_ne!(new, 0, "zero marks a free slot");
                if self.alone {
                    slot.store(new, Ordering::Release);
                    return true;
                }
                match slot.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return true,
                    Err(other) => entry = other,
                }
            }
            if same(entry) {
                return false;
            }
            at += 1;
        }
    }

    /// Beyond this it grows.
    fn comfortable(&self) -> usize {
        self.capacity() / 4 * 3
    }

    /// Beyond this it is too slow to be of use. Small parts differ too much in how full they are to go that far.
    fn crowded(&self) -> usize {
        if self.bits < 12 { self.comfortable() } else { self.capacity() / 16 * 14 }
    }

    fn capacity(&self) -> usize {
        PARTS << self.bits
    }

    fn bytes(&self) -> u64 {
        self.capacity() as u64 * 8
    }

    fn double(&mut self, entries: &impl Entries) -> Result<(), Full> {
        let bits = self.bits + 1;
        let mut larger = Vec::with_capacity(PARTS);
        for _ in 0..PARTS {
            // Pages of it are taken only when something is written there.
            larger.push(Words::zeroed(1 << bits)?);
        }
        self.bits = bits;
        for (part, larger) in larger.into_iter().enumerate() {
            let smaller = std::mem::replace(&mut self.slots[part], larger);
            for piece in smaller.chunks(PIECE) {
                let piece = || piece.iter().map(|slot| slot.load(Ordering::Relaxed)).filter(|entry| *entry != 0);
                piece().for_each(|entry| entries.fetch(entry));
                piece().for_each(|entry| self.move_here(entry, entries.hash(entry)));
            }
        }
        Ok(())
    }

    /// Nobody else is here.
    fn move_here(&self, entry: u64, hash: u64) {
        let (part, mut at) = self.place(hash);
        let slots = &self.slots[part];
        while slots[at & (slots.len() - 1)].load(Ordering::Relaxed) != 0 {
            at += 1;
        }
        slots[at & (slots.len() - 1)].store(entry, Ordering::Relaxed);
    }
}

const POISONED: &str = "a thread panicked while it held the table";
