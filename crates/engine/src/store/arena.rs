//! The memory of the store: lists of words that are written once, never move, and are found again by a number. This file has
//! unsafe code.
//!
//! A handle is the place of a list, counted in words from the start of the arena: its length stands there and its words
//! follow. Why not boxes: a list is read for every element that compiled code touches, so finding it must be two
//! loads from memory, and most lists are so short that the book-keeping of a box is larger.
//!
//! Invariants: segment `i` is null, or points to at least [`SEGMENT`] words that live as long as the arena; a list that is
//! longer than a segment has an allocation of its own that several neighbouring segments point into, so every list is
//! contiguous. Words of a list are written before its handle is returned and never after; whoever passes a handle to another
//! thread does so with synchronisation (the shards of the store are locked, rows move between threads through locks), so
//! the words are seen too. Only handles that this arena returned are asked for.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Words of a segment.
const SEGMENT: usize = 1 << 17;
const SEGMENTS: usize = 1 << 20;

pub(super) struct Arena {
    segments: Box<[AtomicPtr<u64>]>,
    free: Mutex<Free>,
}

/// What is not used yet.
#[derive(Default)]
struct Free {
    /// The place of the next list.
    next: usize,
    /// The end of the segment it lies in.
    end: usize,
    /// What was allocated, to give it back.
    allocated: Vec<(*mut u64, Layout)>,
}

// SAFETY: the pointers in `Free` are only kept for the end; what they point to is shared as the invariants say.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Default for Arena {
    fn default() -> Arena {
        let layout = Layout::array::<AtomicPtr<u64>>(SEGMENTS).expect("it is a few megabytes");
        // SAFETY: zeroes are null pointers, and untouched zeroes cost nothing.
        let segments = unsafe {
            let start = alloc_zeroed(layout).cast::<AtomicPtr<u64>>();
            if start.is_null() {
                handle_alloc_error(layout);
            }
            Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, SEGMENTS))
        };
        Arena { segments, free: Mutex::default() }
    }
}

impl Arena {
    /// Keeps a list and returns its handle.
    pub(super) fn add(&self, words: &[u64]) -> u64 {
        let size = words.len() + 1;
        let place = {
            let mut free = self.free.lock().expect("adding does not panic");
            if free.end - free.next < size {
                self.grow(&mut free, size);
            }
            let place = free.next;
            free.next += size;
            place
        };
        let start = self.start(place);
        // SAFETY: `size` words from here on were set aside for this list alone.
        unsafe {
            start.write(words.len() as u64);
            start.add(1).copy_from_nonoverlapping(words.as_ptr(), words.len());
        }
        place as u64
    }

    #[inline(always)]
    pub(super) fn words(&self, handle: u64) -> &[u64] {
        let start = self.start(handle as usize);
        // SAFETY: see the invariants.
        unsafe { std::slice::from_raw_parts(start.add(1), *start as usize) }
    }

    #[inline(always)]
    fn start(&self, place: usize) -> *mut u64 {
        let segment = self.segments[place / SEGMENT].load(Ordering::Relaxed);
        debug_assert!(!segment.is_null(), "a handle is known only after its list was kept");
        // SAFETY: inside the segment.
        unsafe { segment.add(place % SEGMENT) }
    }

    /// Makes room for a list at the start of a new segment.
    fn grow(&self, free: &mut Free, size: usize) {
        let first = free.end / SEGMENT;
        let count = size.div_ceil(SEGMENT);
        assert!(first + count <= SEGMENTS, "the values of this exploration fill a terabyte");
        let layout = Layout::array::<u64>(count * SEGMENT).expect("it is smaller than the address space");
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) }.cast::<u64>();
        if start.is_null() {
            handle_alloc_error(layout);
        }
        free.allocated.push((start, layout));
        for number in 0..count {
            // SAFETY: inside the allocation.
            self.segments[first + number].store(unsafe { start.add(number * SEGMENT) }, Ordering::Release);
        }
        free.next = first * SEGMENT;
        free.end = (first + count) * SEGMENT;
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let free = self.free.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (start, layout) in free.allocated.drain(..) {
            // SAFETY: allocated with this layout; nothing refers to it any more.
            unsafe { dealloc(start.cast(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_length_are_kept() {
        let arena = Arena::default();
        let lengths = [0, 1, 2, SEGMENT - 2, 5, SEGMENT - 1, SEGMENT, 3 * SEGMENT + 7, 0, 1];
        let lists: Vec<Vec<u64>> =
            lengths.iter().map(|length| (0..*length as u64).map(|word| word * 3).collect()).collect();
        let handles: Vec<u64> = lists.iter().map(|list| arena.add(list)).collect();
        for (list, handle) in lists.iter().zip(&handles) {
            assert_eq!(arena.words(*handle), &list[..]);
        }
    }
}
