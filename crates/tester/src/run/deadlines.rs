//! Promises with a time. A step shows when a deadline has passed; where no step comes any more, time itself does. So before a run
//! ends, what was promised in time is waited for.

use super::{End, Flow, Run};
use interplay_judge::{FailureKind, Said, Wrong};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Nobody waits longer than this for one run to end.
const MOST: Duration = Duration::from_secs(10);
/// An output that happened in time may still be on its way.
const ON_ITS_WAY: Duration = Duration::from_millis(50);
/// So often we look whether a deadline has passed.
const LOOK: Duration = Duration::from_millis(10);

impl Run<'_, '_> {
    /// Listens until no property waits for something in time.
    pub(super) fn outlast_deadlines(&mut self) -> Flow<()> {
        let longest = self.tester.watch.longest_bound();
        let until = Instant::now() + longest.min(MOST) + ON_ITS_WAY + 2 * LOOK;
        let mut open = longest > MOST;
        while self.tester.watch.is_waiting() && Instant::now() < until {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(Box::new(End::Interrupted));
            }
            let next_look = Instant::now() + LOOK;
            match self.next(LOOK)? {
                Some(output) => {
                    self.hear(&output)?;
                    open = true;
                }
                None => {
                    // Some have nothing to wait for and say so at once.
                    std::thread::sleep(next_look.saturating_duration_since(Instant::now()));
                    self.time_passes()?;
                }
            }
        }
        if open {
            self.tester.watch.remember_waiting();
        }
        Ok(())
    }

    fn time_passes(&mut self) -> Flow<()> {
        let now = self.clock().saturating_sub(ON_ITS_WAY.as_micros() as u64);
        match self.tester.watch.pass(now) {
            Some(name) => {
                let wrong = Wrong { kind: FailureKind::Property(name), label: None, offer: None };
                self.fail(self.possible.set(), wrong, Said::Over)
            }
            None => Ok(()),
        }
    }
}
