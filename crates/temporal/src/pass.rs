//! Time goes on and nothing happens: promises that no later step could keep are broken.

use crate::monitor::{Inner, Kind, Monitor, MonitorState};
use crate::oracle::Oracle;
use crate::read::Aim;
use crate::track::{Engine, Track};
use crate::verdict::Verdict;

impl Monitor {
    /// It is so late now, and nothing has happened since the last step. Says whether a promise is broken by that.
    pub fn pass(&self, state: &mut MonitorState, now: u64) -> bool {
        let Kind::Formula(body) = &self.kind else { return false };
        let broken = state.verdict == Verdict::Open
            && match &state.inner {
                Inner::Single(track) => is_lost(track, &body.engines, now),
                Inner::Many(instances) => instances.tracks.values().any(|track| is_lost(track, &body.engines, now)),
                Inner::Observer(_) => false,
            };
        if broken {
            state.verdict = if self.aim == Aim::Possible { Verdict::Satisfied } else { Verdict::Violated };
        }
        broken
    }
}

/// Whatever comes next is a violation of one of the conjuncts.
fn is_lost(track: &Track, engines: &[Engine], now: u64) -> bool {
    let (saved, mut first) = (track.to_json(), 0);
    engines.iter().zip(track.states()).any(|(engine, state)| {
        let Engine::Oracle(oracle) = engine else { return false };
        let deadline = |clock: u32| saved["deadlines"][first + clock as usize].as_u64();
        let late = |clock: u32| deadline(clock).is_some_and(|deadline| now > deadline);
        let lost =
            (0..oracle.bounds().len() as u32).any(late) && state.is_some_and(|state| leads_to_bad(oracle, state, late));
        first += oracle.bounds().len();
        lost
    })
}

fn leads_to_bad(oracle: &Oracle, state: u32, late: impl Fn(u32) -> bool) -> bool {
    let mut open = vec![oracle.transitions(state)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(at) = open.pop() {
        match oracle.diagrams().split(at) {
            _ if !seen.insert(at) => {}
            None => match oracle.diagrams().number(at) {
                Some(Oracle::BAD | Oracle::OUTSIDE) | None => {}
                Some(_) => return false,
            },
            Some((variable, _, high)) if variable >= oracle.atoms() && late(variable - oracle.atoms()) => {
                open.push(high)
            }
            Some((_, low, high)) => open.extend([low, high]),
        }
    }
    true
}
