//! What the library leaves untested, and what to add.

use crate::explore::walk;
use crate::{Context, Host, Refusal, choose_setup};
pub use interplay_answers::LibraryCoverage as Answer;
use interplay_answers::{LibraryItem, LibraryKind, LibraryProposal};
use interplay_explore::Trace;
use interplay_model::{Model, Type};
use interplay_scenarios::{self as scenarios, Budget, Item, Method, Place, Wrong, as_written, measure, reach};
use interplay_semantics::{Instance, Use, show_name, show_rule};
use std::sync::Arc;
use std::time::Duration;

/// What to measure, and how long to look for what is missing.
#[derive(Clone, Debug)]
pub struct Request {
    /// For playing, and for looking.
    pub setup: Option<String>,
    /// Look for what is missing.
    pub propose: bool,
    /// For each thing that is missing.
    pub each: Duration,
    /// For all of them.
    pub timeout: Duration,
    /// In bytes, for one search.
    pub memory: u64,
}

/// Plays the library and says what it leaves out.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let started = host.now();
    let model = &context.model;
    if model.scenarios.is_empty() {
        let help = "write `scenario name { ... }`, or add one with `interplay scenario add`";
        return Err(Refusal::request("the specification has no scenarios", help));
    }
    let setup = choose_setup(model, request.setup.as_deref())?;
    let id = setup.id(model);
    let over = || host.is_stopped() || host.now() - started > request.timeout;
    let broken = |error| context.broken(error);
    let measured = measure(model, id, &over).map_err(broken)?;
    let names = |ids: &[interplay_model::ScenarioId]| ids.iter().map(|id| model.scenarios[id.0].name.clone()).collect();
    let mut told = Answer {
        system: model.name.clone(),
        setup: setup.name.clone(),
        scenarios: measured.played,
        failed: names(&measured.failed),
        unplayed: names(&measured.unplayed),
        items: Vec::new(),
        looked: request.propose,
        cut_short: false,
        seconds: 0.0,
    };
    let places = [id];
    for (item, covered) in &measured.items {
        let mut one = tell(context, item, *covered);
        if !covered && request.propose {
            one.proposal = match over() {
                true => LibraryProposal::NotLooked,
                false => propose(context, item, &one.name, &places, request, host, &over)?,
            };
            told.cut_short |= matches!(one.proposal, LibraryProposal::NotLooked);
        }
        told.items.push(one);
    }
    told.seconds = (host.now() - started).as_secs_f64();
    Ok(told)
}

fn propose(
    context: &Context,
    item: &Item,
    name: &str,
    places: &[Place],
    request: &Request,
    host: &dyn Host,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<LibraryProposal, Refusal> {
    let model = &context.model;
    let broken = |error| context.broken(error);
    let began = host.now();
    let over = || stop() || host.now() - began > request.each;
    let (bytes, library, prover) = (request.memory, &[][..], None);
    let budget = Budget { over: &over, hurry: &over, brief: &over, bytes, library, prover, symmetry: true };
    let methods = [Method::Search, Method::Explore];
    let found = reach(model, item, name, places, &methods, &budget).map_err(broken)?;
    let place = found.places.first().copied().flatten();
    Ok(match found.answer {
        scenarios::Answer::Reached(way) => {
            let instance = Instance::new(model.clone(), place).map_err(broken)?;
            let steps = way.steps.iter().map(|(label, state)| (label.clone(), as_written(model, state)));
            let trace = Trace { start: as_written(model, &way.start), steps: steps.collect() };
            let walk = walk::walk(&instance, &trace, name, None);
            let lines: Vec<String> = walk.steps.iter().map(|step| step.line.clone()).collect();
            LibraryProposal::Add { setup: place.map(|setup| model.setups[setup.0].name.clone()), lines }
        }
        scenarios::Answer::Wrong(Wrong { start, steps, error }) => {
            let instance = Instance::new(model.clone(), place).map_err(broken)?;
            let steps = steps.iter().map(|(label, state)| (label.clone(), as_written(model, state)));
            let trace = start.map(|start| Trace { start: as_written(model, &start), steps: steps.collect() });
            let walk = trace.map(|trace| walk::walk(&instance, &trace, name, Some(&error)));
            let lines = walk.into_iter().flat_map(|walk| walk.steps).map(|step| step.line).collect();
            LibraryProposal::Wrong { error: Box::new(error.diagnostic()), lines }
        }
        scenarios::Answer::Unreachable { states, .. } => LibraryProposal::Unreachable { states },
        scenarios::Answer::Contradictory(_) => LibraryProposal::Unreachable { states: 0 },
        scenarios::Answer::Unknown { obstacle, .. } => {
            LibraryProposal::Unknown { obstacle: obstacle.map(|error| Box::new(error.diagnostic())) }
        }
    })
}

fn tell(context: &Context, item: &Item, covered: bool) -> LibraryItem {
    let model: &Arc<Model> = &context.model;
    let quoted = |span| format!("`{}`", context.sources.one_line(span));
    let outcome = |holds: &bool| if *holds { "true" } else { "false" };
    let (kind, name, span, message) = match item {
        Item::Rule(id) => {
            let message = format!("{} never fires", show_rule(model, *id));
            (LibraryKind::Rules, "uses_a_rule", model.rules[id.0].span, message)
        }
        Item::Used(Use::Branch { condition, holds }) => {
            let message = format!("{} is never {} here", quoted(*condition), outcome(holds));
            (LibraryKind::Branches, "takes_a_branch", *condition, message)
        }
        Item::Used(Use::Case { value, case }) => {
            let message = format!("case {} of `match` on {} is never taken", case + 1, quoted(*value));
            (LibraryKind::Branches, "takes_a_case", *value, message)
        }
        Item::Used(Use::Loop { from }) => {
            let message = format!("the loop over {} never runs", quoted(*from));
            (LibraryKind::Branches, "runs_a_loop", *from, message)
        }
        Item::Used(Use::Guard { part, holds }) => {
            let message = format!("{} is never {} when its event happens", quoted(*part), outcome(holds));
            (LibraryKind::Guards, "has_a_guard", *part, message)
        }
        Item::Location(id) => {
            let location = &model.locations[id.0];
            let message = format!("the location `{}` is never reached", show_name(&location.name));
            (LibraryKind::Locations, "goes_to_a_place", location.span, message)
        }
        Item::Value { variable, case } => {
            let variable = &model.variables[variable.0];
            let message = format!("`{}` is never {}", show_name(&variable.name), case_name(model, &variable.ty, *case));
            (LibraryKind::Values, "takes_a_value", variable.span, message)
        }
    };
    LibraryItem { kind, name: name.into(), span, message, covered, proposal: LibraryProposal::NotLooked }
}

/// `talking`, or `talking for some key`.
fn case_name(model: &Model, ty: &Type, case: usize) -> String {
    let one = |ty: &Type| match model.types.strip(ty) {
        Type::Enum(id) => show_name(&model.types.enums[id.0].variants[case].name),
        _ => ["false", "true"].get(case).map_or(String::new(), ToString::to_string),
    };
    match model.types.strip(ty) {
        Type::Map(_, inner) => format!("`{}` for any key", one(inner)),
        Type::Set(inner) | Type::Seq(inner) => format!("`{}` in any element", one(inner)),
        Type::Option(inner) => format!("`some({})`", one(inner)),
        _ => format!("`{}`", one(ty)),
    }
}
