//! Paths and seconds of all drivers against the depth.

use super::{Prepared, Request as Search};
use crate::{Context, Host, Progress, Refusal};
use interplay_answers::SystematicRow;
pub use interplay_answers::SystematicTable as Answer;
use interplay_services::{Config, Driver, Findings, ModelService, estimate, search};
use std::time::Duration;

/// What to search, and for how long.
pub struct Request {
    /// What to search; its driver and depth are the table's.
    pub systematic: Search,
    /// A driver that needed longer than this at one depth is left out at greater ones.
    pub patience: Duration,
}

/// More runs than this are not tried.
const MOST_RUNS: f64 = 3e8;

/// One row for every depth from one on; of the specification alone.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let prepared = Prepared::new(context, &request.systematic)?;
    let drivers = [Driver::Simple, Driver::Published, Driver::Planned];
    let mut left_out = [false; 3];
    let mut rows = Vec::new();
    for depth in 1..=prepared.depth {
        let mut cells = Vec::new();
        for (driver, left_out) in drivers.iter().zip(&mut left_out) {
            let cell = if *left_out { None } else { cell(&prepared, request, host, *driver, depth) };
            *left_out = cell.is_none_or(|(_, seconds)| seconds > request.patience.as_secs_f64());
            cells.push(cell);
        }
        rows.push(SystematicRow { depth, cells });
    }
    let title = match &prepared.setup {
        Some(setup) => format!("{}, setup {setup}: runs against depth", prepared.model().name),
        None => format!("{}: runs against depth", prepared.model().name),
    };
    Ok(Answer { title, drivers: drivers.iter().map(Driver::to_string).collect(), rows })
}

fn cell(prepared: &Prepared, request: &Request, host: &dyn Host, driver: Driver, depth: u64) -> Option<(u64, f64)> {
    let started = host.now();
    let end = started + 4 * request.patience;
    let deadline = || host.now() >= end;
    let progress = |runs| host.tell(Progress::Runs(runs));
    let config = Config {
        findings: Findings::Continue,
        deadline: &deadline,
        interrupted: host.stop(),
        progress: &progress,
        ..prepared.config(&request.systematic, driver, depth)
    };
    let make = || ModelService::new(&prepared.instance, &prepared.monitors);
    let expected = estimate(&mut make().ok()?, &config, super::PROBES, 1).ok()?;
    let outcome = (expected < MOST_RUNS).then(|| search(&make, &config))?;
    let done = outcome.stop == interplay_services::Stop::Exhausted;
    done.then(|| (outcome.statistics.paths, (host.now() - started).as_secs_f64()))
}
