//! What there is to cover: rules, what they use of the text, locations, outputs, pairs of rules, states and steps.
//!
//! Exploration fills one of these with all that can happen under the setup, a campaign another one with what did; coverage is how
//! much of the first is in the second. So what cannot happen at all is never missed.

use crate::coverage::Part;
use interplay_model::{ActionId, Direction, LocationId, Model, RuleId};
use interplay_semantics::{Instance, Label, State, Use, Value};
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, Default)]
pub struct Items {
    pub rules: BTreeSet<RuleId>,
    pub locations: BTreeSet<LocationId>,
    /// Rules that fire one right after the other.
    pub pairs: BTreeSet<(RuleId, RuleId)>,
    /// Branches, cases, loops and outcomes of guards.
    pub used: BTreeSet<Use>,
    pub actions: BTreeSet<ActionId>,
    /// States as the setup groups them, by their hashes.
    pub states: FxHashSet<u64>,
    /// Steps between these.
    pub steps: FxHashSet<u64>,
}

impl Items {
    pub fn visit(&mut self, instance: &Instance, state: &State) {
        self.locations.extend(state.locations.iter().flatten());
        self.states.insert(projected(instance, state));
    }

    pub fn step(&mut self, instance: &Instance, from: &State, label: &Label, to: &State) {
        self.steps.insert(hash(&(projected(instance, from), label, projected(instance, to))));
    }

    pub fn add(&mut self, other: Items) {
        self.rules.extend(other.rules);
        self.locations.extend(other.locations);
        self.pairs.extend(other.pairs);
        self.used.extend(other.used);
        self.actions.extend(other.actions);
        self.states.extend(other.states);
        self.steps.extend(other.steps);
    }

    /// How much of `all` is here, one kind after the other.
    pub fn of(&self, all: &Items, model: &Model) -> Parts {
        let outputs = |items: &Items| -> BTreeSet<ActionId> {
            let is_output = |action: &&ActionId| model.actions[action.0].direction == Direction::Output;
            items.actions.iter().filter(is_output).copied().collect()
        };
        fn part<T: Eq + Ord>(covered: &BTreeSet<T>, all: &BTreeSet<T>) -> Part {
            Part { covered: covered.intersection(all).count(), of: all.len() }
        }
        let hashed = |covered: &FxHashSet<u64>, all: &FxHashSet<u64>| Part {
            covered: covered.intersection(all).count(),
            of: all.len(),
        };
        Parts {
            rules: part(&self.rules, &all.rules),
            locations: part(&self.locations, &all.locations),
            pairs: part(&self.pairs, &all.pairs),
            branches: branches(&self.used, &all.used),
            guards: guards(&self.used, &all.used),
            outputs: part(&outputs(self), &outputs(all)),
            states: hashed(&self.states, &all.states),
            steps: hashed(&self.steps, &all.steps),
        }
    }
}

/// Covered, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub rules: Part,
    pub locations: Part,
    pub pairs: Part,
    pub branches: Part,
    pub guards: Part,
    pub outputs: Part,
    pub states: Part,
    pub steps: Part,
}

/// Branches of `if`, cases of `match` and bodies of loops.
pub fn branches(covered: &BTreeSet<Use>, all: &BTreeSet<Use>) -> Part {
    counted(covered, all, |used| !matches!(used, Use::Guard { .. }))
}

/// Outcomes of the parts of guards.
pub fn guards(covered: &BTreeSet<Use>, all: &BTreeSet<Use>) -> Part {
    counted(covered, all, |used| matches!(used, Use::Guard { .. }))
}

fn counted(covered: &BTreeSet<Use>, all: &BTreeSet<Use>, of_kind: fn(&Use) -> bool) -> Part {
    let all = all.iter().filter(|used| of_kind(used));
    Part { covered: all.clone().filter(|used| covered.contains(used)).count(), of: all.count() }
}

/// The values of the groupings that apply; the state itself if none does, or if one cannot be evaluated there.
fn projected(instance: &Instance, state: &State) -> u64 {
    let key: Option<Vec<Option<Value>>> = instance
        .groups()
        .iter()
        .map(|group| {
            let applies = group.when.as_ref().map_or(Ok(true), |when| instance.holds(when, state)).ok()?;
            if applies { instance.evaluate(&group.by, state).ok().map(Some) } else { Some(None) }
        })
        .collect();
    match key {
        Some(key) if key.iter().any(Option::is_some) => hash(&key),
        _ => hash(state),
    }
}

fn hash(thing: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    hasher.finish()
}
