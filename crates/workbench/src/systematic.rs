//! All behaviours of a service up to a depth: of the specification alone, or of an implementation beside it.
//!
//! Without named properties nothing is observable, and only crashes, deadlocks and what the implementation would take are
//! judged: that is what a first search is for, and it needs the fewest runs.

pub mod table;
mod told;

use crate::{Context, Host, Progress, Refusal, choose_setup};
use interplay_adapter::{Address, Implementation, Limits, ModelImplementation, Settings, Target, Trouble, connect};
pub use interplay_answers::Systematic as Answer;
use interplay_model::{Model, SetupId};
use interplay_semantics::Instance;
use interplay_services::{
    BlackBox, Compared, Config, Connect, Driver, Driving, External, Findings, Merge, ModelService, Outcome, Problem,
    Service, estimate, observables, replay, search, search_states,
};
use interplay_temporal::{Monitor, Monitors};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What to search, and how. What is `None` is left to the setup.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// As the user named it.
    pub file: PathBuf,
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// To be judged, by name.
    pub properties: Vec<String>,
    /// Judge every property that can be judged; `properties` is then empty.
    pub all_properties: bool,
    /// Who decides the order in which inputs come.
    pub driver: Driver,
    /// Which ways out of a node are the same, if the observable events are: the planned driver makes only one of them.
    pub merge: Merge,
    /// Each check without a target is violated once, to see that it works.
    pub violations_once: bool,
    /// How often an input may be corrected per visit of a node.
    pub overwrite: Option<u32>,
    /// Events per run.
    pub depth: Option<u64>,
    /// Do not stop at the first finding.
    pub go_on: bool,
    /// What is found does not depend on it.
    pub threads: usize,
    /// States that were seen are not searched again: fewer runs, more memory.
    pub match_states: bool,
    /// At most so many runs.
    pub paths: Option<u64>,
    /// As the host tells time.
    pub timeout: Option<Duration>,
    /// One run only: the choices of an earlier one.
    pub replay: Option<Vec<u32>>,
    /// Driven beside the specification and compared with it; without one, the specification alone is searched.
    pub sut: Option<SystematicSut>,
    /// For each answer of the implementation.
    pub answer_within: Duration,
}

/// What to search beside the specification.
#[derive(Clone, Debug)]
pub struct SystematicSut {
    /// As the user wrote it.
    pub name: String,
    /// What to start, or to load.
    pub kind: SutKind,
    /// What it says it would take is believed, and not compared with the specification.
    pub black_box: bool,
}

/// An implementation, or what plays one.
#[derive(Clone, Debug)]
pub enum SutKind {
    /// A process that speaks the adapter protocol.
    Adapter(Address),
    /// Another specification, played in this process.
    Model(Arc<Model>),
}

/// What the user names as the implementation: a command, an address, or `model:FILE`, which `load` reads.
pub fn parse_sut(text: &str, load: impl FnOnce(&Path) -> Result<Arc<Model>, String>) -> Result<SutKind, String> {
    match Target::parse(text)? {
        Target::Adapter(address) => Ok(SutKind::Adapter(address)),
        Target::Model(file) => load(&file).map(SutKind::Model),
    }
}

/// Events per run, if nobody says anything else.
const DEPTH: u64 = 10;
/// Runs to estimate the number of runs by.
const PROBES: u32 = 64;

/// Searches the behaviours, or replays one.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let prepared = Prepared::new(context, request)?;
    let (started, round_trips) = (host.now(), AtomicU64::new(0));
    let estimate = match request.replay {
        Some(_) => None,
        None => prepared.estimate(request),
    };
    host.tell(Progress::Expected(estimate.unwrap_or(1.0)));
    let end = request.timeout.map(|timeout| started + timeout);
    let deadline = || end.is_some_and(|end| host.now() >= end);
    let progress = |runs| host.tell(Progress::Runs(runs));
    let config = Config {
        deadline: &deadline,
        interrupted: host.stop(),
        progress: &progress,
        ..prepared.config(request, request.driver, prepared.depth)
    };
    let outcome = prepared.search(request, &config, &round_trips);
    let seconds = (host.now() - started).as_secs_f64();
    Ok(told::told(&prepared, request, &outcome, estimate, round_trips.load(Ordering::Relaxed), seconds))
}

/// A specification under a setup, with what judges it.
struct Prepared {
    instance: Instance,
    setup: Option<String>,
    remarks: Vec<String>,
    monitors: Monitors,
    properties: Vec<String>,
    depth: u64,
    overwrite: u32,
}

impl Prepared {
    fn new(context: &Context, request: &Request) -> Result<Prepared, Refusal> {
        let (setup, remark) = setup(&context.model, request.setup.as_deref())?;
        // An implementation is not tested without a correction unless somebody asked for that.
        let usual = request.sut.is_some() && request.setup.is_none() && request.driver == Driver::Planned;
        let least = if usual { 1 } else { 0 };
        let (model, overwrite) = corrected(&context.model, setup, request.overwrite, least);
        let mut properties = properties(context, request)?;
        let instance = Instance::new(model.clone(), setup).map_err(|error| context.broken(error))?;
        crate::driven::leaves_a_step(&instance)?;
        let mut monitors = Monitors::new(&instance, Some(&properties));
        if let Some((name, span, refusal)) = monitors.refused.first() {
            let why = refusal.diagnostic(name, *span).message;
            return Err(format!("`{name}` cannot be checked: {why}").into());
        }
        let depth = request.depth.or_else(|| instance.setup().and_then(|setup| setup.depth)).unwrap_or(DEPTH);
        let mut remarks: Vec<String> = remark.into_iter().collect();
        let unseen = unseen(&monitors, request);
        if let (Some((name, why)), false) = (unseen.first(), request.all_properties) {
            return Err(format!("`{name}` cannot be checked: {why}").into());
        }
        if !unseen.is_empty() {
            properties.retain(|name| !unseen.iter().any(|(other, _)| other == name));
            monitors = Monitors::new(&instance, Some(&properties));
            remarks.extend(unseen.iter().map(|(name, why)| format!("`{name}` is not checked: {why}")));
        }
        if properties.is_empty() && !(model.properties.is_empty() && model.observers.is_empty()) {
            let note = "no property is checked: name some with --property, or use --all-properties";
            remarks.push(note.into());
        }
        if request.sut.is_some() && overwrite == 0 && !model.nodes.is_empty() {
            remarks.push("no input is corrected: use `--overwrite 1` to correct one per visit of a node".into());
        }
        let setup = setup.map(|id| model.setups[id.0].name.clone());
        Ok(Prepared { instance, setup, remarks, monitors, properties, depth, overwrite })
    }

    fn model(&self) -> &Model {
        self.instance.model()
    }

    fn config<'c>(&self, request: &Request, driver: Driver, depth: u64) -> Config<'c> {
        Config {
            driving: Driving {
                driver,
                merge: request.merge,
                violations_once: request.violations_once,
                // More corrections than events are none; a plan of all of them would have no end.
                overwrite: self.overwrite.min(u32::try_from(depth).unwrap_or(u32::MAX)),
                observable: observables(&self.monitors),
            },
            depth: usize::try_from(depth).unwrap_or(usize::MAX),
            findings: if request.go_on { Findings::Continue } else { Findings::StopAtFirst },
            threads: request.threads.max(1),
            paths: request.paths,
            ..Config::default()
        }
    }

    /// By the specification alone; a black box is not asked.
    fn estimate(&self, request: &Request) -> Option<f64> {
        if request.match_states || request.sut.as_ref().is_some_and(|sut| sut.black_box) {
            return None;
        }
        let config = self.config(request, request.driver, self.depth);
        let mut service = ModelService::new(&self.instance, &()).ok()?;
        estimate(&mut service, &config, PROBES, 1).ok()
    }

    fn search(&self, request: &Request, config: &Config, round_trips: &AtomicU64) -> Outcome {
        let specification = || ModelService::new(&self.instance, &self.monitors);
        let Some(sut) = &request.sut else { return all(&specification, request, config) };
        let connect = self.connect(sut);
        let external = || External::new(&*connect, self.model(), request.answer_within, round_trips);
        if sut.black_box {
            return all(&|| BlackBox::new(&self.instance, &self.monitors, external()?), request, config);
        }
        all(&|| Ok(Compared::new(specification()?, external()?)), request, config)
    }

    fn connect<'e>(&'e self, sut: &'e SystematicSut) -> Box<Connect<'e>> {
        let settings = Settings { setup: self.setup.clone(), enabled: true, ..Settings::default() };
        match &sut.kind {
            SutKind::Adapter(address) => Box::new(move || {
                let connection = connect(address, self.instance.shared_model().clone(), &settings, &Limits::default())?;
                Ok(Box::new(connection) as Box<dyn Implementation>)
            }),
            SutKind::Model(model) => Box::new(move || {
                let setup = self.setup.as_deref().and_then(|name| model.setup_named(name));
                let instance = Instance::new(model.clone(), setup)
                    .map_err(|error| Trouble::new(interplay_adapter::TroubleKind::NotStarted, error.to_string()))?;
                let played = ModelImplementation::of_another(instance, 0, self.instance.shared_model())?;
                Ok(Box::new(played) as Box<dyn Implementation>)
            }),
        }
    }
}

fn all<S: Service>(make: &(dyn Fn() -> Result<S, Problem> + Sync), request: &Request, config: &Config) -> Outcome {
    if request.replay.is_none() && !request.match_states {
        return search(make, config);
    }
    match make() {
        Ok(mut service) => match &request.replay {
            Some(tosses) => replay(&mut service, tosses, config),
            None => search_states(&mut service, config),
        },
        // The same search says what is wrong.
        Err(_) => search(make, config),
    }
}

/// The setup to drive by, and what to tell about the choice.
fn setup(model: &Model, name: Option<&str>) -> Result<(Option<SetupId>, Option<String>), Refusal> {
    let chosen = choose_setup(model, name)?;
    Ok((chosen.id(model), chosen.remark))
}

/// The model with as many corrections as asked for; without being asked, as many as the setup says, but not less than usual.
fn corrected(model: &Arc<Model>, setup: Option<SetupId>, overwrite: Option<u32>, least: u32) -> (Arc<Model>, u32) {
    let said = setup.map(|id| model.setups[id.0].overwrites.unwrap_or(u32::MAX));
    let overwrite = overwrite.unwrap_or_else(|| said.unwrap_or(0).max(least));
    let Some(id) = setup.filter(|_| Some(overwrite) != said) else { return (model.clone(), overwrite) };
    let mut changed = Model::clone(model);
    changed.setups[id.0].overwrites = Some(overwrite);
    (changed.into(), overwrite)
}

/// The properties and observers that need more than a search sees, and what that is.
fn unseen(monitors: &Monitors, request: &Request) -> Vec<(String, &'static str)> {
    let black_box = request.sut.as_ref().is_some_and(|sut| sut.black_box);
    let needs = |monitor: &Monitor| match monitor {
        monitor if monitor.is_timed() => Some("it needs real time"),
        monitor if black_box && monitor.reads_state() => {
            Some("it needs the state of the system, which a black box does not show")
        }
        _ => None,
    };
    monitors.monitors.iter().filter_map(|monitor| Some((monitor.name.clone(), needs(monitor)?))).collect()
}

fn properties(context: &Context, request: &Request) -> Result<Vec<String>, Refusal> {
    if !request.all_properties {
        context.known_properties(&request.properties)?;
        return Ok(request.properties.clone());
    }
    let observers = context.model.observers.iter().map(|each| &each.name);
    Ok(observers.chain(context.model.properties.iter().map(|each| &each.name)).cloned().collect())
}
