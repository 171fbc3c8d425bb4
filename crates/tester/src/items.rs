//! What there is to cover: rules, locations, outcomes of conditions, pairs of rules, states and steps.
//!
//! Exploration fills one of these with all that can happen under the setup, a campaign another one with what did; coverage is how
//! much of the first is in the second. So what cannot happen at all is never missed.

use crate::coverage::{Part, holds, is_there};
use interplay_model::{LocationId, RuleId};
use interplay_semantics::{Instance, Label, State, Value};
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, Default)]
pub struct Items {
    pub rules: BTreeSet<RuleId>,
    pub locations: BTreeSet<LocationId>,
    /// Rules that fire one right after the other.
    pub pairs: BTreeSet<(RuleId, RuleId)>,
    /// A rule, a part of its guard that needs no arguments, and what it said.
    pub outcomes: BTreeSet<(RuleId, usize, bool)>,
    /// States as the setup groups them, by their hashes.
    pub states: FxHashSet<u64>,
    /// Steps between these.
    pub steps: FxHashSet<u64>,
}

impl Items {
    pub fn visit(&mut self, instance: &Instance, state: &State) {
        self.locations.extend(state.locations.iter().flatten());
        self.states.insert(projected(instance, state));
        for (index, rule) in instance.model().rules.iter().enumerate().filter(|(_, rule)| is_there(rule, state)) {
            for (at, part) in rule.guard.iter().enumerate().filter(|(_, part)| !instance.model().needs_values(part)) {
                self.outcomes.insert((RuleId(index), at, holds(instance, rule, part, state)));
            }
        }
    }

    pub fn step(&mut self, instance: &Instance, from: &State, label: &Label, to: &State) {
        self.steps.insert(hash(&(projected(instance, from), label, projected(instance, to))));
    }

    pub fn add(&mut self, other: Items) {
        self.rules.extend(other.rules);
        self.locations.extend(other.locations);
        self.pairs.extend(other.pairs);
        self.outcomes.extend(other.outcomes);
        self.states.extend(other.states);
        self.steps.extend(other.steps);
    }

    /// How much of `all` is here, one kind after the other.
    pub fn of(&self, all: &Items) -> Parts {
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
            outcomes: part(&self.outcomes, &all.outcomes),
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
    pub outcomes: Part,
    pub states: Part,
    pub steps: Part,
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
