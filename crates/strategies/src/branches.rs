//! Towards what no step used yet of the text: a branch, a case, an outcome of a guard. The shortest way there is looked for in the model, from
//! where the run stands; whoever walks at random takes a loop three times in a row once in a thousand tries. Where nothing is in sight
//! the run is one of [`Coverage`], and the next runs look again less and less often.

use super::goal::labels;
use super::{Coverage, Follow};
use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Act, Choices, Covered, EdgeId, Plan, SetId, Table, inputs_of};
use interplay_semantics::Use;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many sets are looked at for one way, and so many steps of their states.
const MOST: usize = 3000;
const MOST_STEPS: usize = 10_000;
/// So many ways are looked for in one run.
const WAYS: usize = 5;
/// An implementation that chooses may go along another time; after so many tries it is taken not to.
const TRIES: u32 = 3;
/// After looking in vain at most so many runs do not look.
const MOST_PATIENCE: u64 = 32;

#[derive(Default)]
pub struct Branches {
    /// What the text has.
    all: Option<BTreeSet<Use>>,
    follow: Option<Follow>,
    /// What the way that is followed leads to, and how often a way did not lead there.
    aim: Option<Use>,
    lost: FxHashMap<Use, u32>,
    /// Ways that may still be looked for in this run.
    looks: usize,
    /// So many runs do not look, and how many did not.
    patience: u64,
    waited: u64,
    then: Coverage,
}

impl Branches {
    /// The shortest way to a step that uses something new.
    fn look(&mut self, table: &mut Table, from: SetId) -> Option<Plan> {
        let all = self.all.get_or_insert_with(|| Covered::all_uses(table.instance()));
        let taken = table.edges().iter().filter(|edge| edge.taken > 0);
        let used: FxHashSet<Use> = taken.flat_map(|edge| edge.used.iter().copied()).collect();
        if let Some(aim) = self.aim.take().filter(|aim| !used.contains(aim)) {
            *self.lost.entry(aim).or_default() += 1;
        }
        let is_lost = |each: &Use| self.lost.get(each).is_some_and(|times| *times >= TRIES);
        let open: FxHashSet<Use> = all.iter().copied().filter(|each| !used.contains(each) && !is_lost(each)).collect();
        let (aim, plan) = way(table, from, &open)?;
        self.aim = Some(aim);
        Some(plan)
    }
}

impl Strategy for Branches {
    fn name(&self) -> &'static str {
        "branches"
    }

    fn begin(&mut self) {
        (self.follow, self.looks) = (None, 0);
        if self.waited >= self.patience {
            (self.looks, self.waited) = (WAYS, 0);
        } else {
            self.waited += 1;
        }
        self.then.begin();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        loop {
            if let Some(chosen) = self.follow.as_mut().and_then(|follow| follow.next(&mut view)) {
                return chosen;
            }
            self.follow = None;
            if self.looks == 0 {
                return self.then.choose(view, choices);
            }
            match self.look(view.table, view.set) {
                Some(plan) => {
                    (self.follow, self.looks, self.patience) = (Some(Follow::strictly(plan)), self.looks - 1, 0);
                }
                None => {
                    (self.looks, self.patience) = (0, (2 * self.patience).clamp(1, MOST_PATIENCE));
                }
            }
        }
    }

    fn follows_ways(&self) -> bool {
        true
    }

    fn heard(&mut self) {
        if let Some(follow) = &mut self.follow {
            follow.heard();
        }
    }

    fn forget(&mut self) {
        *self = Branches { all: self.all.take(), lost: std::mem::take(&mut self.lost), ..Branches::default() };
    }
}

fn way(table: &mut Table, from: SetId, open: &FxHashSet<Use>) -> Option<(Use, Plan)> {
    if open.is_empty() {
        return None;
    }
    let mut last: FxHashMap<SetId, EdgeId> = FxHashMap::default();
    let (mut sets, mut next, mut steps) = (vec![from], 0, 0);
    while next < sets.len() && sets.len() < MOST && steps < MOST_STEPS {
        let set = sets[next];
        next += 1;
        let labels = labels(table, set);
        steps += labels.len() * table.members(set).len();
        for label in labels {
            let Ok(id) = table.after(set, label) else { continue };
            let edge = table.edge(id);
            let Some(target) = edge.target else { continue };
            if let Some(aim) = edge.used.iter().find(|used| open.contains(used)) {
                return Some((*aim, plan(table, &last, from, id)));
            }
            if target != from && !last.contains_key(&target) {
                last.insert(target, id);
                sets.push(target);
            }
        }
    }
    None
}

/// What to do to take this edge, and those that lead to where it begins.
fn plan(table: &Table, last: &FxHashMap<SetId, EdgeId>, from: SetId, edge: EdgeId) -> Plan {
    let (mut acts, mut at) = (Vec::new(), Some(edge));
    while let Some(edge) = at.map(|id| table.edge(id)) {
        acts.push(match edge.offer {
            Some(_) => Act::Give(inputs_of(table.label(edge.label))),
            None => Act::Listen,
        });
        at = if edge.from == from { None } else { last.get(&edge.from).copied() };
    }
    acts.reverse();
    acts
}
