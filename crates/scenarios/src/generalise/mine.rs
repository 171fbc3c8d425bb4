//! Where in the library some of the conjuncts hold: the ore that new scenarios are made of.
//!
//! A conjunct speaks of few of the parameters, so its value is computed once for each choice of those, not for each choice of
//! all.

use super::run::{Player, Run};
use crate::Wanted;
use interplay_model::{Expr, ExprKind, Type};
use interplay_semantics::{Event, Instance, State, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The conjuncts that hold, by bits.
pub(super) type Mask = u64;

/// More conjuncts than this are not told apart.
pub(super) const MOST_CONJUNCTS: usize = 64;
/// Of so many places with the same conjuncts the first ones are used.
const ALIKE: usize = 6;
/// So many values of one parameter are tried.
const MOST_VALUES: usize = 8;

/// A place in a scenario at which some conjuncts hold for some values.
#[derive(Clone, Debug)]
pub(super) struct Satisfier {
    pub(super) scenario: usize,
    /// After so many events.
    pub(super) at: usize,
    pub(super) values: Vec<Value>,
    pub(super) mask: Mask,
}

/// Those with most conjuncts first, then those that come soon.
pub(super) fn mine(instance: &Instance, wanted: &Wanted, runs: &[(String, Run)]) -> Vec<Satisfier> {
    let mut found: BTreeMap<Mask, Vec<Satisfier>> = BTreeMap::new();
    for (scenario, (_, run)) in runs.iter().enumerate() {
        let choices = choices(&pools(instance, wanted, run));
        let mut before: Vec<Mask> = vec![0; choices.len()];
        for (at, state) in run.states.iter().enumerate() {
            let masks = masks(instance, wanted, state, &choices);
            for ((values, mask), before) in choices.iter().zip(masks).zip(&mut before) {
                // Only where one becomes true is there something new.
                if mask & !*before != 0 {
                    let alike = found.entry(mask).or_default();
                    alike.push(Satisfier { scenario, at, values: values.clone(), mask });
                }
                *before = mask;
            }
        }
    }
    let mut all: Vec<Satisfier> = Vec::new();
    for mut alike in found.into_values() {
        alike.sort_by_key(|each| each.at);
        let mut scenarios = BTreeSet::new();
        let (first, more): (Vec<_>, Vec<_>) = alike.into_iter().partition(|each| scenarios.insert(each.scenario));
        all.extend(first.into_iter().chain(more).take(ALIKE));
    }
    all.sort_by_key(|each| (std::cmp::Reverse(each.mask.count_ones()), each.at));
    all
}

/// Which conjuncts hold in this state, for each choice of values.
fn masks(instance: &Instance, wanted: &Wanted, state: &State, choices: &[Vec<Value>]) -> Vec<Mask> {
    let mut masks = vec![0; choices.len()];
    for (bit, condition) in wanted.conditions.iter().take(MOST_CONJUNCTS).enumerate() {
        let params = params_of(wanted, condition);
        let mut known: BTreeMap<Vec<&Value>, bool> = BTreeMap::new();
        for (values, mask) in choices.iter().zip(&mut masks) {
            let own: Vec<&Value> = params.iter().map(|param| &values[*param]).collect();
            let holds = *known.entry(own).or_insert_with(|| wanted.judge(instance, state, values, condition));
            *mask |= Mask::from(holds) << bit;
        }
    }
    masks
}

/// Which conjuncts hold for these values.
pub(super) fn held(instance: &Instance, wanted: &Wanted, state: &State, values: &[Value]) -> Mask {
    let held = wanted.held(instance, state, values);
    held.iter().take(MOST_CONJUNCTS).enumerate().filter(|(_, held)| **held).map(|(bit, _)| 1 << bit).sum()
}

pub(super) fn all_of(wanted: &Wanted) -> Mask {
    match wanted.conditions.len() {
        0 => 0,
        count => Mask::MAX >> (MOST_CONJUNCTS - count.min(MOST_CONJUNCTS)),
    }
}

pub(super) fn numbers(mask: Mask) -> Vec<usize> {
    (0..MOST_CONJUNCTS).filter(|bit| mask >> bit & 1 == 1).collect()
}

fn params_of(wanted: &Wanted, condition: &Expr) -> Vec<usize> {
    let mut found = BTreeSet::new();
    condition.walk(&mut |part| {
        if let ExprKind::Local(id) = part.kind
            && id.0 < wanted.params
        {
            found.insert(id.0);
        }
    });
    found.into_iter().collect()
}

/// The values of each parameter that appear in the events of the run.
fn pools(instance: &Instance, wanted: &Wanted, run: &Run) -> Vec<Vec<Value>> {
    let of = |ty: &Type| {
        let mut values = constants(instance, ty, &run.events);
        if values.is_empty() {
            values = instance.values_of(ty, &run.states[0], "a parameter", Default::default()).unwrap_or_default();
        }
        values.truncate(MOST_VALUES);
        values
    };
    wanted.locals[..wanted.params].iter().map(|local| of(&local.ty)).collect()
}

/// The arguments of this type.
pub(super) fn constants(instance: &Instance, ty: &Type, events: &[Event]) -> Vec<Value> {
    let model = instance.model();
    let mut found = BTreeSet::new();
    for event in events {
        for (param, value) in model.actions[event.action.0].params.iter().zip(&event.args) {
            if param.ty == *ty || model.types.strip(&param.ty) == model.types.strip(ty) {
                found.insert(value.clone());
            }
        }
    }
    found.into_iter().collect()
}

/// One value from each pool, in all ways.
fn choices(pools: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for pool in pools {
        let with =
            |row: &Vec<Value>| pool.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()).collect();
        rows = rows.iter().flat_map(|row| -> Vec<Vec<Value>> { with(row) }).collect();
    }
    rows
}

impl Satisfier {
    /// The events up to here that are needed for these conjuncts.
    pub(super) fn pruned(&self, player: &mut Player<'_>, wanted: &Wanted, run: &Run, mask: Mask) -> Vec<Event> {
        let start = player.number(&run.states[0]);
        let mut events = run.events[..self.at].to_vec();
        let mut at = events.len();
        while at > 0 {
            at -= 1;
            let mut fewer = events.clone();
            fewer.remove(at);
            if let Some(end) = player.play(start, &fewer)
                && held(player.instance, wanted, &player.states[end as usize], &self.values) & mask == mask
            {
                events = fewer;
                at = at.min(events.len());
            }
        }
        events
    }

    /// The last place of its scenario where the same still holds.
    pub(super) fn latest(&self, instance: &Instance, wanted: &Wanted, run: &Run, mask: Mask) -> usize {
        let still = |at: &usize| held(instance, wanted, &run.states[*at], &self.values) & mask == mask;
        (self.at..run.states.len()).rev().find(still).unwrap_or(self.at)
    }
}
