//! All states of a specification under a setup: what was found, why it ended, and what that is worth.
//!
//! Compiled code searches, or the interpreter where the engine does not understand the model.
//! Clock, memory, stop and progress are those of the [`Host`]; everything that goes out is plain data.
//! Groupings and renamings may make a trace that cannot be replayed as it stands; then it is searched once more without
//! them, no farther than it is long.

mod apart;
mod coverage;
mod identity;
mod judged;
mod picture;
mod run;
pub(crate) mod walk;

use crate::driven::leaves_a_step;
use crate::{Context, Host, Refusal};
use interplay_answers::{Engine, Explored, Reduction};
use interplay_diagnostics::{Diagnostic, Span};
use interplay_explore::{Compiled, Graph, Interpreted, Memory, Strategy, Symmetry, Unsupported, kept_notes};
use interplay_model::{Arcs, Discipline};
use interplay_semantics::Instance;
pub use picture::picture;
use run::{Run, Searched};
use std::time::Duration;

/// What to explore, and how. What is `None` is left to the setup.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// By name; otherwise all.
    pub properties: Option<Vec<String>>,
    /// The order of the search; it decides which counterexample comes first.
    pub strategy: Strategy,
    /// Counts and verdicts do not depend on it.
    pub threads: usize,
    /// At most so many steps from the start.
    pub depth: Option<u64>,
    /// At most so many states.
    pub states: Option<u64>,
    /// As the host tells time.
    pub timeout: Option<Duration>,
    /// In bytes, for what is searched.
    pub memory: Option<u64>,
    /// Take up what the host keeps; otherwise there must be nothing yet.
    pub resume: bool,
    /// How seen states are remembered: anything but exact makes a *passed* probable only.
    pub visited: Memory,
    /// Count waiting as a step of its own.
    pub timeouts: bool,
    /// What becomes of a step into a state that another one of its group stands for.
    pub arcs: Option<Arcs>,
    /// Merge states that are equal up to renaming.
    pub symmetry: bool,
    /// Postpone steps that can wait.
    pub reduce: bool,
    /// A state without steps where nothing may end is a finding.
    pub deadlocks: bool,
    /// Do not stop at the first finding.
    pub go_on: bool,
    /// Do not compile: for comparing, and for measuring.
    pub interpret: bool,
    /// The graph of so many states, too.
    pub graph: Option<usize>,
}

/// The answer, and the graph if it was asked for.
pub struct Answer {
    /// What was found and what that is worth.
    pub explored: Explored,
    /// What to tell about the choice of the setup.
    pub remark: Option<String>,
    /// With its reason, if a state or step of it goes wrong.
    pub graph: Option<Result<Graph, Box<Diagnostic>>>,
}

/// Of a specification without rules nothing is known but its properties; that they hold where nothing happens would be no answer.
/// The steps of a synchronous system are there without rules, too.
pub(crate) fn says_what_happens(instance: &Instance) -> Result<(), Refusal> {
    let model = instance.model();
    let silent = instance.is_properties_alone() && model.discipline != Discipline::Synchronous;
    if !silent || model.actions.is_empty() {
        return Ok(());
    }
    let help =
        "write rules, or check the properties on an implementation or a log: `interplay test`, `interplay monitor`";
    Err(Refusal::request("the specification has no rules: it does not say what happens", help))
}

/// Visits the states, up to the limits of the request or until the host stops.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let (instance, setup) = context.under(request.setup.as_deref(), request.properties.as_deref())?;
    says_what_happens(&instance)?;
    leaves_a_step(&instance)?;
    let run = Run::new(&instance, request, host);
    if let Some(keep) = host.checkpoint() {
        let setup = setup.name.as_deref();
        identity::check(keep, context, request, setup, run.arcs)?;
    }
    let (mut searched, mut engine, reduction) = engine(&run, &instance, request)?;
    let watched = run.watch(&instance, &mut searched.outcome);
    if let (Engine::Compiled, Some(unsupported)) = (&engine, watched) {
        let why = format!("only formulas over several steps; not supported by the compiler: {}", unsupported.why);
        engine = Engine::Interpreted { why, span: unsupported.span };
    }
    let remarks = coverage::remarks(&run, &instance, context, &searched);
    let apart = apart::judge(&run, &instance, &mut searched.outcome);
    let Searched { outcome, graph, seconds, postponed, .. } = searched;
    let graph = graph.map(|graph| graph.map_err(|error| Box::new(error.diagnostic())));
    let answer = judged::explored(&run, &instance, &outcome, &apart);
    let explored = Explored { engine, reduction, postponed, remarks, seconds, ..answer };
    Ok(Answer { explored, remark: setup.remark, graph })
}

type Sought = (Searched, Engine, Option<Reduction>);

/// Searches with the best engine for this model.
fn engine(run: &Run<'_>, instance: &Instance, request: &Request) -> Result<Sought, String> {
    let why = match (request.symmetry, request.reduce, request.interpret) {
        (true, _, _) => (String::from("the compiled engine does not support symmetry"), None),
        (_, true, _) => ("the compiled engine does not support reduction".into(), None),
        (_, _, true) => ("--interpret asks for it".into(), None),
        _ => match compiled(run, instance) {
            Ok(searched) => return Ok((searched, Engine::Compiled, None)),
            Err(why) => why,
        },
    };
    log::debug!("the interpreter searches: {}", why.0);
    let mut system = Interpreted::new(instance.clone(), request.properties.as_deref());
    if request.symmetry {
        system = system.with_symmetry().map_err(|why| format!("--symmetry is refused: {why}"))?;
    }
    if request.reduce {
        sound(run, request).map_err(|why| format!("--reduce is refused: {why}"))?;
        system = system.with_reduction().map_err(|why| format!("--reduce is refused: {why}"))?;
    }
    let mut searched = run.search(&system, &|| false);
    searched.postponed = system.postponed();
    // In a search that was taken up or reduced it has not seen all.
    searched.met = (!request.resume && !request.reduce).then(|| coverage::Met::new(&system));
    // The visited set holds only numbers here; the states themselves are somewhere else.
    searched.outcome.bytes = searched.outcome.bytes.max(searched.grown);
    let types = system.symmetry().map(Symmetry::types);
    let whole = instance.groups().is_empty();
    let exact = instance.model().types.objects.is_empty();
    let reduction = types.map(|types| Reduction { types, represented: whole.then(|| system.represented()), exact });
    Ok((searched, Engine::Interpreted { why: why.0, span: why.1 }, reduction))
}

/// What a reduced search cannot answer.
fn sound(run: &Run<'_>, request: &Request) -> Result<(), &'static str> {
    match request {
        _ if run.host.checkpoint().is_some() => Err("a checkpoint does not store which states were expanded"),
        Request { timeouts: true, .. } => Err("timeouts depend on the postponed steps"),
        Request { graph: Some(_), .. } => Err("the graph would lack states and steps"),
        Request { symmetry: true, .. } => Err("it cannot be combined with --symmetry"),
        _ => Ok(()),
    }
}

fn not_compiled(unsupported: Unsupported) -> (String, Option<Span>) {
    (format!("not supported by the compiler: {}", unsupported.why), unsupported.span)
}

/// Again and again with more room, until everything fits.
fn compiled(run: &Run<'_>, instance: &Instance) -> Result<Searched, (String, Option<Span>)> {
    let compiled = Compiled::new(instance.clone(), run.request.properties.as_deref());
    let noted = run.host.checkpoint().and_then(|keep| kept_notes(keep).ok().flatten());
    let noted = |system: Compiled| system.as_noted(noted.as_deref().unwrap_or_default());
    let mut system = compiled.and_then(noted).map_err(not_compiled)?;
    loop {
        log::debug!("compiled code searches");
        let searched = run.search(&system, &|| system.too_narrow());
        if !system.too_narrow() {
            return Ok(searched);
        }
        system = system.widened().map_err(not_compiled)?;
    }
}
