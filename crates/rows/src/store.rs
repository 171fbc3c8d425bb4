//! Interned lists of words: equal lists have the same handle, so that comparing structured values is comparing words and
//! states share their parts.
//!
//! Reading takes no lock: entries are written once and never move. Interning takes the lock of one of many shards. The
//! price is that nothing is ever forgotten while the store lives, which is as long as one exploration.

mod arena;

use arena::Arena;
pub use arena::PAGE;
use hashbrown::HashTable;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 64;

/// All structured values of one exploration.
pub struct Store {
    arena: Arena,
    shards: Vec<Mutex<HashTable<u64>>>,
    bytes: AtomicU64,
}

impl Default for Store {
    fn default() -> Store {
        Store {
            arena: Arena::default(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicU64::new(0),
        }
    }
}

impl Store {
    /// The handle of a list.
    pub fn intern(&self, words: &[u64]) -> u64 {
        let hash = hash_of(words);
        let mut shard = self.shards[(hash >> 58) as usize].lock().expect("interning does not panic");
        if let Some(handle) = shard.find(hash, |handle| self.words(*handle) == words) {
            return *handle;
        }
        let handle = self.arena.add(words);
        // The list, its length, its address, and its place in a table that is about two thirds full.
        self.bytes.fetch_add(8 * words.len() as u64 + 16 + 13, Ordering::Relaxed);
        shard.insert_unique(hash, handle, |handle| hash_of(self.words(*handle)));
        handle
    }

    #[inline(always)]
    pub fn words(&self, handle: u64) -> &[u64] {
        self.arena.words(handle)
    }

    /// Where compiled code finds the addresses of lists: see [`Arena::index`].
    pub fn index(&self) -> *const u8 {
        self.arena.index()
    }

    /// Where a list lies: its length, then its words.
    pub fn address(&self, handle: u64) -> *const u64 {
        self.arena.address(handle)
    }

    /// Strings are lists too: the length in bytes, then the bytes.
    pub fn intern_text(&self, text: &str) -> u64 {
        let bytes = text.as_bytes().chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let words: Vec<u64> = std::iter::once(text.len() as u64).chain(bytes).collect();
        self.intern(&words)
    }

    pub fn text(&self, handle: u64) -> String {
        let words = self.words(handle);
        let mut bytes: Vec<u8> = words[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(words[0] as usize);
        String::from_utf8(bytes).expect("it was a text when it was interned")
    }

    /// Memory in use, about.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

fn hash_of(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64 ^ 0x9E37_79B9_7F4A_7C15, |hash, word| {
        rapidhash::v3::rapidhash_v3(&(hash ^ word.rotate_left(29)).to_le_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_have_one_handle() {
        let store = Store::default();
        let handles: Vec<u64> = (0..5_000).map(|number| store.intern(&[number, number + 1])).collect();
        for (number, handle) in handles.iter().enumerate() {
            assert_eq!(store.intern(&[number as u64, number as u64 + 1]), *handle);
            assert_eq!(store.words(*handle)[0], number as u64);
        }
        assert_ne!(store.intern(&[]), store.intern(&[0]));
        assert_eq!(store.text(store.intern_text("grüße, 世界")), "grüße, 世界");
    }
}
