//! Large zeroed arrays of atomic words: the only file of this crate with unsafe code.
//!
//! Why not a vector: its zeroes should cost nothing before they are touched, running out of memory must be an answer and not
//! an abort, a hint to fetch a word early has no safe form, and a table that is read at random gains from *huge pages* (one
//! entry of the processor's address cache for 2 MiB instead of 4 KiB). Measured on a busy machine with a table of 128 MiB,
//! huge pages give between nothing and 30 %.
//!
//! Invariants: `words` points to `length` zeroed, aligned words inside a private mapping of `mapped` bytes at `base` that
//! nobody else knows; it lives exactly as long as the value. All access goes through `&[AtomicU64]`, so sharing between
//! threads is sound. On systems without `mmap` the words come from a vector and none of this applies.
#![allow(unsafe_code)]

use super::Full;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;
#[cfg(unix)]
use std::sync::atomic::Ordering::Relaxed;

/// A huge page.
const HUGE: usize = 2 << 20;
/// A multiple of every ordinary page.
const PAGE: usize = 1 << 16;
/// So much must be left for others, who cannot be told that there is none: then a search ends with what it knows.
const MARGIN: usize = 16 << 20;

pub(super) struct Words {
    #[cfg(unix)]
    base: *mut libc::c_void,
    #[cfg(unix)]
    mapped: usize,
    #[cfg(unix)]
    words: *const AtomicU64,
    #[cfg(unix)]
    length: usize,
    #[cfg(not(unix))]
    words: Vec<AtomicU64>,
}

// SAFETY: the mapping is owned by this value alone, and its words are atomic.
#[cfg(unix)]
unsafe impl Send for Words {}
// SAFETY: as above; shared access is only through atomics.
#[cfg(unix)]
unsafe impl Sync for Words {}

#[cfg(unix)]
impl Words {
    pub(super) fn zeroed(length: usize) -> Result<Words, Full> {
        let bytes = length.checked_mul(size_of::<u64>()).ok_or(Full)?;
        let slack = if bytes >= HUGE { HUGE } else { 0 };
        let mapped =
            bytes.checked_add(slack).and_then(|bytes| bytes.max(1).checked_next_multiple_of(PAGE)).ok_or(Full)?;
        let margin = if bytes >= PAGE { MARGIN } else { 0 };
        // SAFETY: an anonymous private mapping at an address of the system's choice touches no memory of ours.
        let base = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(
                std::ptr::null_mut(),
                mapped + margin,
                protection,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(Full);
        }
        if margin > 0 {
            // SAFETY: the end of the mapping, which begins with a page; nobody knows of it yet.
            unsafe { libc::munmap(base.add(mapped), margin) };
        }
        // SAFETY: the slack leaves room for moving the start up to a multiple of the page size.
        let words = unsafe { base.add(if slack > 0 { base.align_offset(HUGE) } else { 0 }) };
        #[cfg(target_os = "linux")]
        if slack > 0 {
            // SAFETY: the range lies inside the mapping. It is only advice, so the answer does not matter.
            unsafe { libc::madvise(words, bytes, libc::MADV_HUGEPAGE) };
        }
        Ok(Words { base, mapped, words: words.cast_const().cast(), length })
    }

    /// Adds zeroes at the end. Nobody else is here, so that the words may move.
    pub(super) fn extend(&mut self, length: usize) -> Result<(), Full> {
        let mut larger = Words::zeroed(length)?;
        if !self.move_pages(&mut larger) {
            for (to, from) in larger.iter().zip(&**self) {
                to.store(from.load(Relaxed), Relaxed);
            }
        }
        *self = larger;
        Ok(())
    }

    /// Moves whole pages, which neither copies them nor needs room for both; false if that is not possible here.
    #[cfg(target_os = "linux")]
    fn move_pages(&mut self, larger: &mut Words) -> bool {
        let bytes = self.length * size_of::<u64>();
        if !bytes.is_multiple_of(HUGE) || larger.length < self.length {
            return false;
        }
        let (from, to): (*mut libc::c_void, *mut libc::c_void) =
            (self.words.cast_mut().cast(), larger.words.cast_mut().cast());
        // SAFETY: both ranges are whole pages inside mappings that belong to these two values alone, and no reference to
        // their words is alive. The pages of `larger` that are replaced hold nothing yet.
        let moved = unsafe { libc::mremap(from, bytes, bytes, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, to) };
        if moved == libc::MAP_FAILED {
            return false;
        }
        // What is left of the mapping lies before and after the hole, which may belong to somebody else by now.
        let before = from as usize - self.base as usize;
        let after = self.mapped - before - bytes;
        // SAFETY: exactly what is still mapped, of which nobody knows any more.
        unsafe {
            if after > 0 {
                libc::munmap(from.add(bytes), after);
            }
        }
        (self.mapped, self.length) = (before, 0);
        true
    }

    #[cfg(not(target_os = "linux"))]
    fn move_pages(&mut self, _: &mut Words) -> bool {
        false
    }

    /// A hint that this word will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint reads nothing, wherever it points.
        unsafe {
            std::arch::x86_64::_mm_prefetch(self.words.wrapping_add(index).cast(), std::arch::x86_64::_MM_HINT_T0);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

#[cfg(unix)]
impl Deref for Words {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: see the invariants above.
        unsafe { std::slice::from_raw_parts(self.words, self.length) }
    }
}

#[cfg(unix)]
impl Drop for Words {
    fn drop(&mut self) {
        if self.mapped > 0 {
            // SAFETY: exactly what is mapped; nothing refers to it any more.
            unsafe { libc::munmap(self.base, self.mapped) };
        }
    }
}

#[cfg(not(unix))]
impl Words {
    pub(super) fn zeroed(length: usize) -> Result<Words, Full> {
        let mut words = Vec::new();
        words.try_reserve_exact(length).map_err(|_| Full)?;
        words.resize_with(length, || AtomicU64::new(0));
        Ok(Words { words })
    }

    pub(super) fn extend(&mut self, length: usize) -> Result<(), Full> {
        let more = length.saturating_sub(self.words.len());
        self.words.try_reserve_exact(more).map_err(|_| Full)?;
        self.words.resize_with(length, || AtomicU64::new(0));
        Ok(())
    }

    pub(super) fn prefetch(&self, _: usize) {}
}

#[cfg(not(unix))]
impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.words
    }
}
