//! Towards a goal: a game on the test graph. The tester chooses inputs, the implementation chooses outputs as often as it was
//! seen to (each possible one once before anything was seen). The value of a set is the probability of reaching the goal,
//! a little less for every step, so that a way that can be forced beats one that needs luck, and a short one beats a long one.

use super::Coverage;
use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};
use crate::table::{LabelId, SetId, Table};
use interplay_model::GoalId;
use interplay_semantics::Label;
use rustc_hash::FxHashSet;

/// What a step costs.
const PATIENCE: f64 = 0.98;
/// Values that change less are settled.
const SETTLED: f64 = 1e-6;
/// So many sets are looked at ahead.
const MOST: usize = 5000;
/// So many choices the values stay as they are, although more was seen.
const FRESH: usize = 200;

pub struct Goal {
    goal: GoalId,
    values: Vec<f64>,
    age: usize,
    reached: bool,
    then: Coverage,
}

impl Goal {
    pub fn new(goal: GoalId) -> Goal {
        Goal { goal, values: Vec::new(), age: 0, reached: false, then: Coverage::default() }
    }

    fn is_goal(&self, table: &Table, set: SetId) -> bool {
        let holds = |state| matches!(table.instance().goal(self.goal, state), Ok(Some(_)));
        table.members(set).iter().all(|member| holds(&member.state))
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

    /// The best that can be done in a set: an offer, or (`None`) listening.
    fn best(&self, table: &Table, set: SetId) -> Option<(f64, Option<LabelId>)> {
        let edges = || table.out(set).iter().map(|edge| table.edge(*edge));
        let offers: FxHashSet<LabelId> = edges().filter_map(|edge| edge.offer).collect();
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
        self.reached = false;
        self.then.begin();
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        self.reached |= self.is_goal(view.table, view.set);
        self.age += 1;
        if !self.reached {
            if self.value(view.set) == 0.0 || self.age > FRESH {
                self.age = 0;
                self.solve(view.table, view.set);
            }
            match self.best(view.table, view.set).filter(|(value, _)| *value > 0.0) {
                Some((_, Some(offer))) => {
                    if let Some(offer) = view.offers.iter().position(|each| *each == offer) {
                        return Move::Give(offer);
                    }
                }
                Some((_, None)) if view.may_listen => return Move::Listen,
                _ => {}
            }
        }
        self.then.choose(view, choices)
    }

    fn forget(&mut self) {
        self.values.clear();
        self.then.forget();
    }
}

/// All sets within reach, as far as there is room, with all their steps.
fn expand(table: &mut Table, from: SetId) -> Vec<SetId> {
    let mut sets = vec![from];
    let mut seen: FxHashSet<SetId> = sets.iter().copied().collect();
    let mut next = 0;
    while next < sets.len() && sets.len() < MOST {
        let set = sets[next];
        next += 1;
        let mut labels: Vec<LabelId> = table.heard(set).map_or(Vec::new(), |heard| heard.to_vec());
        for offer in table.offers(set).map_or(Vec::new(), |offers| offers.to_vec()) {
            labels.extend(table.reactions(set, offer).unwrap_or_default());
        }
        for label in labels {
            let Ok(edge) = table.after(set, label) else { continue };
            if let Some(target) = table.edge(edge).target.filter(|target| seen.insert(*target)) {
                sets.push(target);
            }
        }
    }
    sets
}
