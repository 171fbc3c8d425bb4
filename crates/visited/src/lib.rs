//! Which rows were seen? One trait, one file per answer: exact, by fingerprint, by bits.
//!
//! Rows come in batches: all places of a batch are looked up in memory at once before the first is read, because a table
//! larger than the caches costs one slow memory access per row, and those can overlap. Every set may be shared by threads.

mod arena;
mod bitstate;
mod compact;
mod hash;
mod memory;
mod narrow;
mod rows;
mod spill;
mod table;
mod wide;

pub use bitstate::Bitstate;
pub use compact::Compact;
pub use narrow::{AHEAD, Narrow};
pub use rows::Rows;
pub use spill::{Disk, Layers, Runs};
pub use wide::Wide;

/// A set of rows that only grows.
pub trait Visited: Sync {
    /// Adds the rows and appends those that are new to `fresh`, in order.
    fn insert(&self, rows: &[u64], fresh: &mut Rows) -> Result<(), Full>;

    /// How much memory it takes now.
    fn bytes(&self) -> u64;

    /// How sure it is, after this many rows were new.
    fn assurance(&self, rows: u64) -> Assurance;
}

/// There is no room for more rows within the memory limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// How to remember rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The rows themselves.
    #[default]
    Exact,
    /// A fingerprint of 64 bits for each row.
    Compact,
    /// Some bits of one array for each row.
    Bitstate {
        /// The size of the array in bytes; rounded up to a power of two.
        bytes: u64,
        /// How many bits for each row.
        hashes: u32,
    },
}

/// What "all states were visited" is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assurance {
    Exact,
    /// Two rows may have had one fingerprint: the probability that any state was left out is at most this.
    Compact {
        omission: f64,
    },
    /// Rows may have had all their bits in common with others: this part of the states is expected to be visited.
    Bitstate {
        coverage: f64,
    },
}

/// Where a set gets its room.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// In bytes.
    pub limit: u64,
    /// Only one thread will ever insert, so that no two meet.
    pub alone: bool,
}

impl Default for Room {
    fn default() -> Room {
        Room { limit: u64::MAX, alone: false }
    }
}

/// Makes an empty set for rows of this width.
pub fn visited(memory: Memory, width: usize, room: Room) -> Result<Box<dyn Visited>, Full> {
    Ok(match memory {
        Memory::Exact if width == 1 => Box::new(Narrow::new(room)?),
        Memory::Exact => Box::new(Wide::new(width, room)?),
        Memory::Compact => Box::new(Compact::new(width, room)?),
        Memory::Bitstate { bytes, hashes } => Box::new(Bitstate::new(width, bytes, hashes, room)?),
    })
}
