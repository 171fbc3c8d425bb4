//! By fingerprint: 64 bits stand for a row of any width. Two rows with one fingerprint are taken as one, so a state may be
//! left out; how likely that is follows from the number of states alone, and is reported.

use super::hash::hash_row;
use super::narrow::AHEAD;
use super::table::Table;
use super::{Assurance, Full, Room, Visited};
use crate::Rows;

pub struct Compact {
    width: usize,
    table: Table,
}

impl Compact {
    pub fn new(width: usize, room: Room) -> Result<Compact, Full> {
        Ok(Compact { width, table: Table::new(u64::MAX, room)? })
    }
}

/// Zero marks a free slot.
fn fingerprint(row: &[u64]) -> u64 {
    hash_row(row, 0).max(1)
}

impl Visited for Compact {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        let count = rows.len() / self.width;
        let open = self.table.open(count)?;
        let mut added = 0;
        let mut prints = [0; AHEAD];
        for chunk in rows.chunks(AHEAD * self.width) {
            for (print, row) in prints.iter_mut().zip(chunk.chunks_exact(self.width)) {
                *print = fingerprint(row);
                open.prefetch(*print);
            }
            for (print, row) in prints.iter().zip(chunk.chunks_exact(self.width)) {
                if open.claim(*print, |entry| entry == *print, *print) {
                    added += 1;
                    fresh.push(row);
                }
            }
        }
        drop(open);
        self.table.close(count, added);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// The union bound over all pairs.
    fn assurance(&self, rows: u64) -> Assurance {
        let rows = rows as f64;
        Assurance::Compact { omission: (rows * (rows - 1.0).max(0.0) / 2.0 / 2f64.powi(64)).min(1.0) }
    }
}
