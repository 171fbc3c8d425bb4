//! What can be left out of a conversation: everything that changed nothing, loops, detours, chunks, single steps, pairs, signals;
//! and in the end other ways to somewhere else.
//!
//! A pass goes through the best conversation so far; after a success it goes on at the same place of what is left.

use super::values::weight;
use super::ways::Ways;
use super::{Shrink, Step};
use interplay_judge::{LabelId, Said, SetId, Table};
use interplay_model::{ActionId, Type};
use interplay_semantics::{Label, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Longer plans are not searched for pairs.
const PAIRS: usize = 40;
/// So many runs are made to look elsewhere, or to exchange steps, whenever nothing else helps.
const PROBES: usize = 1000;
/// In longer plans no steps are exchanged.
const EXCHANGED: usize = 16;

impl Shrink<'_, '_> {
    /// The boldest: one candidate each without all that did nothing, without all waiting, without all loops, without an action; then the
    /// shortest known ways.
    pub(super) fn direct(&mut self) -> bool {
        let idle =
            |_: &Self, said: Said, before: SetId, after: SetId| matches!(said, Said::Refused(_)) || before == after;
        let waits = |_: &Self, said: Said, _: SetId, _: SetId| matches!(said, Said::Waited | Said::Silence);
        self.without_all(idle)
            | self.without_all(waits)
            | self.without_loops()
            | self.actions()
            | self.shortcuts()
            | self.loops()
    }

    /// Without all inputs of one action.
    fn actions(&mut self) -> bool {
        let action = |table: &Table, step: Step| match table.label(step?) {
            Label::Step { inputs, .. } => inputs.first().map(|event| event.action),
            _ => None,
        };
        let table = &self.tester.table;
        let given: BTreeSet<ActionId> = self.best.steps.iter().filter_map(|step| action(table, *step)).collect();
        let mut any = false;
        for left_out in given {
            let last = self.best.steps.len().saturating_sub(1);
            let stays =
                |(at, step): &(usize, &Step)| *at == last || action(&self.tester.table, **step) != Some(left_out);
            let kept: Vec<Step> = self.best.steps.iter().enumerate().filter(stays).map(|(_, step)| *step).collect();
            any |= self.attempt(&kept);
        }
        any
    }

    /// Single steps and chunks, pairs of what is left, and signals of one step.
    pub(super) fn cut(&mut self) -> bool {
        self.chunks() | self.signals() || self.pairs()
    }

    /// Without all steps of a kind; the last one is the failure and stays.
    fn without_all(&mut self, is_kind: impl Fn(&Self, Said, SetId, SetId) -> bool) -> bool {
        let sets = self.sets();
        let last = self.best.turns.len().saturating_sub(1);
        let stays = |at: usize| at == last || !is_kind(self, self.best.turns[at].said, sets[at], sets[at + 1]);
        let kept: Vec<Step> =
            (0..=last).filter(|at| stays(*at)).filter_map(|at| self.best.steps.get(at).copied()).collect();
        self.attempt(&kept)
    }

    /// Where the system may have been before each step, and after the last one.
    fn sets(&self) -> Vec<SetId> {
        let start = self.tester.table.start();
        std::iter::once(start).chain(self.best.turns.iter().map(|turn| turn.set)).collect()
    }

    /// From each set straight on as after the last time that it was met.
    fn without_loops(&mut self) -> bool {
        let (sets, last) = (self.sets(), self.last_times());
        let mut kept = Vec::new();
        let mut at = 0;
        while at < self.best.steps.len() {
            at = last.get(&sets[at]).copied().unwrap_or(at).max(at);
            kept.extend(self.best.steps.get(at));
            at += 1;
        }
        self.attempt(&kept)
    }

    /// When each set was met last, before the step that failed.
    fn last_times(&self) -> FxHashMap<SetId, usize> {
        self.sets().into_iter().take(self.best.turns.len()).enumerate().map(|(at, set)| (set, at)).collect()
    }

    /// One loop at a time, each from where its set was met first.
    fn loops(&mut self) -> bool {
        let (mut any, mut at) = (false, 0);
        let mut begun = FxHashSet::default();
        let (mut sets, mut last) = (self.sets(), self.last_times());
        while at < self.best.steps.len() && !self.is_over() {
            let to = last.get(&sets[at]).copied().unwrap_or(at);
            let shorter = begun.insert(sets[at]) && to > at && self.attempt(&without(&self.best.steps, at, to));
            if shorter {
                any = true;
                (sets, last) = (self.sets(), self.last_times());
            }
            at += 1;
        }
        any
    }

    /// The shortest known way to one of the last sets, and then on as after the last time that it was met.
    fn shortcuts(&mut self) -> bool {
        let ways = Ways::new(&self.tester.table);
        let mut tried = FxHashSet::default();
        for at in (0..self.best.turns.len().saturating_sub(1)).rev() {
            let set = self.best.turns[at].set;
            if self.is_over() || !tried.insert(set) || ways.length(set).is_none_or(|length| length > at) {
                continue;
            }
            let mut steps = ways.to(&self.tester.table, set);
            steps.extend(&self.best.steps[at + 1..]);
            if self.attempt(&steps) {
                return true;
            }
        }
        false
    }

    /// Chunks of halving sizes, down to single steps; what succeeds is doubled.
    fn chunks(&mut self) -> bool {
        let mut any = false;
        let mut size = self.best.steps.len() / 2;
        while size > 0 {
            let (mut at, mut now) = (0, size);
            while at < self.best.steps.len() && !self.is_over() {
                let best = self.best.steps.clone();
                let next = (at + size..best.len()).step_by(size);
                self.ahead(next.map(|at| without(&best, at, at + size)));
                let shorter = self.attempt(&without(&best, at, at + now));
                any |= shorter;
                (at, now) = match shorter {
                    true => (at, now * 2),
                    false if now > size => (at, size),
                    false => (at + size, size),
                };
            }
            size /= 2;
        }
        any
    }

    /// Two single steps.
    fn pairs(&mut self) -> bool {
        let (mut any, mut first) = (false, 0);
        while first < self.best.steps.len() && self.best.steps.len() <= PAIRS {
            let mut second = first + 1;
            while second < self.best.steps.len() && !self.is_over() {
                let best = self.best.steps.clone();
                let pair = |second: usize| without(&without(&best, second, second + 1), first, first + 1);
                self.ahead((second + 1..best.len()).map(pair));
                let shorter = self.attempt(&pair(second));
                any |= shorter;
                second += usize::from(!shorter);
            }
            first += 1;
        }
        any
    }

    /// One step of a synchronous system with one signal less.
    fn signals(&mut self) -> bool {
        if !self.tester.table.is_synchronous() {
            return false;
        }
        let (mut any, mut at, mut left_out) = (false, 0, 0);
        while at < self.best.steps.len() && !self.is_over() {
            let inputs = match self.best.steps[at].map(|label| self.tester.table.label(label)) {
                Some(Label::Step { inputs, .. }) => inputs.clone(),
                _ => Vec::new(),
            };
            if left_out >= inputs.len() {
                (at, left_out) = (at + 1, 0);
                continue;
            }
            let others = inputs.into_iter().enumerate().filter(|(index, _)| *index != left_out);
            let label = self.tester.table.label_id(&Label::step(others.map(|(_, event)| event), []));
            let mut steps = self.best.steps.clone();
            steps[at] = Some(label);
            let smaller = self.attempt(&steps);
            any |= smaller;
            left_out += usize::from(!smaller);
        }
        any
    }

    /// One step less and another one exchanged for one like it: where each step is needed for what another one says, leaving
    /// out is not enough. Only what always fails is looked for so, because it takes many tries.
    pub(super) fn exchanged(&mut self) -> bool {
        self.tries == 1
            && self.best.steps.len() <= EXCHANGED
            && (self.exchanged_for(Self::like) || self.exchanged_for(Self::offered))
    }

    fn exchanged_for(&mut self, others: impl Fn(&mut Self, usize) -> BTreeSet<LabelId>) -> bool {
        let length = self.best.steps.len();
        let mut left = PROBES;
        // What comes last says most.
        for at in (0..length).rev() {
            for other in others(self, at) {
                for left_out in (0..length).filter(|left_out| *left_out != at) {
                    left = left.saturating_sub(1);
                    if left == 0 || self.is_over() {
                        return false;
                    }
                    let mut steps = self.best.steps.clone();
                    steps[at] = Some(other);
                    steps.remove(left_out);
                    if self.attempt(&steps) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The other inputs of the conversation, and the input of this step with other values of the conversation.
    fn like(&mut self, at: usize) -> BTreeSet<LabelId> {
        let mut others: BTreeSet<LabelId> = self.best.steps.iter().flatten().copied().collect();
        let values: Vec<(Type, Value)> = (0..self.best.steps.len()).flat_map(|at| self.arguments(at)).collect();
        for (argument, (ty, _)) in self.arguments(at).into_iter().enumerate() {
            for (_, value) in values.iter().filter(|(other, _)| *other == ty) {
                others.extend(self.with(at, argument, value)[at]);
            }
        }
        others
    }

    /// What else could be given where this step was.
    fn offered(&mut self, at: usize) -> BTreeSet<LabelId> {
        self.tester
            .table
            .offers(self.sets()[at])
            .map_or_else(|_| BTreeSet::new(), |offers| offers.iter().copied().collect())
    }

    /// Something else in each known set, by the shortest way there, if that would be shorter; then listening a little.
    pub(super) fn elsewhere(&mut self) -> bool {
        let ways = Ways::new(&self.tester.table);
        let mut left = PROBES;
        for set in &ways.near {
            let length = self.best.steps.len();
            let way = ways.to(&self.tester.table, *set);
            if way.len() + 1 >= length {
                break;
            }
            for given in std::iter::once(None).chain(self.probes(*set).into_iter().map(Some)) {
                let steps = way.iter().copied().chain([given]).chain(std::iter::repeat(None)).take(length - 1);
                left = left.saturating_sub(1);
                if left == 0 || self.is_over() {
                    return false;
                }
                if self.attempt(&steps.collect::<Vec<_>>()) {
                    return true;
                }
            }
        }
        false
    }

    /// What to give there: of each action the simplest offer, and what the best one gives.
    fn probes(&mut self, set: SetId) -> Vec<LabelId> {
        let Ok(offers) = self.tester.table.offers(set) else { return Vec::new() };
        let table = &self.tester.table;
        let given: BTreeSet<LabelId> = self.best.steps.iter().flatten().copied().collect();
        let mut simplest: BTreeMap<Vec<ActionId>, (u128, LabelId)> = BTreeMap::new();
        for offer in offers.iter() {
            let events = || table.label(*offer).events();
            let weight = events().flat_map(|event| &event.args).map(weight).sum();
            let known = simplest.entry(events().map(|event| event.action).collect()).or_insert((weight, *offer));
            *known = (*known).min((weight, *offer));
        }
        let simplest: BTreeSet<LabelId> = simplest.into_values().map(|(_, offer)| offer).collect();
        offers.iter().copied().filter(|offer| simplest.contains(offer) || given.contains(offer)).collect()
    }
}

fn without(steps: &[Step], from: usize, to: usize) -> Vec<Step> {
    steps.iter().enumerate().filter(|(at, _)| !(from..to).contains(at)).map(|(_, step)| *step).collect()
}
