//! Exact, for rows of several words: an entry of the table is half of the row's hash and the row's place in an arena.
//!
//! The hash says where the entry belongs, and lets nearly every comparison with another row end without looking at the
//! arena.

use super::arena::Arena;
use super::hash::hash_row;
use super::narrow::AHEAD;
use super::table::{Slots, Table};
use super::{Assurance, Full, Room, Visited};
use crate::Rows;
use std::cell::Cell;
use std::ops::Range;

/// The low bits of an entry are the place plus one: four billion rows, which are 100 GB.
const PLACE: u64 = (1 << 32) - 1;

pub struct Wide {
    width: usize,
    table: Table,
    arena: Arena,
    room: Room,
}

impl Wide {
    pub fn new(width: usize, room: Room) -> Result<Wide, Full> {
        Ok(Wide { width, table: Table::new(!PLACE, room)?, arena: Arena::new(width), room })
    }

    /// Finds or adds rows: tells for each whether it is new, and its place, which is its number from then on.
    fn each(&self, rows: &[u64], mut tell: impl FnMut(&[u64], u64, bool)) -> Result<(), Full> {
        let count = rows.len() / self.width;
        let open = self.table.open(count)?;
        let (mut places, mut added, mut result) = (0..0, 0, Ok(()));
        let mut hashes = [0; AHEAD];
        for chunk in rows.chunks(AHEAD * self.width) {
            let rows = || chunk.chunks_exact(self.width);
            for (hash, row) in hashes.iter_mut().zip(rows()) {
                *hash = hash_row(row, 0);
                open.prefetch(*hash);
            }
            for hash in hashes.iter().take(rows().len()) {
                let entry = open.peek(*hash);
                if entry != 0 && has_hash(entry, *hash) {
                    self.arena.prefetch((entry & PLACE) - 1);
                }
            }
            for (hash, row) in hashes.iter().zip(rows()) {
                let (place, new) = match self.add(&open, *hash, row, &mut places) {
                    Ok(found) => found,
                    Err(full) => {
                        result = Err(full);
                        break;
                    }
                };
                added += usize::from(new);
                tell(row, place, new);
            }
        }
        drop(open);
        self.table.close(count, added);
        self.arena.give_back(places);
        result
    }

    /// Finds a row or adds it at the first of these places.
    #[inline]
    fn add(&self, open: &Slots, hash: u64, row: &[u64], places: &mut Range<u64>) -> Result<(u64, bool), Full> {
        let same = |entry: u64| has_hash(entry, hash) && self.arena.is((entry & PLACE) - 1, row);
        let written = Cell::new(false);
        let make = || {
            if !written.replace(true) {
                if places.is_empty() {
                    *places = self.arena.reserve().ok().filter(|places| places.end < PLACE)?;
                }
                self.arena.write(places.start, row);
            }
            Some(hash & !PLACE | (places.start + 1))
        };
        let found = open.find_or_claim(hash, same, make).ok_or(Full)?;
        if found.1 {
            places.start += 1;
        }
        Ok(((found.0 & PLACE) - 1, found.1))
    }

    /// Appends the numbers of rows; those that have none get one.
    pub fn number(&self, rows: &[u64], numbers: &mut Vec<u64>) -> Result<(), Full> {
        self.each(rows, |_, place, _| numbers.push(place))
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// A hint that the row with this number will be read soon.
    pub fn prefetch(&self, number: u64) {
        self.arena.prefetch(number);
    }

    /// The row with a number.
    pub fn row(&self, number: u64) -> impl Iterator<Item = u64> {
        self.arena.row(number)
    }
}

fn has_hash(entry: u64, hash: u64) -> bool {
    (entry ^ hash) & !PLACE == 0
}

impl Visited for Wide {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        if self.bytes() > self.room.limit {
            return Err(Full);
        }
        self.each(rows, |row, _, new| {
            if new {
                fresh.push(row);
            }
        })
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.arena.bytes()
    }

    fn assurance(&self, _: u64) -> Assurance {
        Assurance::Exact
    }
}
