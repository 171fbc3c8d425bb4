//! Towards a goal: a game on the test graph. Where the tester can force it, whatever the implementation chooses, the *rank* of a
//! set is the number of steps that this takes at most, and every move lowers it. Elsewhere the implementation is taken to choose
//! as often as it was seen to (each possible output once before anything was seen); the value of a set is then the probability of
//! reaching the goal, a little less for every step, so that a short way beats a long one. A goal that is too far away to be seen is
//! approached by what its conditions say: the move after which their numbers and sizes are nearest to what is asked.

use super::Coverage;
use crate::aims::Journey;
use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Choices, Edge, LabelId, SetId, Table};
use interplay_model::GoalId;
use interplay_semantics::Label;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What a step costs.
const PATIENCE: f64 = 0.98;
/// Values that change less are settled.
const SETTLED: f64 = 1e-6;
/// So many sets are looked at ahead, and so many steps of their states: with many of both it takes its time.
const MOST: usize = 5000;
const MOST_STEPS: usize = 10_000;
/// Where nothing is in sight, it is looked for again after so many choices.
const AGAIN: usize = 20;
/// So many offers are compared by how near they lead.
const MOST_OFFERS: usize = 64;
/// Once in so many times the choice is free although one is better.
const FREE: usize = 10;
/// With so many offers in a set no more values are drawn.
const ENOUGH: usize = 16;
/// So many choices the values stay as they are, although more was seen.
const FRESH: usize = 200;

pub struct Goal {
    goal: GoalId,
    /// Where this run is on its way there.
    journey: Option<Journey>,
    /// The last set that was looked at in this run.
    at: Option<SetId>,
    values: Vec<f64>,
    /// By set: the most steps in which the goal can be forced.
    ranks: Vec<Option<u32>>,
    age: usize,
    /// So many choices nothing is looked for, because nothing was in sight.
    patience: usize,
    reached: bool,
    ever: bool,
    then: Coverage,
}

impl Goal {
    pub fn new(goal: GoalId) -> Goal {
        Goal {
            goal,
            journey: None,
            at: None,
            values: Vec::new(),
            ranks: Vec::new(),
            age: 0,
            patience: 0,
            reached: false,
            ever: false,
            then: Coverage::default(),
        }
    }

    /// Some run came there.
    pub(super) fn was_reached(&self) -> bool {
        self.ever
    }

    fn is_goal(&self, table: &Table, set: SetId) -> bool {
        self.journey.is_some_and(|journey| journey.is_met(table, set, None))
    }

    /// Notes how far the run has come.
    fn arrive(&mut self, table: &Table, set: SetId) {
        let mut journey = self.journey.unwrap_or_else(|| Journey::new(table.instance(), self.goal));
        if self.at == Some(set) || self.reached {
            self.journey = Some(journey);
            return;
        }
        self.at = Some(set);
        let (step, before) = (table.last().map(|edge| table.label(edge.label)), journey);
        self.reached = journey.arrive(table, set, step);
        self.ever |= self.reached;
        if self.reached || !journey.is_same(&before) {
            self.values.clear();
            self.ranks.clear();
            self.patience = 0;
        }
        self.journey = Some(journey);
    }

    /// Out of sight: the move after which the nearest state is nearest, listening included.
    fn nearer(&self, view: &mut View<'_>, choices: &mut Choices) -> Option<Move> {
        let journey = self.journey?;
        let mut ways: Vec<(f64, Option<usize>)> = Vec::new();
        let step =
            |table: &mut Table, label| table.after(view.set, label).ok().and_then(|edge| table.edge(edge).target);
        for offer in 0..view.offers.len().min(MOST_OFFERS) {
            let labels = view.table.reactions(view.set, view.offers[offer]).unwrap_or_default();
            let targets: Vec<SetId> = labels.into_iter().filter_map(|label| step(view.table, label)).collect();
            ways.extend(targets.into_iter().map(|set| (journey.distance(view.table, set), Some(offer))));
        }
        if view.may_listen {
            let heard = view.table.heard(view.set).ok()?;
            let targets: Vec<SetId> = heard.iter().filter_map(|label| step(view.table, *label)).collect();
            ways.extend(targets.into_iter().map(|set| (journey.distance(view.table, set), None)));
        }
        let best = ways.iter().map(|(far, _)| *far).fold(f64::INFINITY, f64::min);
        // Where nothing leads away from here, the way is not to be seen by distance.
        let differs = ways.iter().any(|(far, _)| *far > best) || best < journey.distance(view.table, view.set);
        let mut ties: Vec<usize> =
            ways.iter().filter(|(far, _)| *far <= best).map(|(_, way)| way.unwrap_or(view.offers.len())).collect();
        ties.sort_unstable();
        ties.dedup();
        ties.retain(|tie| view.is_open(*tie));
        if !differs || ties.is_empty() || choices.once_in(FREE) {
            return None;
        }
        let chosen = view.one_of(&ties, choices);
        Some(if chosen < view.offers.len() { Move::Give(chosen) } else { Move::Listen })
    }

    fn value(&self, set: SetId) -> f64 {
        self.values.get(set.0 as usize).copied().unwrap_or(0.0)
    }

    /// Expands the graph from a set and computes the values of all sets in it.
    fn solve(&mut self, table: &mut Table, from: SetId) {
        let sets = expand(table, from);
        self.values = vec![0.0; table.sets()];
        for set in &sets {
            self.values[set.0 as usize] = f64::from(u8::from(self.is_goal(table, *set)));
        }
        self.force(table, &sets);
        let goals: FxHashSet<SetId> = sets.iter().copied().filter(|set| self.value(*set) == 1.0).collect();
        for _ in 0..sets.len().max(100) {
            let mut change: f64 = 0.0;
            for set in sets.iter().rev().filter(|set| !goals.contains(set)) {
                let best = self.best(table, *set).map_or(0.0, |(value, _)| value);
                change = change.max((best - self.value(*set)).abs());
                self.values[set.0 as usize] = best;
            }
            if change < SETTLED {
                break;
            }
        }
    }

    /// The attractor of the goal, from the inside to the outside.
    fn force(&mut self, table: &mut Table, sets: &[SetId]) {
        self.ranks = self.values.iter().map(|value| (*value == 1.0).then_some(0)).collect();
        let silence = table.label_id(&Label::Silence);
        for rank in 1..=sets.len() as u32 {
            let mut forced = Vec::new();
            for set in sets.iter().filter(|set| self.rank(**set).is_none()) {
                let must_speak = table.known(*set, silence).is_some_and(|edge| table.edge(edge).target.is_none());
                if self.forcing(table, *set, must_speak).is_some() {
                    forced.push(*set);
                }
            }
            if forced.is_empty() {
                break;
            }
            forced.into_iter().for_each(|set| self.ranks[set.0 as usize] = Some(rank));
        }
    }

    fn rank(&self, set: SetId) -> Option<u32> {
        self.ranks.get(set.0 as usize).copied().flatten()
    }

    /// A move after which every answer lies in sets with a rank: an offer, or (`None`) listening where something must come. What
    /// may come meanwhile must lie there too.
    fn forcing(&self, table: &Table, set: SetId, must_speak: bool) -> Option<Option<LabelId>> {
        let edges = || table.out(set).iter().map(|edge| table.edge(*edge));
        let edges = || edges().filter(|edge| edge.target.is_some() && *table.label(edge.label) != Label::Silence);
        let below = |edge: &Edge| {
            let target = edge.target.and_then(|target| self.rank(target));
            target.is_some_and(|target| self.rank(set).is_none_or(|here| target < here))
        };
        if !edges().filter(|edge| edge.offer.is_none()).all(below) {
            return None;
        }
        let offers: BTreeSet<LabelId> = edges().filter_map(|edge| edge.offer).collect();
        let mut sure = offers.into_iter().filter(|offer| edges().filter(|edge| edge.offer == Some(*offer)).all(below));
        let speaks = must_speak && edges().any(|edge| edge.offer.is_none());
        sure.next().map(Some).or(speaks.then_some(None))
    }

    /// The best that can be done in a set: an offer, or (`None`) listening.
    fn best(&self, table: &Table, set: SetId) -> Option<(f64, Option<LabelId>)> {
        let edges = || table.out(set).iter().map(|edge| table.edge(*edge));
        let offers: BTreeSet<LabelId> = edges().filter_map(|edge| edge.offer).collect();
        // Where nothing comes although it may, listening leads nowhere.
        let choices = offers.into_iter().map(Some).chain([None]);
        let value = |choice: Option<LabelId>| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for edge in edges().filter(|edge| edge.offer == choice && *table.label(edge.label) != Label::Silence) {
                let Some(target) = edge.target else { continue };
                let often = edge.taken as f64 + 1.0;
                sum += often * self.value(target);
                weight += often;
            }
            (if weight > 0.0 { PATIENCE * sum / weight } else { 0.0 }, choice)
        };
        choices.map(value).max_by(|(one, _), (other, _)| one.total_cmp(other))
    }
}

impl Strategy for Goal {
    fn name(&self) -> &'static str {
        "goal"
    }

    fn begin(&mut self) {
        (self.reached, self.journey, self.at) = (false, None, None);
        self.values.clear();
        self.ranks.clear();
        self.then.begin();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        self.arrive(view.table, view.set);
        self.age += 1;
        if !self.reached {
            // Where nothing was in sight a while ago, there is hardly anything now.
            let blind = self.value(view.set) == 0.0 && self.age > self.patience;
            if blind || self.age > FRESH.max(self.patience) {
                self.age = 0;
                self.solve(view.table, view.set);
                let sees = self.value(view.set) > 0.0;
                self.patience = if sees { 0 } else { (2 * self.patience).clamp(AGAIN, FRESH) };
            }
            let forced = self.rank(view.set).and_then(|_| self.forcing(view.table, view.set, true));
            let best = || self.best(view.table, view.set).filter(|(value, _)| *value > 0.0).map(|(_, choice)| choice);
            match forced.or_else(best) {
                Some(Some(offer)) => {
                    if let Some(offer) = view.offers.iter().position(|each| *each == offer) {
                        return Move::Give(offer);
                    }
                }
                Some(None) if view.may_listen => return Move::Listen,
                _ => {}
            }
            if self.value(view.set) == 0.0
                && let Some(chosen) = self.nearer(&mut view, choices)
            {
                return chosen;
            }
        }
        match self.then.choose(view, choices) {
            // What was reached in this run is not forgotten by beginning again in it.
            Move::Restart if self.reached => Move::Stop,
            other => other,
        }
    }

    fn forget(&mut self) {
        self.values.clear();
        self.ranks.clear();
        self.then.forget();
    }
}

/// All sets within reach, as far as there is room, with all their steps.
fn expand(table: &mut Table, from: SetId) -> Vec<SetId> {
    let mut sets = vec![from];
    let mut seen: FxHashSet<SetId> = sets.iter().copied().collect();
    let (mut next, mut steps) = (0, 0);
    while next < sets.len() && sets.len() < MOST && steps < MOST_STEPS {
        let set = sets[next];
        next += 1;
        let labels = labels(table, set);
        steps += labels.len() * table.members(set).len();
        for label in labels {
            let Ok(edge) = table.after(set, label) else { continue };
            if let Some(target) = table.edge(edge).target.filter(|target| seen.insert(*target)) {
                sets.push(target);
            }
        }
        // Whether something must come here.
        let silence = table.label_id(&Label::Silence);
        let _ = table.after(set, silence);
    }
    sets
}

/// What can be heard in a set, and what can come of each input that may be given there.
pub(super) fn labels(table: &mut Table, set: SetId) -> Vec<LabelId> {
    let mut labels: Vec<LabelId> = table.heard(set).map_or(Vec::new(), |heard| heard.to_vec());
    for offer in offers(table, set) {
        labels.extend(table.reactions(set, offer).unwrap_or_default());
    }
    labels
}

/// What may be given in a set, with a few values of actions that have many: the same ones whoever asks.
fn offers(table: &mut Table, set: SetId) -> Vec<LabelId> {
    let mut dice = Choices::new(u64::from(set.0));
    let mut known = 0;
    loop {
        let offers = table.top_up(set, &mut dice).map_or(Vec::new(), |offers| offers.to_vec());
        if offers.len() == known || offers.len() > ENOUGH {
            return offers;
        }
        known = offers.len();
    }
}
