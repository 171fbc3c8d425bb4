//! The memory of the store: lists of words that are written once, never move, and are found again by a number. This file has
//! unsafe code.
//!
//! Lists are numbered in the order in which they are kept, because the numbers stand in the rows of states and should need few
//! bits. Why not boxes: a list is read for every element that compiled code touches, so finding it must be a load of its
//! address, and most lists are so short that the book-keeping of a box is larger.
//!
//! Invariants: page `i` of the index is null, or points to [`PAGE`] addresses that live as long as the arena. The address of
//! a list points to its length, and its words follow; they live as long as the arena too. Address and words are written
//! before the handle is returned and never after; whoever passes a handle to another thread does so with synchronisation
//! (the shards of the store are locked, rows move between threads through locks), so all of it is seen. Only handles
//! that this arena returned are asked for.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Lists of one page of the index.
pub const PAGE: usize = 1 << 16;
const PAGES: usize = 1 << 16;
/// Words that are allocated at once.
const CHUNK: usize = 1 << 15;

pub(super) struct Arena {
    /// The index: page by page the addresses of the lists.
    pages: Box<[AtomicPtr<*const u64>]>,
    free: Mutex<Free>,
}

/// What is not used yet.
struct Free {
    /// How many lists there are.
    count: usize,
    /// Room for words.
    start: *mut u64,
    room: usize,
    /// What was allocated, to give it back.
    allocated: Vec<(*mut u8, Layout)>,
}

// SAFETY: the pointers are used under the lock, or as the invariants say.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Default for Arena {
    fn default() -> Arena {
        // SAFETY: a null pointer is all zeroes, which cost nothing before they are touched.
        let pages = unsafe { Box::new_zeroed_slice(PAGES).assume_init() };
        let free = Free { count: 0, start: std::ptr::null_mut(), room: 0, allocated: Vec::new() };
        Arena { pages, free: Mutex::new(free) }
    }
}

impl Arena {
    /// Keeps a list and returns its handle.
    pub(super) fn add(&self, words: &[u64]) -> u64 {
        let mut free = self.free.lock().expect("adding does not panic");
        let start = free.take(words.len() + 1);
        // SAFETY: so many words from here on were set aside for this list alone.
        unsafe {
            start.write(words.len() as u64);
            start.add(1).copy_from_nonoverlapping(words.as_ptr(), words.len());
        }
        let handle = free.count;
        assert!(handle / PAGE < PAGES, "this exploration has more than four billion values");
        if handle.is_multiple_of(PAGE) {
            let page = free.allocate(Layout::array::<*const u64>(PAGE)).cast();
            self.pages[handle / PAGE].store(page, Ordering::Release);
        }
        let page = self.pages[handle / PAGE].load(Ordering::Relaxed);
        // SAFETY: inside the page, and nobody knows this handle yet.
        unsafe { page.add(handle % PAGE).write(start) };
        free.count += 1;
        handle as u64
    }

    /// The pages of the index, one pointer each, for as long as the arena lives; every page has the addresses of [`PAGE`] lists.
    pub(super) fn index(&self) -> *const u8 {
        self.pages.as_ptr().cast()
    }

    #[inline(always)]
    pub(super) fn words(&self, handle: u64) -> &[u64] {
        let start = self.address(handle);
        // SAFETY: see the invariants.
        unsafe { std::slice::from_raw_parts(start.add(1), *start as usize) }
    }

    #[inline(always)]
    pub(super) fn address(&self, handle: u64) -> *const u64 {
        let page = self.pages[handle as usize / PAGE].load(Ordering::Relaxed);
        debug_assert!(!page.is_null(), "a handle is known only after its list was kept");
        // SAFETY: see the invariants.
        unsafe { *page.add(handle as usize % PAGE) }
    }
}

impl Free {
    /// Room for so many words.
    fn take(&mut self, size: usize) -> *mut u64 {
        if self.room < size {
            self.room = size.max(CHUNK);
            self.start = self.allocate(Layout::array::<u64>(self.room)).cast();
        }
        let start = self.start;
        // SAFETY: inside the allocation, or at its end.
        self.start = unsafe { start.add(size) };
        self.room -= size;
        start
    }

    fn allocate(&mut self, layout: Result<Layout, std::alloc::LayoutError>) -> *mut u8 {
        let layout = layout.expect("it is smaller than the address space");
        // SAFETY: no layout here is empty.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        self.allocated.push((start, layout));
        start
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let free = self.free.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (start, layout) in free.allocated.drain(..) {
            // SAFETY: allocated with this layout; nothing refers to it any more.
            unsafe { dealloc(start, layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_length_are_kept() {
        let arena = Arena::default();
        let lengths = [0, 1, 2, CHUNK - 2, 5, CHUNK - 1, CHUNK, 3 * CHUNK + 7, 0, 1];
        let many = lengths.iter().copied().chain((0..3 * PAGE).map(|number| number % 5));
        let lists: Vec<Vec<u64>> = many.map(|length| (0..length as u64).map(|word| word * 3).collect()).collect();
        let handles: Vec<u64> = lists.iter().map(|list| arena.add(list)).collect();
        for (list, handle) in lists.iter().zip(&handles) {
            assert_eq!(arena.words(*handle), &list[..]);
        }
    }
}
