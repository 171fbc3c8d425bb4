//! The disk: one long file with one position, as an operating system gives it. To transfer something one has to seek first.

use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest part that has a lock of its own.
pub(crate) const BLOCK: usize = 4096;

pub(crate) struct Disk {
    file: Mutex<Cursor<Vec<u8>>>,
    /// What happens between a seek and its transfer if they are not under one lock.
    torn: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Disk {
    pub(crate) fn new(blocks: usize, torn: Option<Box<dyn Fn() + Send + Sync>>) -> Disk {
        Disk { file: Mutex::new(Cursor::new(vec![0; blocks * BLOCK])), torn }
    }

    pub(crate) fn read(&self, at: usize, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.transfer(at, |file| file.read_exact(&mut bytes));
        bytes
    }

    pub(crate) fn write(&self, at: usize, bytes: &[u8]) {
        self.transfer(at, |file| file.write_all(bytes));
    }

    fn transfer(&self, at: usize, transfer: impl FnOnce(&mut Cursor<Vec<u8>>) -> std::io::Result<()>) {
        let mut file = self.file();
        let sought = file.seek(SeekFrom::Start(at as u64));
        if let Some(torn) = &self.torn {
            drop(file);
            torn();
            file = self.file();
        }
        // Memory has no input or output errors; a position that somebody else moved may lie near the end.
        let _ = sought.and_then(|_| transfer(&mut file));
    }

    fn file(&self) -> MutexGuard<'_, Cursor<Vec<u8>>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
