//! All states in order of distance, until the goal holds: the way is a shortest one, and no way at all is a proof.

use crate::find::Limits;
use interplay_explore::{Compiled, Config, Findings, Interpreted, Outcome, Specified, Stop, explore};
use interplay_semantics::{Instance, Label, State};

pub(crate) enum Exhausted {
    /// The shortest way.
    Reached {
        way: Vec<Label>,
        states: u64,
    },
    Nowhere {
        states: u64,
    },
    GaveUp {
        states: u64,
    },
}

/// Stops at `depth` if there is one: then nothing was found only if no way of that length leads there.
pub(crate) fn exhaust<Y: Specified>(system: &Y, depth: Option<u64>, limits: &Limits<'_>) -> Exhausted {
    let over = || limits.is_over();
    let config = Config {
        findings: Findings::StopAtFirst,
        depth,
        states: limits.states,
        bytes: Some(limits.bytes),
        deadline: &over,
        ..Config::default()
    };
    let outcome: Outcome<State, Label> = explore(system, &config);
    let satisfied = outcome
        .findings
        .into_iter()
        .find(|finding| matches!(finding.kind, interplay_explore::FindingKind::Satisfied(_)));
    match satisfied.and_then(|finding| finding.trace) {
        Some(trace) => Exhausted::Reached {
            way: trace.steps.into_iter().map(|(label, _)| label).collect(),
            states: outcome.states,
        },
        None if outcome.stop == Stop::Exhausted => Exhausted::Nowhere { states: outcome.states },
        None => Exhausted::GaveUp { states: outcome.states },
    }
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
