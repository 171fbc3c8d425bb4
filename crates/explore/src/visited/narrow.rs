//! Exact, for rows of one word: the words themselves are the entries, so that one look at memory answers.

use super::hash::hash_word;
use super::table::{Entries, Table};
use super::{Assurance, Full, Room, Visited};
use crate::Rows;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many places are fetched before the first is read.
pub(super) const AHEAD: usize = 32;

pub struct Narrow {
    table: Table,
    /// Zero marks a free slot, so the row zero is remembered here.
    zero: AtomicBool,
}

impl Narrow {
    pub fn new(room: Room) -> Result<Narrow, Full> {
        Ok(Narrow { table: Table::new(room)?, zero: AtomicBool::new(false) })
    }

    fn insert_zero(&self, fresh: &mut Rows) {
        if !self.zero.swap(true, Ordering::Relaxed) {
            fresh.push(&[0]);
        }
    }
}

struct Themselves;

impl Entries for Themselves {
    fn hash(&self, entry: u64) -> u64 {
        hash_word(entry)
    }
}

impl Visited for Narrow {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        let open = self.table.open(rows.len(), &Themselves)?;
        let before = fresh.words.len();
        let mut hashes = [0; AHEAD];
        for chunk in rows.chunks(AHEAD) {
            for (hash, row) in hashes.iter_mut().zip(chunk) {
                *hash = hash_word(*row);
                open.prefetch(*hash);
            }
            for (hash, row) in hashes.iter().zip(chunk) {
                if *row == 0 {
                    self.insert_zero(fresh);
                } else if open.claim(*hash, |entry| entry == *row, *row) {
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
