//! Exact, for rows of one word: the words themselves are the entries, mixed in a way that could be undone, so that one look at
//! memory answers and an entry is its own hash.

use super::hash::mix;
use super::table::Table;
use super::{Assurance, Full, Room, Visited};
use crate::Rows;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many places are fetched before the first is read.
pub const AHEAD: usize = 32;

pub struct Narrow {
    table: Table,
    /// Zero marks a free slot and stays zero when it is mixed, so this row is remembered here.
    zero: AtomicBool,
}

impl Narrow {
    pub fn new(room: Room) -> Result<Narrow, Full> {
        Ok(Narrow { table: Table::new(u64::MAX, room)?, zero: AtomicBool::new(false) })
    }

    fn insert_zero(&self, fresh: &mut Rows) {
        if !self.zero.swap(true, Ordering::Relaxed) {
            fresh.push(&[0]);
        }
    }
}

impl Visited for Narrow {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        let open = self.table.open(rows.len())?;
        let before = fresh.words.len();
        let mut mixed = [0; AHEAD];
        for chunk in rows.chunks(AHEAD) {
            for (entry, row) in mixed.iter_mut().zip(chunk) {
                *entry = mix(*row);
                open.prefetch(*entry);
            }
            for (new, row) in mixed.iter().zip(chunk) {
                if *row == 0 {
                    self.insert_zero(fresh);
                } else if open.claim(*new, |entry| entry == *new, *new) {
                    fresh.words.push(*row);
                }
            }
        }
        drop(open);
        self.table.close(rows.len(), fresh.words.len() - before);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn assurance(&self, _: u64) -> Assurance {
        Assurance::Exact
    }
}
