//! The test itself: what was stored and fits, the campaign, and its outcome told.

use crate::announced::Announced;
use crate::marks::{rule_marks, unused_mark};
use crate::reachable::reachable;
use crate::{Saved, Testing, told};
use interplay_adapter::{Implementation, Trouble};
use interplay_answers::{Mark, Tested};
use interplay_model::Model;
use interplay_semantics::{Instance, show_state};
use interplay_specification::Context;
use interplay_tester::{Budget, Campaign, Found, Known, Plug, Progress, Scout, campaign};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// One test.
pub struct Trial<'t> {
    pub context: &'t Context,
    /// The specification under its setup.
    pub instance: &'t Instance,
    pub request: &'t Testing,
    /// An implementation for each worker, by its number.
    pub connect: &'t (dyn Fn(usize) -> Result<Box<dyn Implementation>, Trouble> + Sync),
    /// Coverage is told as a part of what can be reached, if exploring that takes at most so many steps.
    pub listed: usize,
    /// A new implementation is a fresh one: nothing of earlier runs is left in it.
    pub starts_anew: bool,
    /// Values for guards that no domain decides.
    pub plug: Option<Arc<dyn Plug>>,
    /// Ways to rules that are not covered; asked where not all can be explored.
    pub scout: Option<&'t dyn Scout>,
    pub around: Around<'t>,
}

/// The world around a test.
#[derive(Clone, Copy)]
pub struct Around<'h> {
    /// Time since some moment.
    pub now: &'h (dyn Fn() -> Duration + Sync),
    pub interrupted: &'h AtomicBool,
    pub progress: &'h (dyn Fn(Progress) + Sync),
    /// A failure was found, in a sentence; it is shrunk before anything else is said about it.
    pub found: &'h (dyn Fn(&str) + Sync),
    /// Keeps a failure; where, if it was kept.
    pub save: &'h (dyn Fn(&Saved) -> Option<String> + Sync),
}

/// The answer, and what to tell about the choice of the setup.
pub struct TestAnswer {
    pub tested: Tested,
    pub remark: Option<String>,
    /// The rules of the specification, and how often each fired.
    pub marks: Vec<Mark>,
    /// The states that were possible at some time, as the graph shows them.
    pub visited: HashSet<Vec<String>>,
}

/// Fails only if the request asks for what this specification cannot give.
pub fn run(trial: &Trial<'_>) -> Result<TestAnswer, String> {
    let Trial { context, instance, request, around, .. } = *trial;
    let model = instance.model();
    if instance.is_properties_alone() && instance.setup().is_some_and(|setup| setup.transit > 0) {
        let help = "remove `transit` from the setup, or write rules";
        return Err(format!("`transit` needs rules\nhelp: {help}"));
    }
    // A hint is watched as well: a broken one is told.
    let watched = request.properties.as_ref().map(|names| [&names[..], &request.assume[..]].concat());
    let (known, stale) = known(model, request, instance.setup().map(|setup| setup.name.as_str()));
    let announced = Announced::new(instance);
    let connect = |worker: usize| announced.compared((trial.connect)(worker)?);
    // A failure that is repeated covers nothing.
    let reachable = if request.replay { None } else { reachable(instance, trial.listed) };
    // Where all is explored, or a Rust type makes the steps, the solver has nothing to add.
    let asks = reachable.is_none() && !request.replay && !instance.is_moved();
    let started = (around.now)();
    let late = || {
        let setup = instance.setup().and_then(|setup| setup.timeout).map(Duration::from_micros);
        request.time.or(setup).is_some_and(|most| (around.now)() - started >= most)
    };
    let save = |found: &Found| {
        (around.save)(&Saved::new(instance, request, found));
    };
    let found = |found: &Found| {
        save(found);
        (around.found)(&told::at_once(model, found));
    };
    let config = Campaign {
        instance,
        properties: watched.as_deref(),
        assume: &request.assume,
        seed: request.seed,
        // With a time to fill there is no number of runs.
        runs: match (request.replay, request.time, request.runs) {
            (true, ..) => Some(0),
            (_, Some(_), None) => Some(u64::MAX),
            (_, _, runs) => runs,
        },
        steps: request.steps,
        strategy: request.strategy,
        known,
        items: reachable.is_some(),
        go_on: request.go_on,
        threads: request.threads,
        answer: request.answer_within,
        starts_anew: trial.starts_anew && !request.replay,
        plug: trial.plug.clone(),
        scout: trial.scout.filter(|_| asks),
        budget: match request.shrink {
            _ if request.replay => Budget::REPEAT,
            Some(Duration::ZERO) => Budget::NONE,
            time => Budget { time: time.unwrap_or(Budget::default().time), ..Budget::default() },
        },
        late: &late,
        interrupted: around.interrupted,
        progress: around.progress,
        found: &found,
        shrunk: &save,
    };
    let outcome = campaign(&config, &connect);
    let seconds = ((around.now)() - started).as_secs_f64();
    let mut tested = told::tested(context, instance, request, &outcome, reachable.as_ref(), seconds);
    for failure in &mut tested.failures {
        let found = outcome.failures.iter().find(|found| found.failure.id() == failure.signature);
        failure.file = found.and_then(|found| (around.save)(&Saved::new(instance, request, found)));
        // With many earlier runs it does not fit into a line; then the file takes its place.
        if let Some(file) = failure.file.as_ref().filter(|_| failure.token.len() > LONGEST_TOKEN) {
            failure.token.clone_from(file);
        }
    }
    tested.remarks.extend(stale);
    tested.remarks.extend(announced.differences());
    let fired = |rule| Some(outcome.covered.fired.get(&rule).copied().unwrap_or(0));
    let mut marks = if request.replay { Vec::new() } else { rule_marks(model, &tested.coverage.missed, fired) };
    marks.extend(tested.coverage.unused.iter().filter_map(unused_mark));
    let visited = outcome.covered.visited().map(|state| show_state(model, state)).collect();
    Ok(TestAnswer { tested, remark: None, marks, visited })
}

/// A longer one cannot be copied from a terminal.
const LONGEST_TOKEN: usize = 4000;

/// The stored failures that fit this setup and this specification, and what to say about those that do not.
fn known(model: &Model, request: &Testing, setup: Option<&str>) -> (Vec<Known>, Vec<String>) {
    let (mut known, mut remarks) = (Vec::new(), Vec::new());
    for saved in request.stored.iter().filter(|saved| request.replay || saved.setup.as_deref() == setup) {
        match interplay_tester::plan_from_json(model, &saved.plan) {
            Ok(plan) => {
                let Saved { signature, failed, tried, .. } = saved;
                let earlier = saved.earlier.as_array().into_iter().flatten();
                // A run that does not fit any more cannot be done; the failure may happen even so.
                let earlier = earlier.flat_map(|run| interplay_tester::plan_from_json(model, run)).collect();
                known.push(Known { signature: signature.clone(), plan, failed: *failed, tried: *tried, earlier });
            }
            Err(why) => remarks.push(format!("a stored failure is skipped ({}): {why}", saved.signature)),
        }
    }
    (known, remarks)
}
