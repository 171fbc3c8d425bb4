//! Exact, for rows of several words: an entry of the table is a part of the row's hash and the row's place in an arena.
//!
//! Twenty bits of the hash in the entry let nearly every comparison with another row end without looking at the arena.

use super::arena::Arena;
use super::hash::{hash_row, hash_words};
use super::narrow::AHEAD;
use super::table::{Entries, Parts, Table};
use super::{Assurance, Full, Room, Visited};
use crate::Rows;
use std::cell::Cell;

/// The low bits of an entry are the place plus one; so many rows are enough for any machine.
const PLACE_BITS: u32 = 44;
const PLACE: u64 = (1 << PLACE_BITS) - 1;

pub struct Wide {
    width: usize,
    table: Table,
    arena: Arena,
    room: Room,
}

impl Wide {
    pub fn new(width: usize, room: Room) -> Result<Wide, Full> {
        Ok(Wide { width, table: Table::new(room)?, arena: Arena::new(width), room })
    }

    /// Adds a row whose place, if it is new, will be this one.
    #[inline]
    fn add(&self, open: &Parts, hash: u64, row: &[u64], place: u64) -> bool {
        let written = Cell::new(false);
        let make = || {
            if !written.replace(true) {
                self.arena.write(place, row);
            }
            tag(hash) | (place + 1)
        };
        let same = |entry: u64| has_tag(entry, hash) && self.arena.is((entry & PLACE) - 1, row);
        open.claim(hash, same, make)
    }
}

/// These bits of the hash are not the ones that choose the slot.
fn tag(hash: u64) -> u64 {
    hash << PLACE_BITS
}

fn has_tag(entry: u64, hash: u64) -> bool {
    (entry ^ tag(hash)) & !PLACE == 0
}

impl Entries for Arena {
    fn hash(&self, entry: u64) -> u64 {
        hash_words(self.row((entry & PLACE) - 1), 0)
    }

    fn fetch(&self, entry: u64) {
        self.prefetch((entry & PLACE) - 1);
    }
}

impl Visited for Wide {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        let count = rows.len() / self.width;
        if self.bytes() > self.room.limit {
            return Err(Full);
        }
        let open = self.table.open(count, &self.arena)?;
        let before = fresh.words.len();
        let mut places = self.arena.reserve()?;
        let mut hashes = [0; AHEAD];
        for chunk in rows.chunks(AHEAD * self.width) {
            let rows = || chunk.chunks_exact(self.width);
            for (hash, row) in hashes.iter_mut().zip(rows()) {
                *hash = hash_row(row, 0);
                open.prefetch(*hash);
            }
            for hash in hashes.iter().take(rows().len()) {
                let entry = open.peek(*hash);
                if entry != 0 && has_tag(entry, *hash) {
                    self.arena.prefetch((entry & PLACE) - 1);
                }
            }
            for (hash, row) in hashes.iter().zip(rows()) {
                if places.is_empty() {
                    places = self.arena.reserve()?;
                }
                if self.add(&open, *hash, row, places.start) {
                    places.start += 1;
                    fresh.push(row);
                }
            }
        }
        drop(open);
        self.table.close(count, (fresh.words.len() - before) / self.width);
        self.arena.give_back(places);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.arena.bytes()
    }

    fn assurance(&self, _: u64) -> Assurance {
        Assurance::Exact
    }
}
