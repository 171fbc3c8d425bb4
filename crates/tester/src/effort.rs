//! Who chose what to do in a campaign, and what came of it: runs and time, and what was met for the first time.

use interplay_judge::Table;
use interplay_model::RuleId;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// In the order in which they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chooser {
    /// What had failed before was repeated.
    Stored,
    /// The strategy.
    Strategy,
    /// One of the strategies of a portfolio, by its name.
    Member(&'static str),
    /// A way to a rule that the strategy had not covered, then the strategy. The time of asking for it is here, too.
    Scout,
    /// What failed was made shorter and repeated.
    Shrinking,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub runs: u64,
    /// Those of shrinking are not counted.
    pub steps: u64,
    /// Sets of possible states in which no run was before; several threads count for themselves.
    pub sets: usize,
    /// Rules that fired for the first time.
    pub rules: usize,
    /// Failures of a new kind.
    pub failures: u64,
    pub time: Duration,
}

/// The efforts of a campaign, and what is not new any more.
#[derive(Default)]
pub(crate) struct Efforts {
    pub(crate) by: BTreeMap<Chooser, Effort>,
    fired: BTreeSet<RuleId>,
}

/// How it was before somebody chose.
pub(crate) struct Before {
    sets: usize,
    began: Instant,
}

impl Before {
    pub(crate) fn now(table: &Table) -> Before {
        Before { sets: table.visited(), began: Instant::now() }
    }
}

impl Efforts {
    pub(crate) fn of(&mut self, chooser: Chooser) -> &mut Effort {
        self.by.entry(chooser).or_default()
    }

    pub(crate) fn ran(&mut self, chooser: Chooser, before: &Before, table: &Table, runs: u64, steps: u64) {
        let known = self.fired.len();
        self.fired.extend(table.fired());
        let rules = self.fired.len() - known;
        let effort = self.of(chooser);
        effort.runs += runs;
        effort.steps += steps;
        effort.sets += table.visited().saturating_sub(before.sets);
        effort.rules += rules;
        effort.time += before.began.elapsed();
    }
}
