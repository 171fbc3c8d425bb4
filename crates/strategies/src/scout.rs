//! The way to a rule that was not covered: who is asked for it, and what came of it.
//!
//! The tester knows no solver; without a [`Scout`] it asks nobody. Somebody is asked only before a run, when many runs in a row
//! were made without covering a rule for the first time, once for each rule, and never again after a few questions without
//! an answer: an ordinary test does not wait. The run then follows the way as far as it can be followed, and goes on as it
//! would have without it.
//!
//! The same seed leads to the same questions. Their answers are the same as well, unless the time for one is over on one machine
//! and not on another. With several threads only the first asks, about the rules that it has not covered itself.

use interplay_judge::{Act, Plan, Table, inputs_of, is_wanted};
use interplay_model::{Discipline, RuleId};
use interplay_semantics::{Instance, Label};
use std::collections::{BTreeMap, BTreeSet};

/// Somebody who finds ways in the model.
pub trait Scout: Sync {
    /// How a run from the start can do it. May take a while, but not long.
    fn way(&self, rule: RuleId) -> Way;
}

/// What a scout knows about a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Steps from the start; in the last one the rule fires.
    Steps(Vec<Label>),
    /// No run can do it, so it need not be covered.
    Never,
    Unknown,
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scouted {
    /// A run followed the way, and the rule fired.
    Reached,
    /// The implementation did not go along.
    Lost,
    /// The way has so many steps, more than a run.
    TooLong(usize),
    /// There is none.
    Never,
    Unknown,
}

/// At least so many runs without news, then a question.
const PATIENCE: u64 = 3;
/// Before the first question one in so many of the planned runs must have been without news, but no more than this number.
const SHARE: u64 = 5;
const MOST_PATIENCE: u64 = 20;
/// A way is followed so often: an implementation that chooses may go along another time.
const TRIES: usize = 3;
/// After so many questions without an answer nobody is asked any more.
const UNANSWERED: usize = 3;
/// After the test so many rules are asked about, which then need not be covered.
const LAST: usize = 10;

/// The questions of one campaign.
pub struct Scouting<'s> {
    scout: &'s dyn Scout,
    pub asked: BTreeMap<RuleId, Scouted>,
    fired: BTreeSet<RuleId>,
    /// Runs until the last rule fired for the first time, and since then.
    busy: u64,
    idle: u64,
    /// Runs without news before the first question.
    first: u64,
    /// The way that is followed now, where it leads, and how often it was tried.
    followed: Option<(RuleId, Plan, usize)>,
}

impl<'s> Scouting<'s> {
    pub fn new(scout: &'s dyn Scout, runs: u64) -> Scouting<'s> {
        let first = (runs / SHARE).clamp(PATIENCE, MOST_PATIENCE);
        Scouting { scout, asked: BTreeMap::new(), fired: BTreeSet::new(), busy: 0, idle: 0, first, followed: None }
    }

    /// What the next run of so many steps should begin with.
    pub fn next(&mut self, instance: &Instance, steps: usize) -> Option<Plan> {
        if self.followed.is_none() && self.is_dry() {
            let rule = self.open(instance).next()?;
            if let Some(way) = self.ask(rule) {
                let is_short = way.len() <= steps;
                // Until it is reached.
                self.asked.insert(rule, if is_short { Scouted::Lost } else { Scouted::TooLong(way.len()) });
                self.followed = is_short.then(|| (rule, plan(instance, &way), 0));
            }
        }
        self.followed.as_ref().map(|(_, plan, _)| plan.clone())
    }

    /// A run was made.
    pub fn ran(&mut self, table: &Table) {
        let before = self.fired.len();
        self.fired.extend(table.fired());
        let mut news = self.fired.len() - before;
        if let Some((rule, _, tries)) = &mut self.followed {
            *tries += 1;
            let reached = self.fired.contains(rule);
            if reached || *tries >= TRIES {
                self.asked.insert(*rule, if reached { Scouted::Reached } else { Scouted::Lost });
                self.followed = None;
            }
            // The rule itself is no news of the strategy.
            news -= usize::from(reached);
        }
        match news {
            0 => self.idle += 1,
            _ => (self.busy, self.idle) = (self.busy + self.idle + 1, 0),
        }
    }

    /// The strategy found the way to most rules itself, and may go on to; once somebody was asked, it is known not to.
    fn is_dry(&self) -> bool {
        self.idle >= if self.asked.is_empty() { self.busy.max(self.first) } else { PATIENCE }
    }

    /// All runs were made: which of the rules that nobody has covered need not be covered?
    pub fn finish(&mut self, missed: impl Iterator<Item = RuleId>) {
        let due = if self.is_dry() { LAST } else { 0 };
        for rule in missed.take(due) {
            if !self.asked.contains_key(&rule) && self.may_ask() {
                self.ask(rule);
            }
        }
        self.asked.retain(|_, scouted| *scouted != Scouted::Unknown);
    }

    /// The steps of a way; what else the scout says is noted.
    fn ask(&mut self, rule: RuleId) -> Option<Vec<Label>> {
        let known = match self.scout.way(rule) {
            Way::Steps(mut steps) => {
                steps.retain(Label::is_visible);
                return Some(steps);
            }
            Way::Never => Scouted::Never,
            Way::Unknown => Scouted::Unknown,
        };
        self.asked.insert(rule, known);
        None
    }

    fn may_ask(&self) -> bool {
        self.asked.values().filter(|scouted| **scouted == Scouted::Unknown).count() < UNANSWERED
    }

    /// The rules that never fired and that nobody was asked about.
    fn open(&self, instance: &Instance) -> impl Iterator<Item = RuleId> {
        let rules = instance.model().rules.iter().enumerate().filter(|_| self.may_ask());
        let wanted = rules.filter(|(_, rule)| is_wanted(instance, rule)).map(|(index, _)| RuleId(index));
        wanted.filter(|rule| !self.fired.contains(rule) && !self.asked.contains_key(rule))
    }
}

/// What to do so that the steps may happen.
fn plan(instance: &Instance, way: &[Label]) -> Plan {
    let synchronous = instance.model().discipline == Discipline::Synchronous;
    let act = |label: &Label| match label {
        Label::Step { inputs, .. } if synchronous || !inputs.is_empty() => Act::Give(inputs_of(label)),
        _ => Act::Listen,
    };
    way.iter().map(act).collect()
}
