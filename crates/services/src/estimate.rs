//! How many runs will there be? Where states can be told apart the runs are counted, state by state, without being made: for depth 1, 2
//! and so on, as far as reasonable work leads. What is deeper is taken to grow as it did. Other services get Knuth's
//! estimate: a few runs with choices drawn at random, each standing for as many runs as it passed over alternatives; that is often too
//! small, because most of the runs may be where chance seldom leads.

use crate::driver::{Desk, Move};
use crate::search::Config;
use crate::service::{EventId, Service, Snapshot};
use crate::{MoveEnd, Problem};
use rustc_hash::{FxHashMap, FxHashSet};

/// More work than this is not spent on counting; sending an event once more is one piece.
const MOST_WORK: usize = 3_000_000;
/// A choice in a new state: its events have to be found.
const NEW_CHOICE: usize = 50;
/// Probes look at no more choices than this together.
const MOST_CHOICES: usize = 30_000;

/// About as many runs; `seed` decides the choices of the probes, if there are any.
pub fn estimate<S: Service>(service: &mut S, config: &Config, probes: u32, seed: u64) -> Result<f64, Problem> {
    let counted = Count::new(service, config).by_depth()?;
    if let [first @ .., last] = &counted[..]
        && !first.is_empty()
    {
        // It grows as in the second half of the depths that were counted.
        let (deepest, half) = (first.len(), first.len() / 2);
        let factor = (last / counted[half]).powf(1.0 / (deepest - half) as f64);
        return Ok((last * factor.powf((config.depth - deepest) as f64)).min(f64::MAX));
    }
    let (mut dice, mut desk, mut choices) = (seed, Desk::new(&config.driving), 0);
    let (mut sum, mut made) = (0.0, 0);
    while made < probes && choices < MOST_CHOICES && !(config.deadline)() {
        sum += probe(service, config, &mut desk, &mut dice, &mut choices)?;
        made += 1;
    }
    Ok(sum / f64::from(made.max(1)))
}

struct Count<'c, S> {
    service: &'c mut S,
    config: &'c Config<'c>,
    desk: Desk<'c>,
    depth: usize,
    states: FxHashSet<Snapshot>,
    /// By state, events that may still be sent, and corrections at the present node.
    known: FxHashMap<(Snapshot, usize, u32), f64>,
    work: usize,
}

impl<'c, S: Service> Count<'c, S> {
    fn new(service: &'c mut S, config: &'c Config<'c>) -> Count<'c, S> {
        let (desk, states, known) = (Desk::new(&config.driving), FxHashSet::default(), FxHashMap::default());
        Count { service, config, desk, depth: 0, states, known, work: 0 }
    }

    /// The runs for depth 0, 1, ..., as far as they can be counted.
    fn by_depth(mut self) -> Result<Vec<f64>, Problem> {
        let mut counted = vec![1.0];
        while self.depth < self.config.depth {
            self.depth += 1;
            self.service.reset()?;
            let Some(runs) = self.runs_from_here(&mut Vec::new(), 0)? else { break };
            counted.push(runs);
        }
        Ok(counted)
    }

    /// The runs that begin with what was sent; nothing if that is too much work.
    fn runs_from_here(&mut self, sent: &mut Vec<EventId>, corrections: u32) -> Result<Option<f64>, Problem> {
        let limit = self.depth - sent.len();
        if limit == 0 {
            return Ok(Some(1.0));
        }
        let Some(state) = self.service.snapshot()? else { return Ok(None) };
        let key = (state, limit, corrections);
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let left = self.config.driving.overwrite.saturating_sub(corrections);
        let moves = self.desk.moves(self.service, limit, left)?;
        self.work += if self.states.insert(key.0.clone()) { NEW_CHOICE * moves.len() } else { 0 };
        let mut runs = if moves.is_empty() { 1.0 } else { 0.0 };
        for (index, taken) in moves.iter().enumerate() {
            self.work += 1 + sent.len();
            if self.work > MOST_WORK || (self.config.deadline)() {
                return Ok(None);
            }
            if index > 0 {
                self.service.reset()?;
                sent.iter().try_for_each(|event| self.service.send(*event))?;
            }
            let before = sent.len();
            let Some(more) = self.after(taken, sent, corrections)? else { return Ok(None) };
            runs += more;
            sent.truncate(before);
        }
        self.known.insert(key, runs);
        Ok(Some(runs))
    }

    fn after(&mut self, taken: &Move, sent: &mut Vec<EventId>, mut corrections: u32) -> Result<Option<f64>, Problem> {
        let before = sent.len();
        for event in &taken.events {
            if sent.len() == self.depth {
                break;
            }
            // An event may go astray with the published driver.
            let Some(offer) = self.service.offers()?.iter().find(|offer| offer.event == *event).copied() else {
                continue;
            };
            let place = self.service.place();
            // A problem ends the run; the search will report it.
            if self.service.send(*event).is_err() {
                return Ok(Some(1.0));
            }
            let after = self.service.place();
            let same_visit = place.node == after.node && after.received > 0;
            corrections = if same_visit { corrections + u32::from(offer.correction) } else { 0 };
            sent.push(*event);
        }
        match taken.end {
            MoveEnd::Open | MoveEnd::Leave(_) if sent.len() > before => self.runs_from_here(sent, corrections),
            _ => Ok(Some(1.0)),
        }
    }
}

fn probe<S: Service>(
    service: &mut S,
    config: &Config,
    desk: &mut Desk,
    dice: &mut u64,
    choices: &mut usize,
) -> Result<f64, Problem> {
    let (mut weight, mut sent) = (1.0, 0);
    service.reset()?;
    while sent < config.depth {
        let moves = desk.moves(service, config.depth - sent, config.driving.overwrite)?;
        if moves.is_empty() {
            break;
        }
        weight *= moves.len() as f64;
        *choices += moves.len();
        let chosen = &moves[(next(dice) % moves.len() as u64) as usize];
        let before = sent;
        for event in chosen.events.iter().take(config.depth - sent) {
            // A problem ends the run; the search will report it. An event may go astray with the published driver.
            if !service.offers()?.iter().any(|offer| offer.event == *event) {
                continue;
            }
            if service.send(*event).is_err() {
                return Ok(weight);
            }
            sent += 1;
        }
        // Nobody waits for the end of a number that is large enough, or for a run that does not move.
        let enough = weight > 1e100 || sent == before;
        if enough || matches!(chosen.end, MoveEnd::Stop | MoveEnd::Halt) {
            break;
        }
    }
    Ok(weight)
}

/// SplitMix64.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
