//! State matching: a state that was seen is not searched again. For services that can name their state.
//!
//! Layer by layer, so that every state is first reached by as few events as can be, and every step from it is made once
//! per state and not once per run. There is no way back but a reset, so each step is made at the end of the way to its state.

use crate::Problem;
use crate::driver::{Desk, Move, MoveEnd};
use crate::outcome::{Finding, Outcome, Stop};
use crate::search::{Config, Findings};
use crate::service::{EventId, Service, Snapshot, Standstill};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;

/// Searches all states within the depth. The moves are those of the driver; tosses are not kept.
pub fn search_states<S: Service>(service: &mut S, config: &Config) -> Outcome {
    let mut matching = Matching {
        desk: Desk::new(&config.driving),
        service,
        config,
        seen: FxHashSet::default(),
        layers: vec![Vec::new(); config.depth + 1],
        cut: false,
        outcome: Outcome::default(),
    };
    match matching.arrive(&[]) {
        Ok(()) => {}
        Err(problem) => matching.report(problem, &[]),
    }
    for depth in 0..config.depth {
        // A move of several events skips layers, but never falls back.
        for way in std::mem::take(&mut matching.layers[depth]) {
            matching.expand(&way);
            if let Some(stop) = matching.enough() {
                matching.outcome.stop = stop;
                return matching.outcome;
            }
        }
    }
    matching.outcome.closed = !matching.cut && matching.layers[config.depth].is_empty();
    matching.outcome
}

struct Matching<'m, S: Service> {
    service: &'m mut S,
    config: &'m Config<'m>,
    desk: Desk<'m>,
    seen: FxHashSet<Snapshot>,
    /// By depth: the ways to states that were not expanded yet.
    layers: Vec<Vec<Vec<EventId>>>,
    /// A move was not made to its end.
    cut: bool,
    outcome: Outcome,
}

impl<S: Service> Matching<'_, S> {
    /// Makes the way, and keeps the state at its end if it is new.
    fn arrive(&mut self, way: &[EventId]) -> Result<(), Problem> {
        self.replay(way)?;
        self.judge(way)?;
        self.keep(way)
    }

    fn replay(&mut self, way: &[EventId]) -> Result<(), Problem> {
        self.service.reset()?;
        self.outcome.statistics.paths += 1;
        self.outcome.statistics.events += way.len() as u64;
        way.iter().try_for_each(|event| self.service.send(*event))
    }

    fn keep(&mut self, way: &[EventId]) -> Result<(), Problem> {
        let Some(snapshot) = self.service.snapshot()? else {
            let message = "--match-states needs snapshots: add `snapshot` to the adapter, or remove --match-states";
            return Err(Problem::NotAService { message: message.into() });
        };
        if self.seen.insert(snapshot) {
            self.outcome.statistics.states += 1;
            self.outcome.statistics.longest = self.outcome.statistics.longest.max(way.len() as u64);
            self.layers[way.len()].push(way.to_vec());
        }
        Ok(())
    }

    fn expand(&mut self, way: &[EventId]) {
        let limit = self.config.depth - way.len();
        let moves = self.replay(way).and_then(|()| {
            let corrections = self.config.driving.overwrite;
            self.desk.moves(self.service, limit, corrections)
        });
        let moves = match moves {
            Ok(moves) if moves.is_empty() => return self.nothing_left(way),
            Ok(moves) => moves,
            Err(problem) => return self.report(problem, way),
        };
        for (index, each) in moves.iter().enumerate() {
            let mut sent = way.to_vec();
            match self.make(way, index, each, &mut sent) {
                Ok(()) => {}
                Err(Problem::NotTaken { .. }) => self.outcome.statistics.refused += 1,
                Err(problem) => self.report(problem, &sent),
            }
        }
    }

    fn make(&mut self, way: &[EventId], index: usize, each: &Move, sent: &mut Vec<EventId>) -> Result<(), Problem> {
        // The service is at the end of the way already for the first move.
        if index > 0 {
            self.replay(way)?;
        }
        let room = self.config.depth - way.len();
        self.cut |= each.events.len() > room || each.end == MoveEnd::Halt;
        for event in each.events.iter().take(room) {
            sent.push(*event);
            self.outcome.statistics.transitions += 1;
            self.outcome.statistics.events += 1;
            self.service.send(*event)?;
            self.judge(sent)?;
        }
        match each.end {
            MoveEnd::Stop | MoveEnd::Halt => Ok(()),
            MoveEnd::Open | MoveEnd::Leave(_) => self.keep(sent),
        }
    }

    fn nothing_left(&mut self, way: &[EventId]) {
        match self.service.standstill() {
            Ok(Standstill::Ended) => self.outcome.statistics.ended += 1,
            Ok(Standstill::Stuck) => self.outcome.statistics.stuck += 1,
            Ok(Standstill::Dead) => {
                let place = self.service.show_place(self.service.place().node);
                self.report(Problem::Deadlock { place }, way);
            }
            Err(problem) => self.report(problem, way),
        }
    }

    /// What the last event violates is told, and what is violated if the run is over here; the search goes on.
    fn judge(&mut self, way: &[EventId]) -> Result<(), Problem> {
        for problem in self.service.broken()? {
            self.report(problem, way);
        }
        Ok(())
    }

    fn report(&mut self, problem: Problem, sent: &[EventId]) {
        // A hang is believed if it happens again: the service is started anew then, and waited for longer.
        if problem.is_a_hang() && !self.replay(sent).is_err_and(|again| again.is_a_hang()) {
            self.outcome.statistics.cut += 1;
            return;
        }
        let events: Vec<String> = sent.iter().map(|event| self.service.show_event(*event)).collect();
        let evidence = self.service.evidence();
        self.outcome.add_finding(Finding { problem, tosses: Vec::new(), events, evidence, runs: 1 });
    }

    fn enough(&self) -> Option<Stop> {
        let found = |finding: &Finding| finding.problem.is_fatal();
        if self.outcome.findings.iter().any(found) {
            return Some(Stop::Impossible);
        }
        if self.config.findings == Findings::StopAtFirst && !self.outcome.findings.is_empty() {
            return Some(Stop::FirstFinding);
        }
        if self.config.interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        (self.config.deadline)().then_some(Stop::Time)
    }
}
