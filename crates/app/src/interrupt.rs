//! Ctrl-C, and SIGTERM, which build servers and containers send: the first one asks whoever works to end with what it has, the second one ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What comes so soon after the first one is the same one: `timeout` signals a program and then its whole group.
const SAME: Duration = Duration::from_millis(200);

/// Set once somebody has asked to end. Where it cannot be watched, Ctrl-C ends the program at once.
pub(crate) fn watched() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > SAME {
            std::process::exit(130);
        }
    });
    interrupted
}
