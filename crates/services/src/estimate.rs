//! How many runs will there be? Knuth's estimate: a few runs with choices drawn at random, each standing for as many runs as
//! it passed over alternatives.

use crate::driver::Desk;
use crate::search::Config;
use crate::service::Service;
use crate::{MoveEnd, Problem};

/// The mean of so many probes. Not exact, but of the right size; `seed` decides the choices.
pub fn estimate<S: Service>(service: &mut S, config: &Config, probes: u32, seed: u64) -> Result<f64, Problem> {
    let mut dice = seed;
    let mut desk = Desk::new(&config.driving);
    let mut sum = 0.0;
    for _ in 0..probes {
        sum += probe(service, config, &mut desk, &mut dice)?;
    }
    Ok(sum / f64::from(probes.max(1)))
}

fn probe<S: Service>(service: &mut S, config: &Config, desk: &mut Desk, dice: &mut u64) -> Result<f64, Problem> {
    let (mut weight, mut sent) = (1.0, 0);
    service.reset()?;
    while sent < config.depth {
        let moves = desk.moves(service, config.depth - sent, config.driving.overwrite)?;
        if moves.is_empty() {
            break;
        }
        weight *= moves.len() as f64;
        let chosen = &moves[(next(dice) % moves.len() as u64) as usize];
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
        if matches!(chosen.end, MoveEnd::Stop | MoveEnd::Halt) {
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
