//! All that a test could cover under its setup, by exploring the specification first. Only where that is little: a test must
//! not wait for it, and its report must not depend on the speed of the machine.

use interplay_model::{Discipline, RuleId};
use interplay_semantics::{Instance, State};
use interplay_tester::{Covered, Items, Table};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Rules that lead to a state, and rules that lead on from it.
type Meeting = (BTreeSet<RuleId>, BTreeSet<RuleId>);

/// `None` if it is too much, if nothing is said about what happens, or if the specification itself goes wrong.
pub(crate) fn reachable(instance: &Instance, most: usize) -> Option<Items> {
    if most == 0 || instance.is_properties_alone() && instance.model().discipline != Discipline::Synchronous {
        return None;
    }
    let table = Table::new(instance.clone()).ok()?.listing(most as u64);
    let instance = &instance.clone().recording();
    let mut items = Items::default();
    let mut waiting: VecDeque<State> = instance.initial().ok()?.into();
    let mut met: HashMap<State, Meeting> = waiting.iter().map(|state| (state.clone(), Meeting::default())).collect();
    let mut steps = 0;
    while let Some(state) = waiting.pop_front() {
        if !table.lists(&state) {
            return None;
        }
        items.visit(instance, &state);
        for step in instance.transitions(&state) {
            let step = step.ok()?;
            steps += 1;
            if steps > most {
                return None;
            }
            items.rules.extend(&step.rules);
            items.used.extend(&step.used);
            items.actions.extend(step.label.events().map(|event| event.action));
            items.step(instance, &state, &step.label, &step.target);
            met.entry(state.clone()).or_default().1.extend(&step.rules);
            let known = met.contains_key(&step.target);
            met.entry(step.target.clone()).or_default().0.extend(&step.rules);
            if !known {
                waiting.push_back(step.target);
            }
        }
    }
    for (before, after) in met.values() {
        items.pairs.extend(before.iter().flat_map(|one| after.iter().map(move |other| (*one, *other))));
    }
    // The guard of an event with one rule is no question of coverage.
    let all = Covered::all_uses(instance);
    items.used.retain(|used| all.contains(used));
    Some(items)
}
