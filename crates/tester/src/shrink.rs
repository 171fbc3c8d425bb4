//! Makes a failing conversation shorter, and keeps it the same failure.
//!
//! Candidates are plans, followed by meaning ([`crate::Follow`]): loops of the model cut out, the shortest known way to where it
//! failed, chunks left out, pairs left out, single signals left out, smaller data. What counts is the conversation that came of a candidate, not the plan.
//! Where the implementation is not deterministic a candidate is tried often enough: if it failed half as often as
//! the original, missing it would have a probability of one in twenty at most; in the end, one in four hundred. Another failure that turns up on the way is
//! handed back, never taken for this one.

use crate::choices::Choices;
use crate::conversation::{Act, Plan, Said, Turn, inputs_of, plan};
use crate::failure::Failure;
use crate::run::{End, Tester};
use crate::strategies::Follow;
use crate::table::{SetId, Table};
use interplay_adapter::Trouble;
use interplay_semantics::Label;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub runs: u64,
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 2000, time: Duration::from_secs(20) }
    }
}

/// A failure as short as it could be made.
pub struct Shrunk {
    pub failure: Failure,
    pub turns: Vec<Turn>,
    pub plan: Plan,
    /// How often the shrunk plan failed so, of how many times it was followed.
    pub failed: u64,
    pub tried: u64,
    /// Runs that all this took.
    pub runs: u64,
    /// The budget ended before nothing shorter was left to try.
    pub cut_short: bool,
    /// Different failures that were met.
    pub others: Vec<(Failure, Vec<Turn>)>,
    pub trouble: Option<Trouble>,
}

/// So often the original is followed to see how reliably it fails.
const REPEATS: u64 = 20;
/// If it fails so often in a row it is taken as deterministic.
const SURE: u64 = 5;
/// So often each candidate is tried at first.
const FEW: u64 = 3;
/// No candidate is tried more often.
const MOST_TRIES: u64 = 60;
/// Longer plans are not searched for pairs.
const PAIRS: usize = 40;

struct Shrink<'s, 't> {
    tester: &'s mut Tester<'t>,
    interrupted: &'s AtomicBool,
    budget: Budget,
    started: Instant,
    runs: u64,
    tries: u64,
    /// How often each candidate was tried.
    tried: FxHashMap<Plan, u64>,
    best: Best,
    others: Vec<(Failure, Vec<Turn>)>,
    trouble: Option<Trouble>,
}

struct Best {
    failure: Failure,
    turns: Vec<Turn>,
    plan: Plan,
}

pub fn shrink(
    tester: &mut Tester<'_>,
    failure: Failure,
    turns: Vec<Turn>,
    budget: Budget,
    interrupted: &AtomicBool,
) -> Shrunk {
    let best = Best { plan: plan(&tester.table, &turns), failure, turns };
    let mut shrink = Shrink {
        tester,
        interrupted,
        budget,
        started: Instant::now(),
        runs: 0,
        tries: 1,
        tried: FxHashMap::default(),
        best,
        others: Vec::new(),
        trouble: None,
    };
    let (mut failed, mut tried) = shrink.reliability(REPEATS);
    if failed == 0 {
        // Once it did, so it is rare.
        let more = shrink.reliability(MOST_TRIES);
        (failed, tried) = (more.0, tried + more.1);
    }
    let mut cut_short = false;
    // What seemed to fail always may turn out not to; then it is searched once more, as what it is.
    for _ in 0..2 {
        if failed == 0 {
            break;
        }
        let enough = tries(failed, tried);
        shrink.search(enough);
        cut_short = shrink.is_over();
        // How often the short one fails is what a reader wants to know.
        (failed, tried) = shrink.reliability(REPEATS);
        if enough > 1 || failed == tried {
            break;
        }
    }
    let Shrink { best: Best { failure, turns, plan }, runs, others, trouble, .. } = shrink;
    Shrunk { failure, turns, plan, failed, tried, runs, cut_short, others, trouble }
}

/// So many tries miss a candidate that fails half as often with a probability of one in twenty.
pub(crate) fn tries(failed: u64, tried: u64) -> u64 {
    if failed == tried {
        return 1;
    }
    let half = (failed.max(1) as f64 / tried.max(1) as f64) / 2.0;
    ((0.05f64.ln() / (1.0 - half).ln()).ceil() as u64).clamp(1, MOST_TRIES)
}

impl Shrink<'_, '_> {
    fn is_over(&self) -> bool {
        self.runs >= self.budget.runs
            || self.trouble.is_some()
            || self.started.elapsed() >= self.budget.time
            || self.interrupted.load(Ordering::Relaxed)
    }

    /// Follows the best plan so often.
    fn reliability(&mut self, repeats: u64) -> (u64, u64) {
        let (mut failed, mut tried) = (0, 0);
        while tried < repeats && self.trouble.is_none() && !self.interrupted.load(Ordering::Relaxed) {
            tried += 1;
            failed += u64::from(self.follow(self.best.plan.clone()).is_some());
            if failed == SURE && tried == SURE {
                break;
            }
        }
        (failed, tried)
    }

    /// Where it always fails, one try of each candidate is enough. Elsewhere most of what is shorter shows itself in a few
    /// tries; what fails seldom shows itself in enough of them; and what was missed even so, in twice as many.
    fn search(&mut self, enough: u64) {
        let levels = if enough == 1 { vec![1] } else { vec![FEW.min(enough), enough, (2 * enough).min(MOST_TRIES)] };
        let mut level = 0;
        while level < levels.len() && !self.is_over() {
            self.tries = levels[level];
            let smaller =
                self.cut() || levels[level] == enough && (self.each(Shrink::probes) || self.each(Shrink::data));
            level = if smaller { 0 } else { level + 1 };
        }
    }

    /// Something is left out.
    fn cut(&mut self) -> bool {
        self.each(Shrink::loops)
            || self.each(Shrink::shortcuts)
            || self.each(Shrink::chunks)
            || self.each(Shrink::pairs)
            || self.each(Shrink::fewer_signals)
    }

    /// Tries candidates of one kind; stops at the first that is better.
    fn each(&mut self, candidates: fn(&mut Self) -> Vec<Plan>) -> bool {
        for candidate in candidates(self) {
            if self.is_over() {
                return false;
            }
            if self.is_better(candidate) {
                return true;
            }
        }
        false
    }

    fn is_better(&mut self, candidate: Plan) -> bool {
        let before = self.tried.get(&candidate).copied().unwrap_or(0);
        self.tried.insert(candidate.clone(), before.max(self.tries));
        for _ in before..self.tries {
            if self.is_over() {
                return false;
            }
            let Some((failure, turns)) = self.follow(candidate.clone()) else { continue };
            if measure(&self.tester.table, &turns) < measure(&self.tester.table, &self.best.turns) {
                self.best = Best { plan: plan(&self.tester.table, &turns), failure, turns };
                return true;
            }
        }
        false
    }

    /// One run; the failure if it is the same one.
    fn follow(&mut self, plan: Plan) -> Option<(Failure, Vec<Turn>)> {
        self.runs += 1;
        let steps = std::mem::replace(&mut self.tester.conduct.steps, plan.len() * 2 + 10);
        let ran = self.tester.run(&mut Follow::new(plan), &mut Choices::new(self.runs), self.interrupted);
        self.tester.conduct.steps = steps;
        match ran.end {
            End::Failed(failure) if failure.signature == self.best.failure.signature => Some((*failure, ran.turns)),
            End::Failed(failure) => {
                let known = self.others.iter().any(|(other, _)| other.signature == failure.signature);
                if !known {
                    self.others.push((*failure, ran.turns));
                }
                None
            }
            End::Broken(trouble) => {
                self.trouble = Some(trouble);
                None
            }
            _ => None,
        }
    }

    /// Without what led back to where it was before; the largest loops first.
    fn loops(&mut self) -> Vec<Plan> {
        let turns = &self.best.turns;
        let mut sets = vec![self.tester.table.start()];
        sets.extend(turns.iter().map(|turn| turn.set));
        let last = turns.len().saturating_sub(1);
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for from in 0..last {
            cuts.extend((from + 1..=last).filter(|to| sets[from] == sets[*to]).map(|to| (from, to)));
        }
        cuts.sort_by_key(|(from, to)| std::cmp::Reverse(to - from));
        cuts.into_iter().map(|(from, to)| without(&self.best.plan, from..to)).collect()
    }

    /// The shortest known way to one of the last sets, and then on as before.
    fn shortcuts(&mut self) -> Vec<Plan> {
        let ways = ways(&self.tester.table);
        let turns = &self.best.turns;
        let mut plans = Vec::new();
        for back in 1..=turns.len().saturating_sub(1) {
            let at = turns.len() - 1 - back;
            if let Some(way) = ways.get(&turns[at].set)
                && way.len() < at + 1
            {
                plans.push(way.iter().cloned().chain(self.best.plan[at + 1..].iter().cloned()).collect());
            }
        }
        plans
    }

    fn chunks(&mut self) -> Vec<Plan> {
        let plan = &self.best.plan;
        let mut plans = Vec::new();
        let mut size = plan.len() / 2;
        while size > 0 {
            plans.extend((0..plan.len()).step_by(size).map(|from| without(plan, from..from + size)));
            size /= 2;
        }
        plans
    }

    fn pairs(&mut self) -> Vec<Plan> {
        let plan = &self.best.plan;
        if plan.len() > PAIRS {
            return Vec::new();
        }
        let pairs = (0..plan.len()).flat_map(|first| (first + 1..plan.len()).map(move |second| (first, second)));
        pairs.map(|(first, second)| without(&without(plan, second..second + 1), first..first + 1)).collect()
    }

    /// One step of a synchronous system with one signal less.
    fn fewer_signals(&mut self) -> Vec<Plan> {
        let mut plans = Vec::new();
        for (at, act) in self.best.plan.iter().enumerate() {
            let Act::Give(Label::Step { inputs, .. }) = act else { continue };
            for left_out in inputs.iter().filter(|_| self.tester.table.is_synchronous()) {
                let others = inputs.iter().filter(|event| *event != left_out).cloned();
                let mut plan = self.best.plan.clone();
                plan[at] = Act::Give(Label::step(others, []));
                plans.push(plan);
            }
        }
        plans
    }

    /// Each input in each known set, by the shortest way there, if that would be shorter; then listening a little.
    fn probes(&mut self) -> Vec<Plan> {
        let length = self.best.plan.len();
        let ways = ways(&self.tester.table);
        let mut sets: Vec<(&SetId, &Plan)> = ways.iter().filter(|(_, way)| way.len() + 1 < length).collect();
        sets.sort_by_key(|(set, way)| (way.len(), **set));
        let mut plans = Vec::new();
        for (set, way) in sets {
            let left = length - way.len() - 1;
            let listen = std::iter::repeat_n(Act::Listen, left);
            plans.push(way.iter().cloned().chain(listen.clone()).collect());
            let Ok(offers) = self.tester.table.offers(*set) else { continue };
            for offer in offers.iter() {
                let give = Act::Give(self.tester.table.label(*offer).clone());
                plans.push(way.iter().cloned().chain([give]).chain(listen.clone()).take(length).collect());
            }
        }
        plans
    }

    /// One input with smaller arguments, everywhere where it is offered.
    fn data(&mut self) -> Vec<Plan> {
        let mut plans = Vec::new();
        let mut before = self.tester.table.start();
        for (at, turn) in self.best.turns.clone().into_iter().enumerate() {
            if let Some(Act::Give(given)) = self.best.plan.get(at).cloned() {
                let Ok(offers) = self.tester.table.offers(before) else { continue };
                let smaller = offers.iter().map(|offer| self.tester.table.label(*offer).clone());
                let smaller = smaller.filter(|label| same_actions(label, &given) && size(label) < size(&given));
                let mut smaller: Vec<Label> = smaller.collect();
                smaller.sort_by_key(size);
                for label in smaller {
                    let with = |act: &Act| {
                        if *act == Act::Give(given.clone()) { Act::Give(label.clone()) } else { act.clone() }
                    };
                    let mut once = self.best.plan.clone();
                    once[at] = Act::Give(label.clone());
                    plans.push(self.best.plan.iter().map(with).collect());
                    plans.push(once);
                }
            }
            before = turn.set;
        }
        plans
    }
}

/// Smaller is better: steps, then waiting in vain, then signals, then data.
fn measure(table: &Table, turns: &[Turn]) -> (usize, usize, usize, Vec<Label>) {
    let waited = turns.iter().filter(|turn| turn.said == Said::Waited).count();
    let given = turns.iter().filter_map(|turn| match turn.said {
        Said::Given(label) => Some(table.label(label).clone()),
        _ => None,
    });
    let given: Vec<Label> = given.collect();
    let signals = given.iter().map(|label| inputs_of(label).events().count()).sum();
    (turns.len() - waited, turns.len(), signals, given)
}

fn size(label: &Label) -> Label {
    label.clone()
}

fn same_actions(one: &Label, other: &Label) -> bool {
    one.events().map(|event| event.action).eq(other.events().map(|event| event.action))
}

fn without(plan: &Plan, range: std::ops::Range<usize>) -> Plan {
    plan.iter().enumerate().filter(|(at, _)| !range.contains(at)).map(|(_, act)| act.clone()).collect()
}

/// The shortest known way to each set.
fn ways(table: &Table) -> FxHashMap<SetId, Plan> {
    let mut ways: FxHashMap<SetId, Plan> = FxHashMap::default();
    ways.insert(table.start(), Vec::new());
    let mut waiting: VecDeque<SetId> = [table.start()].into_iter().collect();
    while let Some(set) = waiting.pop_front() {
        let way = ways[&set].clone();
        for edge in table.out(set).iter().map(|edge| table.edge(*edge)).filter(|edge| edge.taken > 0) {
            let Some(target) = edge.target.filter(|target| !ways.contains_key(target)) else { continue };
            let act = edge.offer.map_or(Act::Listen, |offer| Act::Give(table.label(offer).clone()));
            ways.insert(target, way.iter().cloned().chain([act]).collect());
            waiting.push_back(target);
        }
    }
    ways
}
