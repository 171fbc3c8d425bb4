//! Layer by layer. Threads take pieces of the layer and put what is new aside, each for itself; the next layer is all of that.

use super::Strategy;
use crate::Rows;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows that a thread takes at a time.
const PIECE: usize = 256;
/// A smaller layer is not worth a second thread.
const WIDE: usize = 4 * PIECE;

pub(crate) struct BreadthFirst {
    width: usize,
    keep: bool,
    depth: u64,
    layer: Rows,
    taken: AtomicUsize,
    /// By thread.
    next: Vec<Mutex<Rows>>,
    /// The layers before this one, if they are kept.
    before: Vec<Rows>,
}

impl BreadthFirst {
    pub(crate) fn new(initial: Rows, width: usize, threads: usize, keep: bool) -> BreadthFirst {
        let mut next: Vec<Mutex<Rows>> = (0..threads).map(|_| Mutex::default()).collect();
        next[0] = Mutex::new(initial);
        let (layer, taken, before) = Default::default();
        BreadthFirst { width, keep, depth: 0, layer, taken, next, before }
    }

    /// All layers, the last one too.
    pub(crate) fn into_layers(mut self) -> Vec<Rows> {
        self.before.push(self.layer);
        self.before
    }
}

impl Strategy for BreadthFirst {
    fn begin(&mut self) -> bool {
        let mut new = Rows::default();
        for rows in &mut self.next {
            let rows = std::mem::take(rows.get_mut().expect(POISONED));
            if new.words.is_empty() { new = rows } else { new.words.extend_from_slice(&rows.words) }
        }
        if new.words.is_empty() {
            return false;
        }
        let mut old = std::mem::replace(&mut self.layer, new);
        if !old.words.is_empty() {
            self.depth += 1;
            if self.keep {
                old.words.shrink_to_fit();
                self.before.push(old);
            }
        }
        *self.taken.get_mut() = 0;
        true
    }

    fn take(&self, _: usize, batch: &mut Rows, stop: &dyn Fn() -> bool) -> Option<u64> {
        if stop() {
            return None;
        }
        let from = self.taken.fetch_add(PIECE, Ordering::Relaxed) * self.width;
        let rest = self.layer.words.get(from..).filter(|rest| !rest.is_empty())?;
        batch.clear();
        batch.words.extend_from_slice(&rest[..rest.len().min(PIECE * self.width)]);
        Some(self.depth)
    }

    fn give(&self, thread: usize, _: u64, rows: &Rows) {
        self.next[thread].lock().expect(POISONED).words.extend_from_slice(&rows.words);
    }

    fn bytes(&self) -> u64 {
        let next: usize = self.next.iter().map(|rows| rows.lock().expect(POISONED).words.capacity()).sum();
        let before: usize = self.before.iter().map(|rows| rows.words.len()).sum();
        (next + before + self.layer.words.capacity()) as u64 * 8
    }

    fn waiting(&self) -> u64 {
        let next: usize = self.next.iter().map(|rows| rows.lock().expect(POISONED).count(self.width)).sum();
        let layer = self.layer.count(self.width);
        (next + layer - self.taken.load(Ordering::Relaxed).min(layer)) as u64
    }

    fn is_wide(&self) -> bool {
        self.layer.count(self.width) >= WIDE
    }

    fn path(&self, _: usize) -> Option<Rows> {
        None
    }
}

const POISONED: &str = "a thread panicked while it held its part of the next layer";
