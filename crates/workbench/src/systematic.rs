//! All behaviours of a service up to a depth: of the specification alone, or of an implementation beside it.
//!
//! Without named properties nothing is observable, and only crashes, deadlocks and what the implementation would take are
//! judged: that is what a first search is for, and it needs the fewest runs.

mod table;
mod told;

use crate::{Context, Host, Progress, Refusal, choose_setup};
use interplay_adapter::{Address, Implementation, Limits, ModelImplementation, Settings, Target, Trouble, connect};
use interplay_answers::Systematic;
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
pub use table::{TableRequest, systematic_table};

/// What to search, and how. What is `None` is left to the setup.
#[derive(Clone, Debug, Default)]
pub struct SystematicRequest {
    /// As the user named it.
    pub file: PathBuf,
    pub setup: Option<String>,
    /// To be judged, by name.
    pub properties: Vec<String>,
    pub all_properties: bool,
    pub driver: Driver,
    pub merge: Merge,
    pub violations_once: bool,
    pub overwrite: Option<u32>,
    pub depth: Option<u64>,
    pub go_on: bool,
    pub threads: usize,
    pub match_states: bool,
    pub paths: Option<u64>,
    pub timeout: Option<Duration>,
    /// One run only: the choices of an earlier one.
    pub replay: Option<Vec<u32>>,
    pub sut: Option<SystematicSut>,
    /// For each answer of the implementation.
    pub answer_within: Duration,
}

/// What to search beside the specification.
#[derive(Clone, Debug)]
pub struct SystematicSut {
    /// As the user wrote it.
    pub name: String,
    pub kind: SutKind,
    /// What it says it would take is believed, and not compared with the specification.
    pub black_box: bool,
}

#[derive(Clone, Debug)]
pub enum SutKind {
    Adapter(Address),
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

pub fn systematic(context: &Context, request: &SystematicRequest, host: &dyn Host) -> Result<Systematic, Refusal> {
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
    fn new(context: &Context, request: &SystematicRequest) -> Result<Prepared, Refusal> {
        let (setup, remark) = setup(&context.model, request.setup.as_deref())?;
        // An implementation is not tested without a correction unless somebody asked for that.
        let usual = request.sut.is_some() && request.setup.is_none() && request.driver == Driver::Planned;
        let least = if usual { 1 } else { 0 };
        let (model, overwrite) = corrected(&context.model, setup, request.overwrite, least);
        let mut properties = properties(context, request)?;
        let instance = Instance::new(model.clone(), setup).map_err(|error| context.broken(error))?;
        let mut monitors = Monitors::new(&instance, Some(&properties));
        if let Some((name, span, refusal)) = monitors.refused.first() {
            let why = refusal.reason(name, *span);
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

    fn config<'c>(&self, request: &SystematicRequest, driver: Driver, depth: u64) -> Config<'c> {
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
    fn estimate(&self, request: &SystematicRequest) -> Option<f64> {
        if request.match_states || request.sut.as_ref().is_some_and(|sut| sut.black_box) {
            return None;
        }
        let config = self.config(request, request.driver, self.depth);
        let mut service = ModelService::new(&self.instance, &()).ok()?;
        estimate(&mut service, &config, PROBES, 1).ok()
    }

    fn search(&self, request: &SystematicRequest, config: &Config, round_trips: &AtomicU64) -> Outcome {
        let specification = || ModelService::new(&self.instance, &self.monitors);
        let Some(sut) = &request.sut else { return run(&specification, request, config) };
        let connect = self.connect(sut);
        let external = || External::new(&*connect, self.model(), request.answer_within, round_trips);
        if sut.black_box {
            return run(&|| BlackBox::new(&self.instance, &self.monitors, external()?), request, config);
        }
        run(&|| Ok(Compared::new(specification()?, external()?)), request, config)
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

fn run<S: Service>(
    make: &(dyn Fn() -> Result<S, Problem> + Sync),
    request: &SystematicRequest,
    config: &Config,
) -> Outcome {
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
fn unseen(monitors: &Monitors, request: &SystematicRequest) -> Vec<(String, &'static str)> {
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

fn properties(context: &Context, request: &SystematicRequest) -> Result<Vec<String>, Refusal> {
    if !request.all_properties {
        context.known_properties(&request.properties)?;
        return Ok(request.properties.clone());
    }
    let observers = context.model.observers.iter().map(|each| &each.name);
    Ok(observers.chain(context.model.properties.iter().map(|each| &each.name)).cloned().collect())
}
