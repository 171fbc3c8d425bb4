//! One question, asked of everybody who may know: the solver's engines, and the exploration of all states.

use super::{Request, without_end};
use crate::Host;
use crate::explore::walk::walk;
use interplay_answers::{Answer, Attempt, Evidence, ProofFile, Proved, Verdict};
use interplay_explore::{
    Config, FindingKind, Findings, Interpreted, Outcome, Stop, System, Trace, Verdict as Judged, explore,
};
use interplay_model::{ConstantId, Model};
use interplay_prove::{
    Aim, Certificate, Confirmation, Engine as Solving, Obligation, Property, Verdict as Found, confirm, independent,
    never_wrong, prove,
};
use interplay_semantics::{Instance, Label, ModelError, State, show_name, show_value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The exploration gives up at so many states: the solver is the one for more.
const MOST_STATES: u64 = 300_000;
const LOOK: Duration = Duration::from_millis(10);
/// So long mistakes are looked for that need integers of 64 bits.
const WITH_SIXTY_FOUR_BITS: Duration = Duration::from_secs(10);
/// So long another solver may look at one proof.
const MOST_CONFIRMING: Duration = Duration::from_secs(10);

/// What a question is about.
pub(super) enum About<'a> {
    /// What is looked for is there.
    Property(&'a str),
    /// What watches goes wrong itself.
    Own(&'a str),
    /// The start or a step goes wrong.
    Wrong,
}

pub(super) struct Run<'r> {
    pub(super) instance: &'r Instance,
    request: &'r Request,
    host: &'r dyn Host,
    program: Option<&'r PathBuf>,
    /// Another solver, which confirms what the first one says.
    other: Option<PathBuf>,
}

/// What was looked for was found or excluded.
struct Decided {
    happens: bool,
    engine: &'static str,
    evidence: Evidence,
    files: Vec<ProofFile>,
}

/// For one question: how long, and who is asked.
#[derive(Clone)]
struct Limits {
    budget: Duration,
    solving: Vec<Solving>,
}

impl<'r> Run<'r> {
    pub(super) fn new(
        instance: &'r Instance,
        request: &'r Request,
        host: &'r dyn Host,
        program: Option<&'r PathBuf>,
    ) -> Run<'r> {
        Run { instance, request, host, program, other: independent() }
    }

    /// How the solver is asked, if there is one.
    pub(super) fn config(&self) -> Option<interplay_prove::Config> {
        self.config_for(&self.usual())
    }

    fn usual(&self) -> Limits {
        Limits { budget: self.request.budget, solving: self.request.solving.clone() }
    }

    /// Can it go wrong? First with the 64 bits of integers, for a short time; a counter without a bound needs more steps to get
    /// there than anybody can look at. Then without, and the answer says so.
    pub(super) fn goes_wrong(&self, property: &Property, about: &About) -> Proved {
        let short = Limits { budget: self.request.budget.min(WITH_SIXTY_FOUR_BITS), ..self.with_bounded() };
        let (exact, overflows) = self.ask(property, about, &short);
        if exact.answer != Answer::Unknown || self.program.is_none() {
            return exact;
        }
        if !overflows {
            return self.ask(property, about, &self.usual()).0;
        }
        let (mut endless, _) = self.ask(&property.clone().with_endless_integers(), about, &self.usual());
        endless.seconds += exact.seconds;
        if endless.answer == Answer::Holds {
            endless.condition = Some("while integers stay within 64 bits");
        }
        endless
    }

    /// Whoever asks finds the same mistakes.
    fn with_bounded(&self) -> Limits {
        let mut limits = self.usual();
        if !limits.solving.is_empty() && !limits.solving.contains(&Solving::Bounded) {
            limits.solving.push(Solving::Bounded);
        }
        limits
    }

    /// Engines that only prove find no violation; where something goes wrong it is looked for by the one that does.
    pub(super) fn violated(&self, property: &Property, main: Proved) -> Proved {
        if self.with_bounded().solving == self.request.solving {
            return main;
        }
        let again = self.ask(property, &About::Property(&property.name), &self.with_bounded()).0;
        Proved { seconds: main.seconds + again.seconds, ..again }
    }

    fn config_for(&self, limits: &Limits) -> Option<interplay_prove::Config> {
        Some(interplay_prove::Config {
            budget: limits.budget,
            engines: limits.solving.clone(),
            program: self.program?.clone(),
            stop: Arc::default(),
            interrupted: Arc::default(),
        })
    }

    /// The start itself goes wrong.
    pub(super) fn wrong_start(&self, error: &ModelError) -> Proved {
        let way = Trace { start: State::blank(self.instance.model()), steps: Vec::new() };
        Proved {
            name: never_wrong().name,
            verdict: Verdict::Fail,
            answer: Answer::Violated,
            engine: Some("start"),
            evidence: evidence(self.instance, &never_wrong(), &way, Vec::new(), Some(error)),
            progress: Vec::new(),
            files: Vec::new(),
            condition: None,
            seconds: 0.0,
        }
    }

    /// The first answer that somebody has.
    pub(super) fn answer(&self, property: &Property, about: &About) -> Proved {
        self.ask(property, about, &self.usual()).0
    }

    /// The answer, and whether integers of 64 bits may not suffice.
    fn ask(&self, property: &Property, about: &About, limits: &Limits) -> (Proved, bool) {
        let started = self.host.now();
        let (solved, explored) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let interrupted = Arc::new(AtomicBool::new(false));
        let (mut known, mut progress, mut overflows) = (None, Vec::new(), false);
        std::thread::scope(|scope| {
            let solving = self.config_for(limits).map(|config| {
                let (stop, interrupted) = (solved.clone(), interrupted.clone());
                let config = interplay_prove::Config { stop, interrupted, ..config };
                scope.spawn(move || prove(self.instance, property, &config))
            });
            let exploring = self.request.exploring.then(|| scope.spawn(|| self.explore(property, about, &explored)));
            let (mut solving, mut exploring) = (solving, exploring);
            while solving.is_some() || exploring.is_some() {
                if let Some(outcome) = finished(&mut solving) {
                    overflows = outcome.overflows;
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
                let over = self.host.now() - started >= limits.budget;
                let user = self.host.is_stopped();
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
        let seconds = (self.host.now() - started).as_secs_f64();
        let (engine, evidence, files) =
            known.map_or((None, Evidence::None, Vec::new()), |known| (Some(known.engine), known.evidence, known.files));
        let name = property.name.clone();
        (Proved { name, verdict, answer, engine, evidence, progress, files, condition: None, seconds }, overflows)
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
                    files: Vec::new(),
                    evidence: evidence(&found.instance, property, &way, constants, found.error.as_ref()),
                })
            }
            Found::Unreachable(certificate) => match self.confirmed(&certificate) {
                Ok(solvers) => {
                    let Certificate { invariant: conjuncts, steps, obligations } = certificate;
                    let file = |each: Obligation| ProofFile {
                        name: each.name.into(),
                        about: each.about.into(),
                        text: each.text,
                    };
                    let files = obligations.into_iter().map(file).collect();
                    let evidence = Evidence::Invariant { conjuncts, steps, solvers };
                    Some(Decided { happens: false, engine, evidence, files })
                }
                Err(text) => {
                    far.push(Attempt { engine, text, span: None });
                    None
                }
            },
            Found::Unknown => None,
            Found::Unsupported(unsupported) => {
                far.push(Attempt { engine: "solver", text: unsupported.message, span: Some(unsupported.span) });
                None
            }
        };
        (known, far)
    }

    /// The programs that agree about a proof; an error if they do not.
    fn confirmed(&self, certificate: &Certificate) -> Result<Vec<&'static str>, String> {
        let Some(other) = &self.other else { return Ok(vec!["z3"]) };
        match confirm(&certificate.obligations, other, self.request.budget.min(MOST_CONFIRMING)) {
            Confirmation::Confirmed => Ok(vec!["z3", "cvc5"]),
            Confirmation::Open(why) => {
                log::debug!("not confirmed: {why}");
                Ok(vec!["z3"])
            }
            Confirmation::Contradicted(which) => Err(format!("z3 and cvc5 contradict each other about {which}")),
        }
    }

    /// All states, if there are not too many.
    fn explore(&self, property: &Property, about: &About, stop: &AtomicBool) -> Result<Decided, String> {
        self.is_finite_at_the_start()?;
        let wrong = matches!(about, About::Wrong);
        let chosen = match about {
            About::Property(name) | About::Own(name) => vec![name.to_string()],
            About::Wrong => Vec::new(),
        };
        let formula = self.instance.model().properties.iter().any(|declared| chosen.contains(&declared.name));
        // As `explore` does: in each state, or beside the system if one state does not decide it.
        let mut system = Interpreted::new(self.instance.clone(), Some(&chosen));
        if formula && !system.unjudged().is_empty() {
            system = Interpreted::watching(self.instance.clone(), &chosen);
        }
        let findings = Findings::Continue;
        let config = Config { states: Some(MOST_STATES), interrupted: stop, findings, ..Config::default() };
        let outcome = explore(&system, &config);
        let found = outcome.findings.iter().find(|finding| match &finding.kind {
            FindingKind::Error(error) => match about {
                About::Wrong => !without_end(error.code),
                About::Own(_) => !without_end(error.code) && !self.is_a_step(finding.trace.as_ref(), error),
                About::Property(_) => false,
            },
            FindingKind::Violated(_) | FindingKind::Satisfied(_) => matches!(about, About::Property(_)),
            FindingKind::Deadlock => false,
        });
        if let Some(finding) = found
            && let Some(way) = finding.trace.clone().or_else(|| self.only_the_start())
        {
            let error = match &finding.kind {
                FindingKind::Error(error) => Some(error),
                _ => None,
            };
            let evidence = evidence(self.instance, property, &way, Vec::new(), error);
            return Ok(Decided { happens: true, engine: "explicit", evidence, files: Vec::new() });
        }
        exhausted(&outcome, chosen.first().map(String::as_str), wrong, self.instance.is_driven())
    }

    /// What cannot be judged at the start has no way to it.
    fn only_the_start(&self) -> Option<Trace<State, Label>> {
        let start = self.instance.initial().ok()?.into_iter().next()?;
        Some(Trace { start, steps: Vec::new() })
    }

    /// The step goes wrong, and not only who watches it.
    fn is_a_step(&self, way: Option<&Trace<State, Label>>, error: &ModelError) -> bool {
        let Some(way) = way else { return false };
        let end = way.steps.last().map_or(&way.start, |(_, state)| state);
        let mut errors = self.instance.transitions(end).into_iter().filter_map(Result::err);
        errors.any(|other| (other.code, other.span) == (error.code, error.span))
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

fn exhausted(
    outcome: &Outcome<State, Label>,
    judged: Option<&str>,
    wrong: bool,
    driven: bool,
) -> Result<Decided, String> {
    let error = outcome.findings.iter().find_map(|finding| match &finding.kind {
        FindingKind::Error(error) => Some(error),
        _ => None,
    });
    if let Some(error) = error {
        return Err(error.message.clone());
    }
    match (outcome.stop, judged.and_then(|name| outcome.verdict(name))) {
        (Stop::Exhausted, Some(Judged::NotJudged(reason))) => Err(reason.clone()),
        (Stop::Exhausted, None) if !wrong => Err("it cannot be checked state by state".into()),
        (Stop::Exhausted, _) => {
            let evidence = Evidence::Exhausted { states: outcome.states, driven };
            Ok(Decided { happens: false, engine: "explicit", evidence, files: Vec::new() })
        }
        _ => Err(format!("{} states, not finished", outcome.states)),
    }
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
    let walk = walk(instance, way, &name, error);
    Evidence::Trace { walk, constants, error: error.map(|error| Box::new(error.diagnostic())) }
}

fn constant_line(model: &Model, id: ConstantId, value: &interplay_semantics::Value) -> String {
    let constant = &model.constants[id.0];
    format!("const {} = {}", show_name(&constant.name), show_value(model, &constant.ty, value))
}
