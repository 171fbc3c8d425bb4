//! Partial-order reduction: of steps that do not concern each other, some are postponed, because every order leads to the same.
//!
//! For each state a *stubborn* set of actions is looked for: closed under interference (what one of its actions that can
//! happen writes, no action outside reads or writes, and the other way round), and under what might make possible its actions that
//! cannot happen. Actions outside the set stay possible and mean the same after any action of it, so they can wait.
//! To keep more than deadlocks, the set must not touch what a property looks at, and one of its steps must lead
//! to a state that was not expanded yet: otherwise a step could be postponed for ever. Where no smaller set does, all steps are taken.
//!
//! Who reads and writes what is known from the text ([`Footprint`]), by variable; so a map that all processes share joins them.
//! These are the conditions of Valmari and Peled; they hold whatever the order of the search. Ways are not shortest ones any more.

mod footprint;

use crate::judge::{Judge, Judges};
use footprint::{Footprint, Part, footprints, reads_of};
use interplay_model::Discipline;
use interplay_semantics::{Instance, Label};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct Reduce {
    /// By action: those that it interferes with.
    interfering: Vec<BTreeSet<usize>>,
    /// By action: those that may make it possible.
    enabling: Vec<BTreeSet<usize>>,
    /// Actions that a property can see.
    visible: BTreeSet<usize>,
    /// The actions that were taken, by state; `None` is all. A state that is here was expanded.
    chosen: Mutex<FxHashMap<u64, Option<BTreeSet<usize>>>>,
    postponed: AtomicU64,
}

impl Reduce {
    /// For these properties, or why it would be unsound.
    pub(crate) fn new(instance: &Instance, judges: &Judges) -> Result<Reduce, String> {
        let model = instance.model();
        if model.discipline != Discipline::Asynchronous {
            return Err("a step of this system has several events, so none can be postponed".into());
        }
        if judges.judges.iter().any(|judge| matches!(judge, Judge::Observer(_) | Judge::Formula(_))) {
            return Err(
                "an observer depends on the order of steps\nhelp: choose other properties with --property".into()
            );
        }
        if !instance.groups().is_empty() {
            return Err("the setup has groupings, which depend on the order of steps".into());
        }
        let keep = instance.kept();
        let initial = instance.initial().map_err(|error| error.message)?;
        let kept = |state| keep.iter().all(|keep| instance.holds(keep, state).unwrap_or(false));
        if !initial.iter().all(kept) {
            return Err("an initial state violates a `keep` of the setup".into());
        }
        let prints = footprints(instance);
        let mut seen = BTreeSet::new();
        for judge in &judges.judges {
            if let Judge::State { condition, .. } = judge {
                reads_of(model, &condition.expr, &mut seen);
            }
        }
        Ok(Reduce::with(&prints, &seen))
    }

    fn with(prints: &[Footprint], seen: &BTreeSet<Part>) -> Reduce {
        let those = |holds: &dyn Fn(&Footprint) -> bool| {
            let numbered = prints.iter().enumerate().filter(|(_, print)| holds(print));
            numbered.map(|(action, _)| action).collect::<BTreeSet<usize>>()
        };
        Reduce {
            interfering: prints.iter().map(|own| those(&|other| own.interferes(other))).collect(),
            enabling: prints.iter().map(|own| those(&|other| !other.writes.is_disjoint(&own.reads))).collect(),
            visible: those(&|print| !print.writes.is_disjoint(seen)),
            chosen: Mutex::default(),
            postponed: AtomicU64::new(0),
        }
    }

    /// Steps that were possible and not taken, over all states.
    pub(crate) fn postponed(&self) -> u64 {
        self.postponed.load(Ordering::Relaxed)
    }

    /// Leaves those steps from a state that are taken now.
    pub(crate) fn choose(&self, state: u64, steps: &mut Vec<(Label, u64)>) {
        let mut chosen = self.chosen.lock().expect("choosing does not panic");
        if !chosen.contains_key(&state) {
            // Entered first, so that a step to itself does not count as new.
            chosen.insert(state, None);
            let set = self.smallest(steps, |target| !chosen.contains_key(&target));
            if let Some(set) = &set {
                let waiting = steps.iter().filter(|(label, _)| action(label).is_some_and(|own| !set.contains(&own)));
                self.postponed.fetch_add(waiting.count() as u64, Ordering::Relaxed);
            }
            chosen.insert(state, set);
        }
        if let Some(Some(set)) = chosen.get(&state) {
            steps.retain(|(label, _)| action(label).is_some_and(|own| set.contains(&own)));
        }
    }

    /// All steps were taken, because something is wrong here.
    pub(crate) fn take_all(&self, state: u64) {
        self.chosen.lock().expect("choosing does not panic").entry(state).or_insert(None);
    }

    /// The actions to take, if some can wait.
    fn smallest(&self, steps: &[(Label, u64)], is_new: impl Fn(u64) -> bool) -> Option<BTreeSet<usize>> {
        let possible: BTreeSet<usize> = steps.iter().map(|(label, _)| action(label)).collect::<Option<_>>()?;
        let candidates = possible.iter().map(|first| self.closed(*first, &possible));
        let fit = candidates.filter(|set| {
            let progress =
                || steps.iter().any(|(label, to)| action(label).is_some_and(|own| set.contains(&own)) && is_new(*to));
            set.len() < possible.len() && set.is_disjoint(&self.visible) && progress()
        });
        fit.min_by_key(BTreeSet::len)
    }

    /// The possible actions of the smallest stubborn set with this one.
    fn closed(&self, first: usize, possible: &BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut set, mut waiting) = (BTreeSet::from([first]), vec![first]);
        while let Some(action) = waiting.pop() {
            let needed = if possible.contains(&action) { &self.interfering[action] } else { &self.enabling[action] };
            waiting.extend(needed.iter().filter(|other| set.insert(**other)));
        }
        set.intersection(possible).copied().collect()
    }
}

/// Of an asynchronous system a step is one event.
fn action(label: &Label) -> Option<usize> {
    match label {
        Label::Internal(event) => Some(event.action.0),
        Label::Step { inputs, outputs } => inputs.iter().chain(outputs).next().map(|event| event.action.0),
        Label::Silence => None,
    }
}
