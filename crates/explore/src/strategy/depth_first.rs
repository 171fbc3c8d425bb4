//! As far as possible first. Every thread has a stack; one that has nothing left takes the oldest rows of another.
//!
//! A row on the stack is a sibling of a row on the way that the thread is on, so the way to it is a prefix of that one.
//! So a stolen row comes with its way, and every finding has a trace (not a shortest one).

use super::Strategy;
use crate::Rows;
use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) struct DepthFirst {
    width: usize,
    threads: Vec<Mutex<Stack>>,
    begun: bool,
    /// Threads that look for work.
    idle: AtomicUsize,
}

#[derive(Default)]
struct Stack {
    /// Depths, the newest last; the rows stand in `rows` in the same order.
    depths: VecDeque<u64>,
    rows: VecDeque<u64>,
    /// The way to the row that was taken last, that row included.
    path: Rows,
}

impl DepthFirst {
    pub(crate) fn new(initial: Rows, width: usize, threads: usize) -> DepthFirst {
        let mut stacks: Vec<Mutex<Stack>> = (0..threads).map(|_| Mutex::default()).collect();
        stacks[0].get_mut().expect(POISONED).push(width, 0, &initial);
        DepthFirst { width, threads: stacks, begun: false, idle: AtomicUsize::new(0) }
    }

    /// The oldest half of what another thread has, with the way to it.
    fn steal(&self, thread: usize) -> bool {
        for victim in (0..self.threads.len()).filter(|victim| *victim != thread) {
            let mut loot = Stack::default();
            {
                let mut stack = self.threads[victim].lock().expect(POISONED);
                let Some(depth) = stack.depths.front().copied() else { continue };
                // Only rows of one depth, because they have the same way.
                let same = stack.depths.iter().take_while(|each| **each == depth).count();
                let count = same.min(stack.depths.len().div_ceil(2));
                loot.depths.extend(stack.depths.drain(..count));
                loot.rows.extend(stack.rows.drain(..count * self.width));
                loot.path.words.extend_from_slice(&stack.path.words[..depth as usize * self.width]);
            }
            *self.threads[thread].lock().expect(POISONED) = loot;
            return true;
        }
        false
    }
}

impl Stack {
    /// In reverse, so that the first is taken first.
    fn push(&mut self, width: usize, depth: u64, rows: &Rows) {
        for row in rows.words.rchunks_exact(width) {
            self.depths.push_back(depth);
            self.rows.extend(row);
        }
    }

    fn pop(&mut self, width: usize, batch: &mut Rows) -> Option<u64> {
        let depth = self.depths.pop_back()?;
        batch.clear();
        batch.words.extend(self.rows.drain(self.rows.len() - width..));
        self.path.words.truncate(depth as usize * width);
        self.path.push(&batch.words);
        Some(depth)
    }
}

impl Strategy for DepthFirst {
    fn begin(&mut self) -> io::Result<bool> {
        Ok(!std::mem::replace(&mut self.begun, true))
    }

    fn take(&self, thread: usize, batch: &mut Rows, stop: &dyn Fn() -> bool) -> Option<u64> {
        let pop = |batch: &mut Rows| self.threads[thread].lock().expect(POISONED).pop(self.width, batch);
        if stop() {
            return None;
        }
        if let Some(depth) = pop(batch) {
            return Some(depth);
        }
        self.idle.fetch_add(1, Ordering::AcqRel);
        loop {
            if stop() || self.idle.load(Ordering::Acquire) == self.threads.len() {
                return None;
            }
            // A thief counts as busy while it tries, so that nobody leaves while work changes hands.
            self.idle.fetch_sub(1, Ordering::AcqRel);
            if self.steal(thread)
                && let Some(depth) = pop(batch)
            {
                return Some(depth);
            }
            self.idle.fetch_add(1, Ordering::AcqRel);
            std::thread::yield_now();
        }
    }

    fn give(&self, thread: usize, depth: u64, rows: &Rows) {
        self.threads[thread].lock().expect(POISONED).push(self.width, depth, rows);
    }

    fn bytes(&self) -> u64 {
        self.threads.iter().map(|stack| stack.lock().expect(POISONED).rows.capacity() as u64 * 8).sum()
    }

    fn waiting(&self) -> u64 {
        self.threads.iter().map(|stack| stack.lock().expect(POISONED).depths.len() as u64).sum()
    }

    fn is_wide(&self) -> bool {
        true
    }

    fn path(&self, thread: usize) -> Option<Rows> {
        Some(self.threads[thread].lock().expect(POISONED).path.clone())
    }
}

const POISONED: &str = "a thread panicked while it held its stack";
