//! Rows on disk, for a search that does not fit into memory. It stays complete: nothing is forgotten, only found out later.
//!
//! Breadth-first and exact only. When memory ends, all rows that are known for sure go to disk, in order ([`Runs`]) and
//! layer by layer ([`Layers`]). From then on the visited set in memory only filters: what it does not know is a
//! *candidate*. When there are many, and at the end of a layer, they are sorted and compared with the runs in one go;
//! those that are new make up the next layer, in the order in which they were found, so that counts and traces are the
//! same as in memory.
//!
//! This crate does no IO: whoever searches hands in a [`Disk`].

mod block;
mod layers;
mod runs;

pub use layers::Layers;
pub use runs::Runs;

use std::io;

/// Files without names that vanish with the program.
pub trait Disk: Sync {
    /// A new, empty file.
    fn create(&self) -> io::Result<u64>;

    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills the bytes from this place on.
    fn read(&self, file: u64, from: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Nobody will ask for it again.
    fn remove(&self, file: u64);
}
