//! What the search found worth writing down about a row: properties decided, errors of the model, ends that were not meant.

use super::{Desk, POISONED, Search};
use crate::checkpoint::Kept;
use crate::config::Findings;
use crate::found::{Found, Kind};
use crate::outcome::Stop;
use crate::strategy::Strategy;
use crate::{Expanded, Rows, System};
use std::sync::atomic::Ordering;

/// So many states in which the model goes wrong are looked at more closely.
const ERRORS: u64 = 1000;

impl<Y: System> Search<'_, Y> {
    /// What was found before is found once more.
    pub(super) fn judge_again(&self, kept: &Kept, strategy: &dyn Strategy) {
        let mut worker = self.system.worker();
        let (targets, fresh, counts) = Default::default();
        let worker = &mut worker;
        let mut desk = Desk { worker, targets, fresh, recent: Vec::new(), counts, rows: 0, transitions: 0, untimed: 0 };
        for (depth, saved) in &kept.findings {
            let mut row = Rows::default();
            if self.system.load(&mut &saved[..], &mut row) {
                let expanded = self.system.expand(desk.worker, &row.words, &mut desk.targets);
                self.judge(&mut desk, strategy, (0, *depth), &row.words, expanded);
                desk.targets.clear();
            }
        }
    }

    /// All that there is to say about a row that is a finding.
    fn judge<W>(
        &self,
        desk: &mut Desk<&mut W>,
        strategy: &dyn Strategy,
        at: (usize, u64),
        row: &[u64],
        expanded: Expanded,
    ) where
        Y: System<Worker = W>,
    {
        self.decide(strategy, at, row, expanded);
        if expanded.error || expanded.is_terminal() {
            self.odd(desk, strategy, at, row, expanded);
        }
    }

    #[cold]
    pub(super) fn decide(&self, strategy: &dyn Strategy, at: (usize, u64), row: &[u64], expanded: Expanded) {
        let (violated, satisfied) = (expanded.violated & self.properties, expanded.satisfied & self.properties);
        let before = self.decided.fetch_or(violated | satisfied, Ordering::Relaxed);
        for bit in 0..64 {
            let now = 1 << bit & !before;
            if violated & now != 0 {
                self.record(Kind::Violated(bit), strategy, at, row);
            }
            if satisfied & now != 0 {
                self.record(Kind::Satisfied(bit), strategy, at, row);
            }
        }
        let all = before | violated | satisfied == self.properties;
        if all && self.config.findings == Findings::StopAtFirst {
            self.halt(Stop::FirstFinding);
        }
    }

    /// A state in which the model goes wrong, or from which nothing leads on.
    #[cold]
    pub(super) fn odd<W>(
        &self,
        desk: &mut Desk<&mut W>,
        strategy: &dyn Strategy,
        at: (usize, u64),
        row: &[u64],
        expanded: Expanded,
    ) where
        Y: System<Worker = W>,
    {
        if expanded.error && self.errors.load(Ordering::Relaxed) < ERRORS {
            // What goes wrong in a step lies beyond the bound; what goes wrong where the state is judged does not.
            let last = self.config.depth.is_some_and(|most| at.1 >= most);
            let mut errors: Vec<_> = self.system.steps(desk.worker, row).into_iter().filter_map(Result::err).collect();
            errors.retain(|error| !last || error.label.is_none());
            self.errors.fetch_add(u64::from(!errors.is_empty()), Ordering::Relaxed);
            errors.into_iter().for_each(|error| self.record(Kind::Error(error), strategy, at, row));
            // That may have taken long: somebody looks at the time now.
            desk.untimed = u64::from(u32::MAX);
        }
        if !expanded.is_terminal() {
            return;
        }
        desk.counts.terminal += 1;
        match self.system.ending(row) {
            Ok(ending) => {
                desk.counts.not_accepting += u64::from(!ending.accepting);
                if self.config.deadlocks && !ending.meant && ending.stuck {
                    self.record(Kind::Deadlock, strategy, at, row);
                }
            }
            Err(error) => self.record(Kind::Error(error), strategy, at, row),
        }
    }

    /// Writes a finding down, unless the same one was found by a way that is not longer.
    fn record(&self, kind: Kind, strategy: &dyn Strategy, (thread, depth): (usize, u64), row: &[u64]) {
        let good = matches!(kind, Kind::Satisfied(_));
        let mut found = self.found.lock().expect(POISONED);
        if found.iter().all(|known| !known.kind.is_same(&kind)) {
            found.push(Found { kind, row: row.into(), depth, path: strategy.path(thread) });
        }
        if self.config.findings == Findings::StopAtFirst && !good {
            self.halt(Stop::FirstFinding);
        }
    }
}
