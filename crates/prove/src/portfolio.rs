//! All engines side by side, under one time limit.

use crate::doubt::refuted;
use crate::engines::{
    Found, Obligation, Told, Way, begins, bits, bounded, certify, horn, induction, is_a_way, obligations, shrink,
};
use crate::show::show;
use crate::witness::{NoRun, Trace, replay};
use interplay_diagnostics::amount;
use interplay_encode::Property;
use interplay_encode::{Layout, Param, System, Unsupported};
use interplay_semantics::Instance;
use interplay_smt::{Answer, Interrupt, Listener, Missing, Problem, Solver, Term, locate};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What the solver shares is written out here; an invariant with more parts than this would take too long.
const MOST_SIZE: u64 = 100_000;

/// That an integer has 64 bits is no news.
const SIXTY_FOUR: &str = "922337203685477580";

/// How to look for an answer.
#[derive(Clone, Debug)]
pub struct Config {
    /// For one property.
    pub budget: Duration,
    pub engines: Vec<Engine>,
    /// The solver: see [`solver`].
    pub program: PathBuf,
    /// Somebody else knows the answer.
    pub stop: Arc<AtomicBool>,
    /// The user has had enough.
    pub interrupted: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    Bounded,
    Induction,
    Horn,
    /// IC3 over bits.
    Bits,
}

impl Engine {
    pub const ALL: [Engine; 4] = [Engine::Bounded, Engine::Induction, Engine::Horn, Engine::Bits];

    pub fn word(self) -> &'static str {
        match self {
            Engine::Bounded => "bounded",
            Engine::Induction => "induction",
            Engine::Horn => "pdr",
            Engine::Bits => "bits",
        }
    }
}

/// An answer and how it was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// Who knew it.
    pub by: Option<Engine>,
    /// How far each engine came.
    pub progress: Vec<Progress>,
    /// Something may need more than 64 bits, as far as the text says.
    pub overflows: bool,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    /// It can happen.
    Reachable(Box<Trace>),
    /// It never happens.
    Unreachable(Certificate),
    Unknown,
    /// The solver cannot be told the model.
    Unsupported(Unsupported),
}

/// An inductive invariant, looked at again by a fresh solver.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// Conjuncts, in specification syntax.
    pub invariant: Vec<String>,
    /// Over how many steps the induction goes; 1 is plain induction.
    pub steps: usize,
    /// The questions that anybody can ask any solver again: see [`crate::confirm`].
    pub obligations: Vec<Obligation>,
}

#[derive(Clone, Debug)]
pub struct Progress {
    pub engine: Engine,
    /// In words.
    pub text: String,
}

/// Where the solver is.
pub fn solver() -> Result<PathBuf, Missing> {
    locate()
}

/// Looks for an answer until the time is over.
pub fn prove(instance: &Instance, property: &Property, config: &Config) -> Outcome {
    let started = Instant::now();
    let system = match encode(instance, property, config) {
        Ok(system) => system,
        Err(unsupported) => {
            let seconds = started.elapsed().as_secs_f64();
            let verdict = Verdict::Unsupported(unsupported);
            return Outcome { verdict, by: None, progress: Vec::new(), overflows: true, seconds };
        }
    };
    let (verdict, by, progress) = race(instance, property, &system, config, started + config.budget);
    let overflows = system.layout.overflows.load(Ordering::Relaxed);
    Outcome { verdict, by, progress, overflows, seconds: started.elapsed().as_secs_f64() }
}

/// Whether there is an initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    Somewhere,
    Nowhere,
    Unknown,
}

/// Asks the solver for an initial state, whatever the constants are that have no value.
pub fn starts(instance: &Instance, config: &Config) -> Started {
    let asked = |system: &System| -> Result<Answer, Problem> {
        let interrupt = interrupt(config, Instant::now() + config.budget, &config.stop);
        let mut solver = Solver::start(&config.program, &interrupt)?;
        begins(system, &mut solver);
        solver.check()
    };
    match encode(instance, &interplay_encode::anywhere(), config).map(|system| asked(&system)) {
        Ok(Ok(Answer::Sat)) => Started::Somewhere,
        Ok(Ok(Answer::Unsat)) => Started::Nowhere,
        _ => Started::Unknown,
    }
}

pub(crate) fn encode(instance: &Instance, property: &Property, config: &Config) -> Result<System, Unsupported> {
    let interrupt = interrupt(config, Instant::now() + config.budget, &config.stop);
    System::new(instance, &property.watch, property.endless, &|layout, params, term| {
        eliminate(layout, params, term, config, &interrupt)
    })
}

fn interrupt(config: &Config, deadline: Instant, stop: &Arc<AtomicBool>) -> Interrupt {
    Interrupt { deadline, stop: stop.clone(), user: config.interrupted.clone() }
}

/// What an engine has to say.
enum Message {
    Knows(Engine, Verdict),
    Ends(Engine, String),
}

type Raced = (Verdict, Option<Engine>, Vec<Progress>);

fn race(instance: &Instance, property: &Property, system: &System, config: &Config, deadline: Instant) -> Raced {
    let done = Arc::new(AtomicBool::new(false));
    let stop = interrupt(config, deadline, &config.stop);
    let depths: Vec<AtomicU64> = Engine::ALL.iter().map(|_| AtomicU64::new(0)).collect();
    let (send, messages) = channel();
    let mut progress = Vec::new();
    let mut answer = (Verdict::Unknown, None);
    std::thread::scope(|scope| {
        for engine in &config.engines {
            let (send, done, depth) = (send.clone(), done.clone(), &depths[*engine as usize]);
            let task = Task {
                instance,
                property,
                system,
                program: &config.program,
                interrupt: interrupt(config, deadline, &done),
                deadline: interrupt(config, deadline, &config.stop),
                depth,
            };
            scope.spawn(move || task.run(*engine, &send));
        }
        drop(send);
        let mut open = config.engines.len();
        while open > 0 {
            match messages.recv_timeout(Duration::from_millis(20)) {
                Ok(Message::Knows(engine, verdict)) => {
                    open -= 1;
                    log::debug!("{engine:?} has an answer to `{}`", property.name);
                    if answer.1.is_none() {
                        answer = (verdict, Some(engine));
                        done.store(true, Ordering::Relaxed);
                    }
                }
                Ok(Message::Ends(engine, text)) => {
                    open -= 1;
                    log::debug!("{engine:?} ends: {text}");
                    progress.push(Progress { engine, text });
                }
                // An engine broke down; the scope tells how.
                Err(RecvTimeoutError::Disconnected) => break,
                Err(_) if stop.is_due() => done.store(true, Ordering::Relaxed),
                Err(_) => {}
            }
        }
    });
    progress.sort_by_key(|each| each.engine);
    (answer.0, answer.1, progress)
}

struct Task<'t> {
    instance: &'t Instance,
    property: &'t Property,
    system: &'t System,
    program: &'t Path,
    /// Ends when another engine knows the answer.
    interrupt: Interrupt,
    /// Ends only when the time is over: for the certificate.
    deadline: Interrupt,
    depth: &'t AtomicU64,
}

impl Task<'_> {
    fn run(&self, engine: Engine, send: &Sender<Message>) {
        let found = match engine {
            Engine::Bounded => self.bounded(),
            Engine::Induction => self.induction(),
            Engine::Horn => self.horn(),
            Engine::Bits => self.bits(),
        };
        // Nobody listens only if the race is over.
        let _ = send.send(match found {
            Ok(Ok(verdict)) => Message::Knows(engine, verdict),
            Ok(Err(text)) => Message::Ends(engine, text),
            Err(Problem::Stopped) => Message::Ends(engine, self.how_far(engine)),
            Err(Problem::Failed(why)) => Message::Ends(engine, format!("{}; {why}", self.how_far(engine))),
        });
    }

    fn how_far(&self, engine: Engine) -> String {
        let depth = self.depth.load(Ordering::Relaxed);
        match (engine, depth) {
            (Engine::Bounded, 0) => "nothing yet".into(),
            (Engine::Bounded, depth) => format!("no counterexample of up to {}", amount(depth - 1, "step")),
            (Engine::Induction, 0) => "still searching for invariants".into(),
            (Engine::Induction, depth) => format!("{depth}-induction was tried"),
            (Engine::Horn | Engine::Bits, _) => "no invariant yet".into(),
        }
    }

    fn bounded(&self) -> Result<Result<Verdict, String>, Problem> {
        let way: Way = bounded(self.system, self.program, &self.interrupt, self.depth)?;
        Ok(self.replayed(way))
    }

    fn bits(&self) -> Result<Result<Verdict, String>, Problem> {
        match bits(self.system, &self.interrupt)? {
            Told::Invariant(invariant) => self.confirmed(invariant, 0),
            Told::Way(way) => Ok(self.replayed(way)),
            Told::Refused(why) => Ok(Err(why)),
        }
    }

    /// Only what the interpreter does, too, is a way.
    fn replayed(&self, way: Way) -> Result<Verdict, String> {
        let steps = way.steps.len();
        let why = match replay(self.instance, &self.property.watch, self.system, &way) {
            Ok(trace) => return Ok(Verdict::Reachable(Box::new(trace))),
            Err(NoRun::Endless(why)) => why,
            Err(NoRun::Refused(why)) => {
                // Not the solver's mistake: the system that it was told is not the one that the interpreter runs.
                let ours = self.property.is_exact() && is_a_way(self.system, &way) == Some(true);
                let name = &self.property.name;
                assert!(!ours, "the trace of {steps} steps for `{name}` cannot be replayed: {why}");
                why
            }
        };
        Err(format!("the solver's trace of {} cannot be replayed: {why}", amount(steps, "step")))
    }

    fn induction(&self) -> Result<Result<Verdict, String>, Problem> {
        let found = induction(self.system, self.program, &self.interrupt, self.depth)?;
        let Some((invariant, steps)) = found else { return Ok(Err(self.how_far(Engine::Induction))) };
        self.confirmed(invariant, steps)
    }

    fn horn(&self) -> Result<Result<Verdict, String>, Problem> {
        match horn(self.system, self.program, &self.interrupt)? {
            Found::Invariant(invariant) if invariant.size() > MOST_SIZE => {
                Ok(Err("an invariant was found, but it is too large to check".into()))
            }
            Found::Invariant(invariant) => {
                let invariant = self.plain(invariant);
                let conjuncts = match invariant.call() {
                    Some(("and", parts)) => parts.to_vec(),
                    _ => vec![invariant],
                };
                self.confirmed(conjuncts, 0)
            }
            Found::Reachable => Ok(Err("reachable, but PDR gives no trace".into())),
            Found::Unknown => Ok(Err("the solver gave up".into())),
            Found::Untold(why) => Ok(Err(why)),
        }
    }

    /// Without quantifiers, if the solver can do without.
    fn plain(&self, invariant: Term) -> Term {
        let quantified = ["exists", "forall"].iter().any(|word| invariant.mentions(word));
        let asked = quantified.then(|| Solver::start(self.program, &self.deadline).ok()).flatten();
        asked.and_then(|solver| simplified(&self.system.layout, solver, &invariant.to_string())).unwrap_or(invariant)
    }

    /// Only what a fresh solver confirms is a proof.
    fn confirmed(&self, invariant: Vec<Term>, steps: usize) -> Result<Result<Verdict, String>, Problem> {
        let invariant = match steps {
            0 => shrink(self.system, invariant, self.program, &self.deadline)?,
            _ => invariant,
        };
        let obligations = obligations(self.system, &invariant, steps);
        if !certify(self.system, &obligations, self.program, &self.deadline)? {
            return Ok(Err("an invariant was found, but could not be confirmed".into()));
        }
        // What the interpreter reaches in a short time must not speak against it.
        if let Some(why) = refuted(self.instance, &self.property.watch, self.system, &invariant) {
            let ours = self.property.is_exact() && is_honest(self.program, &self.deadline);
            let name = &self.property.name;
            assert!(!ours, "the proof of `{name}` is refuted by the interpreter: {why}");
            return Ok(Err(format!("the solver's answer is refuted: {why}")));
        }
        // That it has not gone wrong yet is the question, not the reason.
        let telling = |text: &String| text != "true" && text != "not gone_wrong" && !text.contains(SIXTY_FOUR);
        let invariant = invariant.iter().map(|term| show(&self.system.layout, term)).filter(telling).collect();
        Ok(Ok(Verdict::Unreachable(Certificate { invariant, steps: steps.max(1), obligations })))
    }
}

/// It answers questions whose answers are known. Then a proof that a run refutes is a mistake of what it was told, which is ours.
fn is_honest(program: &Path, interrupt: &Interrupt) -> bool {
    let small = "(declare-const x Int) (assert (< 2 x)) (assert (< x";
    let questions = [(" 4))", Answer::Sat), (" 3))", Answer::Unsat)];
    questions.iter().all(|(end, known)| {
        let Ok(mut solver) = Solver::start(program, interrupt) else { return false };
        solver.say(format!("{small}{end}"));
        solver.check().is_ok_and(|said| said == *known)
    })
}

/// Removes a quantifier with the solver's help.
fn eliminate(layout: &Layout, params: &[Param], term: &Term, config: &Config, interrupt: &Interrupt) -> Option<Term> {
    let solver = Solver::start(&config.program, interrupt).ok()?;
    let bound: Vec<String> = params.iter().map(|param| format!("({} {})", param.name, param.sort)).collect();
    let result = simplified(layout, solver, &format!("(exists ({}) {term})", bound.join(" ")))?;
    params.iter().all(|param| !result.mentions(&param.name)).then_some(result)
}

/// A formula over the leaves of the state, without quantifiers.
fn simplified(layout: &Layout, mut solver: Solver, formula: &str) -> Option<Term> {
    for leaf in &layout.leaves {
        solver.say(format!("(declare-const {} {})", leaf.name, leaf.sort));
    }
    solver.say(format!("(assert {formula})"));
    let answer = solver.ask("(apply (then simplify qe2 simplify) :print_dependencies false)").ok()?;
    let [_, goal] = answer.items() else { return None };
    let formulas =
        goal.items().iter().skip(1).take_while(|item| item.as_atom().is_none_or(|text| !text.starts_with(':')));
    let expanded = formulas.map(|formula| crate::engines::expand(formula, &Default::default()));
    let result = Term::and(expanded);
    let quantified = ["exists", "forall", "!"].iter().any(|word| result.mentions(word));
    (!quantified).then_some(result)
}
