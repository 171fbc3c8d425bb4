//! In which order? A strategy hands out rows and takes back what they lead to; the search loop does the rest.
//!
//! Work comes in rounds. Between two rounds only one thread runs ([`Strategy::begin`]), within a round all may take
//! and give. Breadth-first, a round is a layer; depth-first, the whole search is one round.

mod breadth_first;
mod depth_first;

pub(crate) use breadth_first::BreadthFirst;
pub(crate) use depth_first::DepthFirst;

use crate::Rows;

pub(crate) trait Strategy: Sync {
    /// Prepares the next round; false if nothing waits.
    fn begin(&mut self) -> bool;

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
}
