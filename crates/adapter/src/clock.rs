//! The clock of an adapter, read on ours.
//!
//! Nobody tells how far apart the two are. But no message comes before it was written, so the quickest one shows it best: the
//! smallest difference between when a message came and the time in it. A time read so is never later than when the message
//! came, and hardly earlier than what happened.

use std::time::{Duration, Instant};

pub(crate) struct Clock {
    start: Instant,
    /// The smallest difference so far, in microseconds.
    apart: Option<i128>,
}

impl Clock {
    pub(crate) fn new() -> Clock {
        Clock { start: Instant::now(), apart: None }
    }

    /// A new run: clocks drift, so they are compared anew if they can be.
    pub(crate) fn compare(&mut self, theirs: u64, came: Instant) {
        self.apart = Some(self.difference(theirs, came));
    }

    /// When something happened that was told by a message which came just now.
    pub(crate) fn read(&mut self, theirs: u64, came: Instant) -> Instant {
        let seen = self.difference(theirs, came);
        let apart = self.apart.map_or(seen, |apart| apart.min(seen));
        self.apart = Some(apart);
        let ours = u64::try_from(i128::from(theirs) + apart).unwrap_or(0);
        self.start + Duration::from_micros(ours)
    }

    fn difference(&self, theirs: u64, came: Instant) -> i128 {
        (came - self.start).as_micros() as i128 - i128::from(theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_was_held_back_tells_its_own_time() {
        let mut clock = Clock::new();
        let at = |ms: u64| clock_start(&clock) + Duration::from_millis(ms);
        let (ready, pong, late) = (at(5), at(25), at(405));
        clock.compare(1_000_000, ready);
        assert_eq!(clock.read(1_020_000, late), pong, "it came 380 ms late");
        assert_eq!(clock.read(1_400_000, late), late, "it came at once");
    }

    #[test]
    fn without_a_comparison_the_quickest_message_counts() {
        let mut clock = Clock::new();
        let at = |ms: u64| clock_start(&clock) + Duration::from_millis(ms);
        let (first, second, third) = (at(100), at(150), at(300));
        assert_eq!(clock.read(0, first), first, "nothing better is known");
        assert_eq!(clock.read(90_000, second), second);
        assert_eq!(clock.read(100_000, third), second + Duration::from_millis(10));
    }

    fn clock_start(clock: &Clock) -> Instant {
        clock.start
    }
}
