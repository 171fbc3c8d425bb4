//! The world around one comparison: its time, whether it was told to end, and what it was asking last.

use interplay_workbench::{Disk, Host, SystematicHost};
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

    pub(crate) fn now(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn interrupted(&self) -> &AtomicBool {
        &self.over
    }

    pub(crate) fn host<T>(&self, disk: Option<&dyn Disk>, ask: impl FnOnce(&Host<'_>) -> T) -> T {
        let now = || self.now();
        ask(&Host { now: &now, resident: &|| None, interrupted: &self.over, progress: &|_| {}, disk, keep: None })
    }

    pub(crate) fn systematic<T>(&self, ask: impl FnOnce(&SystematicHost<'_>) -> T) -> T {
        let now = || self.now();
        ask(&SystematicHost { now: &now, interrupted: &self.over, expected: &|_| {}, progress: &|_| {} })
    }
}
