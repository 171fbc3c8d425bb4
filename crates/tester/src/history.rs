//! What the present process of the implementation has done already, run by run. A failure that needs it does not happen in a new
//! process alone, but there it does after the same runs.
//!
//! Kept in numbers of the table, so that a long campaign fits into memory; of more than [`MOST`] turns the oldest runs are forgotten.

use interplay_judge::Turn;
use std::collections::VecDeque;
use std::sync::Arc;

/// Turns of all runs together.
const MOST: usize = 1_000_000;

/// The conversation of one run.
pub(crate) type Past = Arc<[Turn]>;

#[derive(Debug, Default)]
pub struct History {
    /// How often the implementation had been started then.
    starts: u64,
    runs: VecDeque<Past>,
    turns: usize,
}

impl History {
    /// The implementation is ready for a run; it was started so often. A new process has no past.
    pub(crate) fn is_ready(&mut self, starts: u64) {
        if self.starts != starts {
            self.forget();
            self.starts = starts;
        }
    }

    /// A run is over.
    pub(crate) fn ran(&mut self, turns: &[Turn]) {
        self.turns += turns.len();
        self.runs.push_back(turns.into());
        while self.turns > MOST && self.runs.len() > 1 {
            self.turns -= self.runs.pop_front().map_or(0, |run| run.len());
        }
    }

    /// The last run, which goes on: it is not over before the next reset.
    pub(crate) fn take_last(&mut self) -> Vec<Turn> {
        let last = self.runs.pop_back().map_or(Vec::new(), |run| run.to_vec());
        self.turns -= last.len();
        last
    }

    /// The runs before the last one.
    pub(crate) fn before_last(&self) -> Vec<Past> {
        self.runs.iter().take(self.runs.len().saturating_sub(1)).cloned().collect()
    }

    /// The numbers of the table do not count any more.
    pub(crate) fn forget(&mut self) {
        self.runs.clear();
        self.turns = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interplay_judge::{Said, SetId};

    #[test]
    fn a_new_process_has_no_past() {
        let mut history = History::default();
        let turn = Turn { said: Said::Silence, set: SetId(0) };
        history.is_ready(1);
        history.ran(&[turn]);
        history.is_ready(1);
        history.ran(&[turn, turn]);
        assert_eq!(history.before_last().iter().map(|run| run.len()).collect::<Vec<_>>(), [1]);
        assert_eq!(history.take_last().len(), 2);
        history.is_ready(2);
        assert!(history.before_last().is_empty() && history.take_last().is_empty());
    }
}
