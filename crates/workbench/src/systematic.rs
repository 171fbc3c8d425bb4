//! All behaviours of a service up to a depth: of the specification alone, or of an implementation beside it.
//!
//! Without named properties nothing is observable, and only crashes, deadlocks and what the implementation would take are
//! judged: that is what a first search is for, and it needs the fewest runs.

mod table;
mod told;

use crate::{Context, Refusal, choose_setup};
use interplay_adapter::{Address, Implementation, Limits, ModelImplementation, Settings, Target, Trouble, connect};
use interplay_diagnostics::did_you_mean;
use interplay_model::{Model, SetupId};
use interplay_report::Systematic;
use interplay_semantics::Instance;
use interplay_services::{
    BlackBox, Compared, Config, Connect, Driver, Driving, External, Findings, Merge, ModelService, Outcome, Problem,
    Service, estimate, observables, replay, search, search_states,
};
use interplay_temporal::{Monitor, Monitors};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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

/// The world around a search.
pub struct SystematicHost<'h> {
    /// Time since some moment.
    pub now: &'h (dyn Fn() -> Duration + Sync),
    pub interrupted: &'h AtomicBool,
    /// Told how many runs are expected, before the first.
    pub expected: &'h (dyn Fn(f64) + Sync),
    /// Told the number of runs now and then.
    pub progress: &'h (dyn Fn(u64) + Sync),
}

/// Events per run, if nobody says anything else.
const DEPTH: u64 = 10;
/// Runs to estimate the number of runs by.
const PROBES: u32 = 64;

pub fn systematic(
    context: &Context,
    request: &SystematicRequest,
    host: &SystematicHost<'_>,
) -> Result<Systematic, Refusal> {
    let prepared = Prepared::new(context, request)?;
    let (started, round_trips) = ((host.now)(), AtomicU64::new(0));
    let estimate = match request.replay {
        Some(_) => None,
        None => prepared.estimate(request),
    };
    (host.expected)(estimate.unwrap_or(1.0));
    let end = request.timeout.map(|timeout| started + timeout);
    let deadline = || end.is_some_and(|end| (host.now)() >= end);
    let config = Config {
        deadline: &deadline,
        interrupted: host.interrupted,
        progress: host.progress,
        ..prepared.config(request, request.driver, prepared.depth)
    };
    let outcome = prepared.search(request, &config, &round_trips);
    let seconds = ((host.now)() - started).as_secs_f64();
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
        let mut properties = properties(&model, request)?;
        let broken = |error: interplay_semantics::ModelError| Refusal::Specification(Box::new(error.diagnostic()));
        let instance = Instance::new(model.clone(), setup).map_err(broken)?;
        let mut monitors = Monitors::new(&instance, Some(&properties));
        if let Some((name, span, refusal)) = monitors.refused.first() {
            return Err(Refusal::Request(format!(
                "`{name}` cannot be judged: {}",
                refusal.diagnostic(name, *span).message
            )));
        }
        let depth = request.depth.or_else(|| instance.setup().and_then(|setup| setup.depth)).unwrap_or(DEPTH);
        let mut remarks: Vec<String> = remark.into_iter().collect();
        let unseen = unseen(&monitors, request);
        if let (Some((name, why)), false) = (unseen.first(), request.all_properties) {
            return Err(Refusal::Request(format!("`{name}` cannot be judged: {why}")));
        }
        if !unseen.is_empty() {
            properties.retain(|name| !unseen.iter().any(|(other, _)| other == name));
            monitors = Monitors::new(&instance, Some(&properties));
            remarks.extend(unseen.iter().map(|(name, why)| format!("`{name}` is not judged: {why}")));
        }
        if properties.is_empty() && !(model.properties.is_empty() && model.observers.is_empty()) {
            let note = "no property is judged: name some with --property, or ask for --all-properties";
            remarks.push(note.into());
        }
        if request.sut.is_some() && overwrite == 0 && !model.nodes.is_empty() {
            remarks.push("no input is corrected: `--overwrite 1` corrects one per visit of a node".into());
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
    let chosen = choose_setup(model, name).map_err(Refusal::Request)?;
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
        monitor if monitor.is_timed() => Some("it speaks of time, which passes only in a real run"),
        monitor if black_box && monitor.reads_state() => {
            Some("it speaks of the state of the system, which a black box does not show")
        }
        _ => None,
    };
    monitors.monitors.iter().filter_map(|monitor| Some((monitor.name.clone(), needs(monitor)?))).collect()
}

fn properties(model: &Model, request: &SystematicRequest) -> Result<Vec<String>, Refusal> {
    let observers = model.observers.iter().map(|each| each.name.as_str());
    let names: Vec<&str> = observers.chain(model.properties.iter().map(|each| each.name.as_str())).collect();
    if request.all_properties {
        return Ok(names.into_iter().map(String::from).collect());
    }
    let Some(unknown) = request.properties.iter().find(|name| !names.contains(&name.as_str())) else {
        return Ok(request.properties.clone());
    };
    let help = did_you_mean(unknown, names.iter().copied()).unwrap_or_else(|| match &names[..] {
        [] => "the specification declares none".into(),
        names => format!("there are: {}", names.join(", ")),
    });
    Err(Refusal::Request(format!("there is no property or observer `{unknown}`\nhelp: {help}")))
}
