//! Properties proved or broken: the solver's engines and the exploration of all states look side by side, and the first
//! that knows ends the others.

use crate::explore::{Host, Refusal, known_properties, says_what_happens, walk};
use crate::{Context, choose_setup};
use interplay_diagnostics::Code;
use interplay_explore::{Config, FindingKind, Findings, Interpreted, Outcome, Stop, Trace, Verdict as Known, explore};
use interplay_model::{ConstantId, Model};
pub use interplay_prove::Engine as Solving;
use interplay_prove::{Aim, INSTALL, Missing, Property, Verdict as Found, never_wrong, properties, prove, solver};
use interplay_report::{Answer, Attempt, Evidence, Proved, Verdict, Verified};
use interplay_semantics::{Instance, Label, ModelError, State, show_name, show_value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The exploration gives up at so many states: the solver is the one for more.
const MOST_STATES: u64 = 300_000;
const LOOK: Duration = Duration::from_millis(10);

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct Verification {
    /// By the rule for all commands. Without a setup no input is restricted, and constants without a value are symbolic.
    pub setup: Option<String>,
    /// By name; otherwise all, and whether the model can go wrong.
    pub properties: Option<Vec<String>>,
    /// For each property.
    pub budget: Duration,
    pub solving: Vec<Solving>,
    /// Visit all states, too.
    pub exploring: bool,
}

pub fn verify(context: &Context, request: &Verification, host: &Host<'_>) -> Result<Verified, Refusal> {
    let model = &context.model;
    let setup = choose_setup(model, request.setup.as_deref()).map_err(Refusal::Request)?;
    known_properties(model, request.properties.as_deref().unwrap_or_default()).map_err(Refusal::Request)?;
    let broken = |error: ModelError| Refusal::Specification(Box::new(error.diagnostic()));
    let instance = Instance::new(model.clone(), setup.id(model)).map_err(broken)?;
    says_what_happens(&instance)?;
    let started = (host.now)();
    let program = if request.solving.is_empty() { Err(Missing(String::new())) } else { solver() };
    let run = Run { instance: &instance, request, host, program: program.as_ref().ok() };
    let asked = properties(&Arc::new(instance.clone()), request.properties.as_deref());
    let mut proved: Vec<Proved> = asked.iter().map(|property| run.property(property)).collect();
    if request.properties.is_none() {
        let wrong = run.property(&never_wrong());
        if wrong.answer == Answer::Violated {
            proved.iter_mut().for_each(weaken);
        }
        proved.push(Proved { optional: true, ..wrong });
    }
    let missing = match &program {
        Err(Missing(why)) if !request.solving.is_empty() => Some(format!("{why}\nhelp: {INSTALL}")),
        _ => None,
    };
    Ok(Verified {
        system: model.name.clone(),
        setup: setup.name,
        properties: proved,
        symbolic: symbolic(model, &instance),
        missing,
        seconds: ((host.now)() - started).as_secs_f64(),
    })
}

fn symbolic(model: &Model, instance: &Instance) -> Vec<String> {
    let constants = model.constants.iter().enumerate();
    let open = constants.filter(|(index, _)| instance.constant(ConstantId(*index)).is_err());
    open.map(|(_, constant)| show_name(&constant.name)).collect()
}

/// Where the model goes wrong nothing follows, so that a proof says less than it seems.
fn weaken(proved: &mut Proved) {
    if matches!(proved.answer, Answer::Holds | Answer::Impossible) {
        let text = format!("{} as far as the model does not go wrong", proved.answer.word());
        proved.progress = vec![Attempt { engine: proved.engine.unwrap_or("proof"), text, span: None }];
        (proved.answer, proved.verdict, proved.evidence) = (Answer::Unknown, Verdict::Inconclusive, Evidence::None);
    }
}

struct Run<'r> {
    instance: &'r Instance,
    request: &'r Verification,
    host: &'r Host<'r>,
    program: Option<&'r PathBuf>,
}

/// What was looked for was found or excluded.
struct Decided {
    happens: bool,
    engine: &'static str,
    evidence: Evidence,
}

impl Run<'_> {
    fn property(&self, property: &Property) -> Proved {
        let started = (self.host.now)();
        let (solved, explored) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let interrupted = Arc::new(AtomicBool::new(false));
        let (mut known, mut progress) = (None, Vec::new());
        std::thread::scope(|scope| {
            let solving = self.program.map(|program| {
                let config = interplay_prove::Config {
                    budget: self.request.budget,
                    engines: self.request.solving.clone(),
                    program: program.clone(),
                    stop: solved.clone(),
                    interrupted: interrupted.clone(),
                };
                scope.spawn(move || prove(self.instance, property, &config))
            });
            let exploring = self.request.exploring.then(|| scope.spawn(|| self.explore(property, &explored)));
            let (mut solving, mut exploring) = (solving, exploring);
            while solving.is_some() || exploring.is_some() {
                if let Some(outcome) = finished(&mut solving) {
                    let (found, far) = self.solved(property, outcome);
                    progress.extend(far);
                    known = known.take().or(found);
                }
                if let Some(outcome) = finished(&mut exploring) {
                    match outcome {
                        Ok(found) => known = known.take().or(Some(found)),
                        Err(why) => progress.push(Attempt { engine: "explicit", text: why, span: None }),
                    }
                }
                let over = (self.host.now)() - started >= self.request.budget;
                let user = self.host.interrupted.load(Ordering::Relaxed);
                if known.is_some() || user {
                    solved.store(true, Ordering::Relaxed);
                }
                if known.is_some() || user || over {
                    explored.store(true, Ordering::Relaxed);
                }
                interrupted.store(user, Ordering::Relaxed);
                std::thread::sleep(LOOK);
            }
        });
        // Who ends first is chance; the order in which they are told is not.
        progress.sort_by_key(|attempt: &Attempt| attempt.engine == "explicit");
        let (answer, verdict) = match (&known, property.aim) {
            (None, _) => (Answer::Unknown, Verdict::Inconclusive),
            (Some(Decided { happens: true, .. }), Aim::Never) => (Answer::Violated, Verdict::Fail),
            (Some(Decided { happens: true, .. }), Aim::Possible) => (Answer::Possible, Verdict::Pass),
            (Some(_), Aim::Never) => (Answer::Holds, Verdict::Pass),
            (Some(_), Aim::Possible) => (Answer::Impossible, Verdict::Fail),
        };
        let seconds = ((self.host.now)() - started).as_secs_f64();
        let (engine, evidence) = known.map_or((None, Evidence::None), |known| (Some(known.engine), known.evidence));
        let name = property.name.clone();
        Proved { name, verdict, answer, engine, evidence, progress, optional: false, seconds }
    }

    fn solved(&self, property: &Property, outcome: interplay_prove::Outcome) -> (Option<Decided>, Vec<Attempt>) {
        let far = outcome.progress.into_iter().map(|each| Attempt {
            engine: each.engine.word(),
            text: each.text,
            span: None,
        });
        let mut far: Vec<Attempt> = far.collect();
        let engine = outcome.by.map_or("solver", Solving::word);
        let known = match outcome.verdict {
            Found::Reachable(found) => {
                let way = Trace { start: found.start.clone(), steps: found.steps.clone() };
                let constants =
                    found.constants.iter().map(|(id, value)| constant_line(self.instance.model(), *id, value));
                let constants = constants.collect();
                Some(Decided {
                    happens: true,
                    engine,
                    evidence: evidence(&found.instance, property, &way, constants, found.error.as_ref()),
                })
            }
            Found::Unreachable(certificate) => {
                let evidence = Evidence::Invariant { conjuncts: certificate.invariant, steps: certificate.steps };
                Some(Decided { happens: false, engine, evidence })
            }
            Found::Unknown => None,
            Found::Unsupported(unsupported) => {
                far.push(Attempt { engine: "solver", text: unsupported.message, span: Some(unsupported.span) });
                None
            }
        };
        (known, far)
    }

    /// All states, if there are not too many.
    fn explore(&self, property: &Property, stop: &AtomicBool) -> Result<Decided, String> {
        self.is_finite_at_the_start()?;
        let wrong = property.name == never_wrong().name;
        let chosen = if wrong { Vec::new() } else { vec![property.name.clone()] };
        let formula = self.instance.model().properties.iter().any(|declared| declared.name == property.name);
        let system = match formula {
            true => Interpreted::watching(self.instance.clone(), &chosen),
            false => Interpreted::new(self.instance.clone(), Some(&chosen)),
        };
        let findings = Findings::Continue;
        let config = Config { states: Some(MOST_STATES), interrupted: stop, findings, ..Config::default() };
        let outcome = explore(&system, &config);
        let found = outcome.findings.iter().find(|finding| match &finding.kind {
            FindingKind::Error(error) => wrong && !without_end(error.code),
            FindingKind::Violated(_) | FindingKind::Satisfied(_) => true,
            FindingKind::Deadlock => false,
        });
        if let Some(finding) = found
            && let Some(way) = &finding.trace
        {
            let error = match &finding.kind {
                FindingKind::Error(error) => Some(error),
                _ => None,
            };
            let evidence = evidence(self.instance, property, way, Vec::new(), error);
            return Ok(Decided { happens: true, engine: "explicit", evidence });
        }
        exhausted(&outcome, property, wrong)
    }
}

impl Run<'_> {
    /// Inputs without end are seen in the first steps already, as a rule; then the search would be in vain.
    fn is_finite_at_the_start(&self) -> Result<(), String> {
        let states = self.instance.initial().map_err(|error| error.message)?;
        let steps = states.iter().flat_map(|state| self.instance.transitions(state));
        match steps.filter_map(Result::err).find(|error| without_end(error.code)) {
            Some(error) => Err(error.message),
            None => Ok(()),
        }
    }
}

fn exhausted(outcome: &Outcome<State, Label>, property: &Property, wrong: bool) -> Result<Decided, String> {
    let error = outcome.findings.iter().find_map(|finding| match &finding.kind {
        FindingKind::Error(error) => Some(error),
        _ => None,
    });
    if let Some(error) = error {
        return Err(error.message.clone());
    }
    let judged = wrong || matches!(outcome.verdict(&property.name), Some(Known::Holds | Known::Impossible));
    match outcome.stop {
        Stop::Exhausted if judged => {
            Ok(Decided { happens: false, engine: "explicit", evidence: Evidence::Exhausted { states: outcome.states } })
        }
        Stop::Exhausted => Err("it cannot be judged state by state".into()),
        _ => Err(format!("{} states, and no end", outcome.states)),
    }
}

/// Not a mistake here: there is no setup that would give values.
fn without_end(code: Code) -> bool {
    matches!(code, Code::M009 | Code::M010)
}

fn finished<T>(running: &mut Option<std::thread::ScopedJoinHandle<'_, T>>) -> Option<T> {
    let done = running.as_ref().is_some_and(std::thread::ScopedJoinHandle::is_finished);
    let handle = if done { running.take() } else { None };
    handle.map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

fn evidence(
    instance: &Instance,
    property: &Property,
    way: &Trace<State, Label>,
    constants: Vec<String>,
    error: Option<&ModelError>,
) -> Evidence {
    let name = match (error, property.aim) {
        (Some(_), _) => "model_error".into(),
        (None, Aim::Never) => format!("breaks_{}", property.name),
        (None, Aim::Possible) => format!("reaches_{}", property.name),
    };
    let walk = walk::walk(instance, way, &name, error);
    Evidence::Trace { walk, constants, error: error.map(|error| Box::new(error.diagnostic())) }
}

fn constant_line(model: &Model, id: ConstantId, value: &interplay_semantics::Value) -> String {
    let constant = &model.constants[id.0];
    format!("const {} = {}", show_name(&constant.name), show_value(model, &constant.ty, value))
}
