//! Files in memory, for searches that are told to have little room.

use interplay_workbench::Disk;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(crate) struct InMemory(Mutex<BTreeMap<u64, Vec<u8>>>);

impl InMemory {
    fn files(&self) -> MutexGuard<'_, BTreeMap<u64, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Disk for InMemory {
    fn create(&self) -> io::Result<u64> {
        let mut files = self.files();
        let number = files.last_key_value().map_or(0, |(last, _)| last + 1);
        files.insert(number, Vec::new());
        Ok(number)
    }

    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        self.files().get_mut(&file).ok_or(io::ErrorKind::NotFound)?.extend_from_slice(bytes);
        Ok(())
    }

    fn read(&self, file: u64, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        let files = self.files();
        let held = files.get(&file).ok_or(io::ErrorKind::NotFound)?;
        let from = usize::try_from(from).map_err(io::Error::other)?;
        let part = held.get(from..from + bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(part);
        Ok(())
    }

    fn remove(&self, file: u64) {
        self.files().remove(&file);
    }
}
