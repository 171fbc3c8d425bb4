//! All states in order of distance, until the goal holds: the way is a shortest one, and no way at all is a proof.

use crate::Wanted;
use crate::find::Limits;
use crate::judged::{Judged, Met};
use interplay_explore::{
    Compiled, Config, FindingKind, Findings, Interpreted, Outcome, Specified, Stop, System, explore,
};
use interplay_semantics::{Instance, Label, State};

pub(crate) enum Exhausted {
    /// The shortest way.
    Reached {
        way: Vec<Label>,
        states: u64,
    },
    /// All states were visited, as far as nothing stood in the way.
    Nowhere {
        states: u64,
    },
    GaveUp {
        states: u64,
    },
}

/// Stops at `depth` if there is one: then nothing was found only if no way of that length leads there. What stood in the way
/// is told, too, with the steps to a state in which something goes wrong.
pub(crate) fn exhaust<Y: Specified>(
    system: &Y,
    wanted: &Wanted,
    depth: Option<u64>,
    limits: &Limits<'_>,
) -> (Exhausted, Met, Option<Vec<Label>>) {
    let judged = Judged::new(system, wanted);
    let outcome = searched(&judged, depth, limits);
    let states = outcome.states;
    let way = way(outcome.findings.iter().find(|finding| matches!(finding.kind, FindingKind::Satisfied(_))));
    let (found, met) = match way {
        Some(way) => return (Exhausted::Reached { way, states }, judged.met(), None),
        None if outcome.stop == Stop::Exhausted => (Exhausted::Nowhere { states }, judged.met()),
        None => (Exhausted::GaveUp { states }, judged.met()),
    };
    // Where it goes wrong is looked for once more: the first search went on, so that it kept no way there.
    let wrong = met.wrong.is_some().then(|| {
        let outcome = searched(&Judged::telling(system, wanted), depth, limits);
        self::way(outcome.findings.iter().find(|finding| matches!(finding.kind, FindingKind::Error(_))))
    });
    (found, met, wrong.flatten())
}

fn searched<Y: System<State = State, Label = Label>>(
    system: &Y,
    depth: Option<u64>,
    limits: &Limits<'_>,
) -> Outcome<State, Label> {
    let over = || limits.is_over();
    let config = Config {
        findings: Findings::StopAtFirst,
        depth,
        states: limits.states,
        bytes: Some(limits.bytes),
        deadline: &over,
        ..Config::default()
    };
    explore(system, &config)
}

fn way(finding: Option<&interplay_explore::Finding<State, Label>>) -> Option<Vec<Label>> {
    let trace = finding?.trace.as_ref()?;
    Some(trace.steps.iter().map(|(label, _)| label.clone()).collect())
}

/// Runs a search on compiled code, or on the interpreter if the engine does not understand the model. `again` says that
/// what the search returned is useless because a value did not fit.
pub(crate) fn on_system<R>(instance: Instance, names: &[String], search: impl Searching<R>) -> R {
    let Ok(mut compiled) = Compiled::new(instance.clone(), Some(names)) else {
        return search.on(&Interpreted::new(instance, Some(names)), &|| false);
    };
    loop {
        let result = search.on(&compiled, &|| compiled.too_narrow());
        if !compiled.too_narrow() {
            return result;
        }
        match compiled.widened() {
            Ok(wider) => compiled = wider,
            Err(_) => return search.on(&Interpreted::new(instance, Some(names)), &|| false),
        }
    }
}

/// A search on whatever system; `stale` says that it is useless and will be repeated.
pub(crate) trait Searching<R> {
    fn on<Y: Specified>(&self, system: &Y, stale: &(dyn Fn() -> bool + Sync)) -> R;
}
