//! Does an implementation keep to its specification? Drives it, judges it, and tells what was found as plain data.
//!
//! Clocks, signals, progress and files come in as functions of the [`TestHost`]. A stored failure is a [`Saved`], as text a
//! file beside the specification or a token.

mod against;
mod announced;
mod connect;
mod goals;
mod mutants;
mod plug;
mod reachable;
mod saved;
mod target;
mod told;

use crate::behind::{rule_marks, unused_mark};
use crate::{Context, ReadFile, Refusal, choose_setup};
pub use against::against;
use announced::Announced;
pub(crate) use connect::connector;
use interplay_adapter::{Address, Target};
use interplay_model::{GoalId, Model, SetupId};
use interplay_report::{Mark, Tested};
use interplay_semantics::{Behaviour, Instance, ModelError, show_state};
use interplay_temporal::Monitors;
use interplay_tester::{Budget, Campaign, Chosen, Found, Known, campaign};
pub use interplay_tester::{Chosen as TestStrategy, Progress as TestProgress, Shrinking as TestShrinking};
pub use mutants::mutants;
pub use saved::Saved;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
pub use target::{TestGuide, test_target};
pub(crate) use told::title as failure_title;

/// What to test, and how. What is `None` is left to the setup.
#[derive(Clone, Debug, Default)]
pub struct Testing {
    /// The specification as the user named it, for tokens.
    pub file: PathBuf,
    /// A command, an address, or `model:FILE`.
    pub sut: String,
    pub setup: Option<String>,
    /// By name; otherwise all.
    pub properties: Option<Vec<String>>,
    /// Properties that were tested before: a violation of another one that needs one of them broken is not looked for.
    pub assume: Vec<String>,
    pub seed: u64,
    pub runs: Option<u64>,
    pub steps: Option<u64>,
    pub strategy: Chosen,
    pub time: Option<Duration>,
    pub go_on: bool,
    pub threads: usize,
    /// For the answer to an input; otherwise the usual time.
    pub answer_within: Option<Duration>,
    /// Failures of earlier runs, to be tried first.
    pub stored: Vec<Saved>,
    /// Only repeat the stored failure.
    pub replay: bool,
    /// The time to shrink and repeat each failure; zero declines it. `None`: the usual time.
    pub shrink: Option<Duration>,
    /// What happens, if the rules do not say it.
    pub moved: Option<Moved>,
}

/// A Rust type that makes the steps in place of the rules.
#[derive(Clone)]
pub struct Moved(std::sync::Arc<dyn Fn(Instance) -> Instance + Send + Sync>);

impl Moved {
    /// The type is made for the actions of a model.
    pub fn by<B: Behaviour + 'static>(make: impl Fn(&Model) -> B + Send + Sync + 'static) -> Moved {
        Moved(std::sync::Arc::new(move |instance: Instance| {
            let behaviour = make(instance.model());
            instance.moved_by(behaviour)
        }))
    }
}

impl std::fmt::Debug for Moved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a Rust type")
    }
}

/// The world around a test.
pub struct TestHost<'h> {
    /// Time since some moment.
    pub now: &'h (dyn Fn() -> Duration + Sync),
    pub interrupted: &'h AtomicBool,
    pub progress: &'h (dyn Fn(TestProgress) + Sync),
    /// A failure was found, in a sentence; it is shrunk before anything else is said about it.
    pub found: &'h (dyn Fn(&str) + Sync),
    /// Keeps a failure; where, if it was kept.
    pub save: &'h (dyn Fn(&Saved) -> Option<String> + Sync),
    pub read: &'h ReadFile<'h>,
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

pub fn test(context: &Context, request: &Testing, host: &TestHost<'_>) -> Result<TestAnswer, Refusal> {
    let model = &context.model;
    let setup = choose_setup(model, request.setup.as_deref()).map_err(Refusal::Request)?;
    crate::explore::known_properties(model, request.properties.as_deref().unwrap_or_default())
        .map_err(Refusal::Request)?;
    known_hints(model, &request.assume)?;
    // A hint is watched as well: a broken one is told.
    let watched = request.properties.as_ref().map(|names| [&names[..], &request.assume[..]].concat());
    let target = Target::parse(&request.sut).map_err(Refusal::Request)?;
    let id = setup.name.as_deref().and_then(|name| model.setup_named(name));
    let instance = instance(model, id)?;
    let instance = match &request.moved {
        Some(Moved(moved)) => moved(instance),
        None => instance,
    };
    if instance.is_properties_alone() && instance.setup().is_some_and(|setup| setup.transit > 0) {
        let help = "leave `transit` out of the setup, or write rules";
        return Err(Refusal::Request(format!("without rules nobody knows which outputs were overtaken\nhelp: {help}")));
    }
    let (known, stale) = known(model, request, setup.name.as_deref());
    let connect = connect::connector(&instance, &target, request, host)?;
    let announced = Announced::new(&instance);
    let connect = |worker: usize| announced.compared(connect(worker)?);
    // A failure that is repeated covers nothing.
    let reachable = if request.replay { None } else { reachable::reachable(&instance) };
    let plug = plug::plug(&instance);
    // Where all is explored, or a Rust type makes the steps, the solver has nothing to add.
    let asking = plug::Asking { instance: &instance, interrupted: host.interrupted };
    let asks = reachable.is_none() && !request.replay && !instance.is_moved();
    let started = (host.now)();
    let late = || {
        let setup = instance.setup().and_then(|setup| setup.timeout).map(Duration::from_micros);
        request.time.or(setup).is_some_and(|most| (host.now)() - started >= most)
    };
    let save = |found: &Found| {
        (host.save)(&Saved::new(&instance, request, found));
    };
    let found = |found: &Found| {
        save(found);
        (host.found)(&told::at_once(model, found));
    };
    let config = Campaign {
        instance: &instance,
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
        starts_anew: matches!(target, Target::Adapter(Address::Command(_))) && !request.replay,
        plug,
        scout: asks.then_some(&asking),
        budget: match request.shrink {
            _ if request.replay => Budget::REPEAT,
            Some(Duration::ZERO) => Budget::NONE,
            time => Budget { time: time.unwrap_or(Budget::default().time), ..Budget::default() },
        },
        late: &late,
        interrupted: host.interrupted,
        progress: host.progress,
        found: &found,
        shrunk: &save,
    };
    let outcome = campaign(&config, &connect);
    let seconds = ((host.now)() - started).as_secs_f64();
    let mut tested = told::tested(context, &instance, request, &outcome, reachable.as_ref(), seconds);
    for failure in &mut tested.failures {
        let found = outcome.failures.iter().find(|found| found.failure.id() == failure.signature);
        failure.file = found.and_then(|found| (host.save)(&Saved::new(&instance, request, found)));
    }
    tested.remarks.extend(stale);
    tested.remarks.extend(announced.differences());
    let fired = |rule| Some(outcome.covered.fired.get(&rule).copied().unwrap_or(0));
    let mut marks = if request.replay { Vec::new() } else { rule_marks(model, &tested.coverage.missed, fired) };
    marks.extend(tested.coverage.unused.iter().filter_map(unused_mark));
    let visited = outcome.covered.visited().map(|state| show_state(model, state)).collect();
    Ok(TestAnswer { tested, remark: setup.remark, marks, visited })
}

/// Each can be assumed.
pub(crate) fn known_hints(model: &std::sync::Arc<Model>, hints: &[String]) -> Result<(), Refusal> {
    crate::explore::known_properties(model, hints).map_err(Refusal::Request)?;
    if let Some(observer) = hints.iter().find(|hint| model.observers.iter().any(|each| each.name == **hint)) {
        let help = "assume a property; an observer is watched only";
        return Err(Refusal::Request(format!("the observer `{observer}` cannot be assumed\nhelp: {help}")));
    }
    let instance = instance(model, None)?;
    let refused = Monitors::assuming(&instance, Some(&[]), hints).refused;
    refused
        .first()
        .map_or(Ok(()), |(name, span, refusal)| Err(Refusal::Specification(Box::new(refusal.diagnostic(name, *span)))))
}

/// The strategy that makes for a goal of the specification.
pub fn test_towards(model: &Model, goal: &str) -> Result<Chosen, String> {
    let found = model.goals.iter().position(|each| each.name == goal);
    let names: Vec<&str> = model.goals.iter().map(|goal| goal.name.as_str()).collect();
    let known =
        if names.is_empty() { "the specification has none".into() } else { format!("there are: {}", names.join(", ")) };
    found.map(|at| Chosen::Goal(GoalId(at))).ok_or_else(|| format!("there is no goal `{goal}`\nhelp: {known}"))
}

fn instance(model: &std::sync::Arc<Model>, setup: Option<SetupId>) -> Result<Instance, Refusal> {
    let broken = |error: ModelError| Refusal::Specification(Box::new(error.diagnostic()));
    Instance::new(model.clone(), setup).map_err(broken)
}

/// The stored failures that fit this setup and this specification, and what to say about those that do not.
fn known(model: &Model, request: &Testing, setup: Option<&str>) -> (Vec<Known>, Vec<String>) {
    let (mut known, mut remarks) = (Vec::new(), Vec::new());
    for saved in request.stored.iter().filter(|saved| request.replay || saved.setup.as_deref() == setup) {
        match interplay_tester::plan_from_json(model, &saved.plan) {
            Ok(plan) => {
                let Saved { signature, failed, tried, .. } = saved;
                known.push(Known { signature: signature.clone(), plan, failed: *failed, tried: *tried });
            }
            Err(why) => remarks.push(format!("a stored failure is left out ({}): {why}", saved.signature)),
        }
    }
    (known, remarks)
}
