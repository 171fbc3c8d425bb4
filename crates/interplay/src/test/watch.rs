//! Looks whether a call of the system comes back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The calls that are under way, each with the time at which it should be back.
#[derive(Debug, Default)]
pub(crate) struct Watch(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    next: u64,
    due: HashMap<u64, Instant>,
}

/// A call that is under way until this is dropped.
pub(crate) struct Call<'w>(&'w Watch, u64);

impl Watch {
    pub(crate) fn call(&self, limit: Duration) -> Call<'_> {
        let mut calls = self.calls();
        let number = calls.next;
        calls.next += 1;
        calls.due.insert(number, Instant::now() + limit);
        Call(self, number)
    }

    /// One of them is late.
    pub(crate) fn hangs(&self) -> bool {
        let now = Instant::now();
        self.calls().due.values().any(|due| *due < now)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.calls().due.remove(&self.1);
    }
}
