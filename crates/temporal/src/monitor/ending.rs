//! What happens to a monitor while nothing happens in the run: time passes, or the run is over.

use super::{Inner, Kind, Monitor, MonitorState};
use crate::atom::Step;
use crate::instances::Key;
use crate::read::Aim;
use crate::track::{Engine, Track};
use crate::verdict::Verdict;
use interplay_semantics::{Label, Value};
use std::collections::BTreeSet;
use std::convert::Infallible;

impl Monitor {
    /// It is so late now, and nothing has happened since the last step. Promises whose time is over are broken; says whether any is.
    pub fn pass(&self, state: &mut MonitorState, now: u64) -> bool {
        self.without_a_step(state, Some(now), &|track, engines| track.pass(engines, now))
    }

    /// The run is over, in a state that rests: what has a bound and has not come is not kept any more. Says whether that breaks it.
    pub fn end(&self, state: &mut MonitorState) -> bool {
        if self.hears_silence() {
            return self.end_in_silence(state);
        }
        self.without_a_step(state, None, &|track, engines| track.end(engines))
    }

    /// For whom silence is a position, a run that is over is one in which nothing but silence follows. What it says about the state
    /// is not looked at: nobody shows it here.
    fn end_in_silence(&self, state: &mut MonitorState) -> bool {
        if state.verdict != Verdict::Open || self.reads_state() {
            return false;
        }
        let decided = if self.aim == Aim::Possible { Verdict::Satisfied } else { Verdict::Violated };
        let (mut over, mut met) = (state.clone(), BTreeSet::new());
        while over.verdict == Verdict::Open && met.insert(over.clone()) {
            if self.step(&mut over, Step::new(&Label::Silence)).is_err() {
                return false;
            }
        }
        let broken = over.verdict == decided;
        if broken {
            *state = over;
        }
        broken
    }

    fn without_a_step(
        &self,
        state: &mut MonitorState,
        now: Option<u64>,
        change: &dyn Fn(&mut Track, &[Engine]) -> bool,
    ) -> bool {
        let Kind::Formula(body) = &self.kind else { return false };
        let broken = match &mut state.inner {
            Inner::Single(track) => state.verdict == Verdict::Open && change(track, &body.engines),
            Inner::Many(instances) => {
                let take = |track: &mut Track, bits: u32, _: &[Option<Value>]| -> Result<(), Infallible> {
                    change(track, body.engines(bits));
                    Ok(())
                };
                let Ok(broken) = instances.step(&BTreeSet::new(), now, take);
                self.blame(body, instances, broken, None);
                !instances.violated.is_empty()
            }
            Inner::Observer(_) => false,
        };
        if broken && state.verdict == Verdict::Open {
            state.verdict = self.verdict_of(&state.inner);
        }
        broken
    }

    /// The verdict if the run is over here.
    pub fn verdict_at_end(&self, state: &MonitorState) -> Verdict {
        if state.verdict != Verdict::Open || !(self.owes(state) || self.hears_silence()) {
            return state.verdict;
        }
        let mut over = state.clone();
        self.end(&mut over);
        over.verdict
    }

    /// The values for which something has not come yet.
    pub fn owing(&self, state: &MonitorState) -> Vec<Key> {
        let (Kind::Formula(body), Inner::Many(instances)) = (&self.kind, &state.inner) else { return Vec::new() };
        let owes = |bits: u32, track: &Track| !track.is_broken() && !track.may_end(body.engines(bits));
        let copies = instances.copies().filter(|(bits, track, _)| owes(*bits, track));
        copies.map(|(_, _, key)| key.clone()).collect()
    }

    /// Something that has a bound has not come yet.
    pub fn owes(&self, state: &MonitorState) -> bool {
        let Kind::Formula(body) = &self.kind else { return false };
        let owes = |bits: u32, track: &Track| !track.is_broken() && !track.may_end(body.engines(bits));
        match &state.inner {
            Inner::Single(track) => owes(0, track),
            Inner::Many(instances) => instances.places().any(|(bits, track)| owes(*bits, track)),
            Inner::Observer(_) => false,
        }
    }
}
