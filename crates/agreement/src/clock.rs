//! The world around one comparison: its time, whether it was told to end, and what it was asking last.

use interplay_workbench::{Disk, Host};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone)]
pub(crate) struct Clock {
    started: Instant,
    over: Arc<AtomicBool>,
    asking: Arc<Mutex<String>>,
}

impl Clock {
    pub(crate) fn new() -> Clock {
        Clock { started: Instant::now(), over: Arc::default(), asking: Arc::default() }
    }

    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The command that is being asked, so that whoever finds it hanging or broken can say it.
    pub(crate) fn asks(&self, command: &str) {
        *self.asking.lock().unwrap_or_else(PoisonError::into_inner) = command.into();
    }

    pub(crate) fn asking(&self) -> String {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same world with files, and with room for states that do not fit into the memory.
    pub(crate) fn with<'w>(&'w self, files: &'w Files<'w>, disk: Option<&'w dyn Disk>) -> World<'w> {
        World { clock: self, files, disk }
    }
}

/// How files are read.
pub(crate) type Files<'f> = dyn Fn(&Path) -> io::Result<Vec<u8>> + Sync + 'f;

/// A clock with files and a disk.
pub(crate) struct World<'w> {
    clock: &'w Clock,
    files: &'w Files<'w>,
    disk: Option<&'w dyn Disk>,
}

impl Host for World<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        (self.files)(path)
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn stop(&self) -> &AtomicBool {
        self.clock.stop()
    }

    fn overflow(&self) -> Option<&dyn Disk> {
        self.disk
    }
}

/// Alone it has no files.
impl Host for Clock {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        &self.over
    }
}
