//! In which order? A strategy hands out rows and takes back what they lead to; the search loop does the rest.
//!
//! Work comes in rounds. Between two rounds only one thread runs ([`Strategy::begin`]), within a round all may take
//! and give. Breadth-first, a round is a layer; depth-first, the whole search is one round.

mod breadth_first;
mod depth_first;

pub(crate) use breadth_first::BreadthFirst;
pub(crate) use depth_first::DepthFirst;

use crate::Rows;
use interplay_visited::Layers;
use std::io;

pub(crate) trait Strategy: Sync {
    /// Prepares the next round; false if nothing waits. A round that was interrupted goes on.
    fn begin(&mut self) -> io::Result<bool>;

    /// Takes some rows of one depth; says which. `None` ends the round for this thread, also if it is told to stop.
    fn take(&self, thread: usize, batch: &mut Rows, stop: &dyn Fn() -> bool) -> Option<u64>;

    /// Rows that were not seen before, one step farther than the batch.
    fn give(&self, thread: usize, depth: u64, rows: &Rows);

    /// Bytes of all rows that wait or are kept.
    fn bytes(&self) -> u64;

    /// How many rows wait.
    fn waiting(&self) -> u64;

    /// More than one thread is of use in this round.
    fn is_wide(&self) -> bool;

    /// The way to the row that this thread took last, if the strategy knows it; that row is the last one.
    fn path(&self, thread: usize) -> Option<Rows>;

    /// Between two rounds: moves what it can to the disk. Afterwards the visited set may be emptied; false if it must not.
    fn put_away(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// If rows were put away: how many are known to be new. Those that wait for that are candidates.
    fn settled(&self) -> Option<u64> {
        None
    }

    fn candidates(&self) -> u64 {
        0
    }

    /// The layers up to the one that is about to be expanded, if none of it is yet.
    fn layers_to_keep(&self) -> Option<&Layers<'_>> {
        None
    }
}
