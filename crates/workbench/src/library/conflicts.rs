//! Which features get in each other's way: every pair, with a scenario that shows it.

use crate::explore::walk;
use crate::simulate::scenario_lines;
use crate::{Context, Host, Refusal};
pub use interplay_answers::Conflicting as Answer;
use interplay_answers::{ConflictingKind, ConflictingPair, ConflictingPlace};
use interplay_diagnostics::did_you_mean;
use interplay_explore::Trace;
use interplay_model::{ComponentId, Model};
use interplay_scenarios::{Interaction, Kind, Looking, Pair, compare, features};
use interplay_semantics::{Instance, show_name};
use std::time::Duration;

/// Which components to compare, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    pub setup: Option<String>,
    /// Names of components; empty: all but the system itself.
    pub between: Vec<String>,
    /// For each pair.
    pub states: u64,
    pub timeout: Duration,
}

/// Compares every pair of components.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let started = host.now();
    let model = &context.model;
    let setup = crate::choose_setup(model, request.setup.as_deref())?;
    let place = setup.id(model);
    let components = chosen(model, &request.between)?;
    let interrupted = || host.is_stopped();
    let over = || interrupted() || host.now() - started > request.timeout;
    let looking = Looking { place, states: request.states, over: &over };
    let instance = context.instance(&setup)?;
    let mut pairs = Vec::new();
    for (index, first) in components.iter().enumerate() {
        for second in &components[index + 1..] {
            let pair = compare(model, [*first, *second], &looking).map_err(|error| context.broken(error))?;
            pairs.push(told(&instance, &pair));
        }
    }
    Ok(Answer {
        system: model.name.clone(),
        setup: setup.name,
        components: components.iter().map(|id| model.components[id.0].name.clone()).collect(),
        pairs,
        interrupted: interrupted(),
        seconds: (host.now() - started).as_secs_f64(),
    })
}

fn chosen(model: &Model, names: &[String]) -> Result<Vec<ComponentId>, String> {
    let all = features(model);
    let known: Vec<&str> = all.iter().map(|id| model.components[id.0].name.as_str()).collect();
    let found = |name: &String| {
        let at = known.iter().position(|known| known == name);
        at.map(|at| all[at]).ok_or_else(|| {
            let there = || format!("the components are: {}", known.join(", "));
            let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(there);
            format!("unknown component `{name}`\nhelp: {help}")
        })
    };
    let mut components = names.iter().map(found).collect::<Result<Vec<_>, _>>()?;
    components.sort();
    components.dedup();
    let components = if names.is_empty() { all } else { components };
    match components.len() {
        0 | 1 => {
            Err("the specification has fewer than two components\nhelp: write features as `component NAME { ... }`"
                .into())
        }
        _ => Ok(components),
    }
}

fn told(instance: &Instance, pair: &Pair) -> ConflictingPair {
    let model = instance.model();
    let name = |id: ComponentId| model.components[id.0].name.clone();
    let components = pair.components.map(name);
    let kind = match pair.kind {
        Kind::Independent => ConflictingKind::Independent,
        Kind::Apart => ConflictingKind::Apart,
        Kind::Together => ConflictingKind::Together,
        Kind::FirstOverrides => ConflictingKind::FirstOverrides,
        Kind::SecondOverrides => ConflictingKind::SecondOverrides,
        Kind::Disturb => ConflictingKind::Disturb,
        Kind::Contradict => ConflictingKind::Contradict,
        Kind::Conflict => ConflictingKind::Conflict,
    };
    let title = format!("{} and {}", components[0], components[1]);
    let (event, scenario, steps) = pair.found.as_ref().map_or((None, None, 0), |found| {
        let (event, scenario) = shown(instance, found, &title, pair.kind == Kind::Conflict);
        (Some(event), Some(scenario), found.steps.len() + 1)
    });
    let places = pair.found.iter().flat_map(|found| &found.contrasts).map(|contrast| ConflictingPlace {
        what: contrast.what.clone(),
        alone: contrast.alone.clone(),
        without: contrast.without.clone(),
        together: contrast.together.clone(),
    });
    ConflictingPair {
        places: places.collect(),
        error: pair.found.as_ref().and_then(|found| found.error.as_ref()).map(|error| error.message.clone()),
        components,
        kind,
        event,
        scenario,
        steps,
        states: pair.states,
        complete: pair.complete,
    }
}

/// The event, and a scenario that ends with it. An event that goes wrong is only a comment.
fn shown(instance: &Instance, found: &Interaction, title: &str, wrong: bool) -> (String, String) {
    let model = instance.model();
    let way = Trace { start: found.start.clone(), steps: found.steps.clone() };
    let labels = found.steps.iter().map(|(label, _)| label).chain([&found.given]);
    let lines = scenario_lines(model, labels);
    let event = lines.last().cloned().unwrap_or_default();
    let text = match wrong {
        true => walk::walk(instance, &way, title, found.error.as_ref()).scenario,
        false => {
            let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
            format!("scenario {} {{\n{lines}}}\n", show_name(title))
        }
    };
    (event, text)
}
