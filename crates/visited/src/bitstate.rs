//! By bits: each row sets a few bits of one array of fixed size; a row all of whose bits are set counts as seen. It never
//! runs out of memory. The fuller the array, the more states are taken for seen wrongly; which part of the states is
//! expected to be visited is reported.

use super::hash::hash_row;
use super::memory::Words;
use super::{Assurance, Full, Room, Visited};
use crate::Rows;
use std::sync::atomic::Ordering;

pub struct Bitstate {
    width: usize,
    hashes: u32,
    bits: Words,
}

impl Bitstate {
    pub fn new(width: usize, bytes: u64, hashes: u32, room: Room) -> Result<Bitstate, Full> {
        let bytes = bytes.max(1 << 10).checked_next_power_of_two().ok_or(Full)?;
        if bytes > room.limit {
            return Err(Full);
        }
        Ok(Bitstate { width, hashes: hashes.max(1), bits: Words::zeroed((bytes / 8) as usize)? })
    }

    /// The places of a row's bits: an arithmetic sequence with an odd step.
    fn places(&self, row: &[u64]) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (start, step) = (hash_row(row, 0), hash_row(row, 0x5851_F42D_4C95_7F2D) | 1);
        let mask = self.bits.len() * 64 - 1;
        (0..u64::from(self.hashes)).map(move |index| {
            let bit = start.wrapping_add(step.wrapping_mul(index)) as usize & mask;
            (bit / 64, 1 << (bit % 64))
        })
    }
}

impl Visited for Bitstate {
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full> {
        for row in rows.chunks_exact(self.width) {
            self.places(row).for_each(|(word, _)| self.bits.prefetch(word));
        }
        for row in rows.chunks_exact(self.width) {
            let mut new = false;
            for (word, bit) in self.places(row) {
                new |= self.bits[word].fetch_or(bit, Ordering::Relaxed) & bit == 0;
            }
            if new {
                fresh.push(row);
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bits.len() as u64 * 8
    }

    /// A new row is taken for seen if its bits are all set. Of `rows` accepted ones, each came when the array was as full as
    /// those before it made it; the sum of the chances of being refused, one for each accepted row, is what was left out.
    fn assurance(&self, rows: u64) -> Assurance {
        const PARTS: u64 = 1000;
        let bits = self.bits.len() as f64 * 64.0;
        let hashes = f64::from(self.hashes);
        let refused = |part: u64| {
            let before = rows as f64 * (part as f64 + 0.5) / PARTS as f64;
            let full = 1.0 - (-hashes * before / bits).exp();
            let chance = full.powf(hashes);
            chance / (1.0 - chance).max(f64::MIN_POSITIVE)
        };
        let omitted_per_state = (0..PARTS).map(refused).sum::<f64>() / PARTS as f64;
        Assurance::Bitstate { coverage: 1.0 / (1.0 + omitted_per_state) }
    }
}
