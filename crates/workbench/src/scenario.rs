//! Goals: a conversation that leads there, or why there is none.

pub mod generalise;
mod solver;

use crate::driven::leaves_a_step;
use crate::explore::walk;
use crate::{Context, Host, Refusal};
pub use interplay_answers::Sought as Answer;
use interplay_answers::{SoughtAnswer, SoughtGoal, SoughtNear};
use interplay_diagnostics::did_you_mean;
use interplay_explore::Trace;
use interplay_model::{GoalId, Model, ScenarioId};
use interplay_scenarios::{self as scenarios, Budget, Found, Method, Place, Prover, Wanted, as_written, find, wanted};
use interplay_semantics::{Instance, show_label, show_value};
use std::sync::Arc;
use std::time::Duration;

/// What to look for, and how long.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names of goals, or conditions; empty: all goals.
    pub goals: Vec<String>,
    /// For goals that name none.
    pub setup: Option<String>,
    /// For each goal.
    pub timeout: Duration,
    /// In bytes, for one search.
    pub memory: u64,
    /// By name; empty: all.
    pub methods: Vec<Method>,
    /// Only so many scenarios of the library, the first ones, are made use of.
    pub library: Option<usize>,
}

/// Of a goal's time, what goes to methods that answer soon or never.
const HURRY: f64 = 0.4;
/// Scenarios are put together for so long and no longer.
const BRIEF: Duration = Duration::from_secs(8);

/// Looks for every goal, one after the other.
pub fn run(context: &mut Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let started = host.now();
    let (model, goals) = asked(context, &request.goals)?;
    let places = places(context, request)?;
    let mut answers = Vec::new();
    let interrupted = || host.is_stopped();
    for goal in &goals {
        if interrupted() {
            break;
        }
        answers.push(one(context, &model, *goal, &places, request, host)?);
    }
    Ok(Answer {
        system: model.name.clone(),
        interrupted: answers.len() < goals.len(),
        goals: answers,
        seconds: (host.now() - started).as_secs_f64(),
    })
}

/// The goals by name; what is no name is read as a condition.
fn asked(context: &mut Context, wanted: &[String]) -> Result<(Arc<Model>, Vec<GoalId>), Refusal> {
    let model = context.model.clone();
    let known = |name: &String| model.goals.iter().position(|goal| goal.name == *name).map(GoalId);
    if wanted.is_empty() {
        if model.goals.is_empty() {
            let help = "write a condition on the command line, or `goal name: condition` in the specification";
            return Err(Refusal::request("the specification declares no goals", help));
        }
        return Ok((model.clone(), (0..model.goals.len()).map(GoalId).collect()));
    }
    if let Some(goals) = wanted.iter().map(known).collect::<Option<Vec<_>>>() {
        return Ok((model, goals));
    }
    // A condition without parameters needs no more words; one with parameters is written as a goal is.
    let conditions: Vec<&String> = wanted.iter().filter(|name| known(name).is_none()).collect();
    if let Some(name) =
        conditions.iter().find(|text| text.chars().all(|sign| sign.is_alphanumeric() || "_-".contains(sign)))
    {
        // A word may be a condition; words with hyphens between them are a difference, and no condition.
        let known: Vec<&str> = model.goals.iter().map(|goal| goal.name.as_str()).collect();
        let none = || (name.contains('-') && !known.is_empty()).then(|| format!("the goals are: {}", known.join(", ")));
        if let Some(help) = did_you_mean(name, known.iter().copied()).or_else(none) {
            return Err(Refusal::request(format!("unknown goal `{name}`"), help));
        }
    }
    let mut text = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        text += &match condition.trim_start().starts_with("goal ") {
            true => format!("{condition}\n"),
            false => format!("goal `asked {}`: {condition}\n", number + 1),
        };
    }
    let (file, added) = context.addition(&text).map_err(|refusal| refusal.only_first("not a condition"))?;
    let named = wanted.iter().filter_map(known);
    let new = added.goals.iter().enumerate().filter(|(_, goal)| goal.span.file == file).map(|(id, _)| GoalId(id));
    let goals = named.chain(new).collect();
    Ok((added, goals))
}

/// Where to look for goals that do not say so.
fn places(context: &Context, request: &Request) -> Result<Vec<Place>, Refusal> {
    let (instance, setup) = context.under(request.setup.as_deref(), None)?;
    leaves_a_step(&instance)?;
    Ok(vec![setup.id(&context.model)])
}

/// Asks for one goal: the model that was asked, which may remember more than the specification says, and what was found.
fn answer(
    context: &Context,
    model: &Arc<Model>,
    goal: GoalId,
    places: &[Place],
    (request, methods): (&Request, &[Method]),
    host: &dyn Host,
) -> Result<(Arc<Model>, Wanted, Found), Refusal> {
    let started = host.now();
    let spent = || host.now() - started;
    let interrupted = || host.is_stopped();
    let over = || interrupted() || spent() > request.timeout;
    let hurry = || interrupted() || spent() > request.timeout.mul_f64(HURRY);
    let brief = || interrupted() || spent() > request.timeout.min(BRIEF);
    let solver = solver::Z3::new(host, request.timeout);
    let prover: &dyn Prover = match &solver {
        Ok(solver) => solver,
        Err(missing) => missing,
    };
    let library: Vec<ScenarioId> = (0..model.scenarios.len()).map(ScenarioId).collect();
    let budget = Budget {
        over: &over,
        hurry: &hurry,
        brief: &brief,
        bytes: request.memory,
        library: &library[..request.library.map_or(library.len(), |most| most.min(library.len()))],
        prover: Some(prover),
        symmetry: true,
    };
    let (asked, wanted) = wanted(model, goal).map_err(|mistake| context.wrong(*mistake))?;
    let found = find(&asked, &wanted, places, methods, &budget).map_err(|error| context.broken(error))?;
    Ok((asked, wanted, found))
}

fn one(
    context: &Context,
    model: &Arc<Model>,
    goal: GoalId,
    places: &[Place],
    request: &Request,
    host: &dyn Host,
) -> Result<SoughtGoal, Refusal> {
    let started = host.now();
    let methods: &[Method] = if request.methods.is_empty() { &Method::ALL } else { &request.methods };
    let (_, wanted, found) = answer(context, model, goal, places, (request, methods), host)?;
    told(context, model, &wanted, &found, host.now() - started)
}

/// What was found, in plain data.
fn told(
    context: &Context,
    model: &Arc<Model>,
    wanted: &Wanted,
    found: &Found,
    spent: Duration,
) -> Result<SoughtGoal, Refusal> {
    let conjunct = |index: usize| context.sources.one_line(wanted.conditions[index].span);
    let answer = match &found.answer {
        scenarios::Answer::Reached(way) => {
            let place = found.places.first().copied().flatten();
            let instance = Instance::new(model.clone(), place).map_err(|error| context.broken(error))?;
            let written = |state| as_written(model, state);
            let steps = way.steps.iter().map(|(label, state)| (label.clone(), written(state))).collect();
            let trace = Trace { start: written(&way.start), steps };
            let values = wanted.locals[..wanted.params].iter().zip(&way.values);
            SoughtAnswer::Reached {
                way: walk::walk(&instance, &trace, &wanted.name, None),
                values: values
                    .map(|(local, value)| format!("{} = {}", local.name, show_value(model, &local.ty, value)))
                    .collect(),
                achieved: way.achieved.iter().map(|each| (each.step, conjunct(each.conjunct))).collect(),
                shortest: found.shortest,
            }
        }
        scenarios::Answer::Wrong(wrong) => {
            let place = found.places.first().copied().flatten();
            let instance = Instance::new(model.clone(), place).map_err(|error| context.broken(error))?;
            let written = |state| as_written(model, state);
            let steps = wrong.steps.iter().map(|(label, state)| (label.clone(), written(state))).collect();
            let trace = wrong.start.as_ref().map(|start| Trace { start: written(start), steps });
            SoughtAnswer::Wrong {
                error: Box::new(wrong.error.diagnostic()),
                way: trace.map(|trace| walk::walk(&instance, &trace, &wanted.name, Some(&wrong.error))),
            }
        }
        scenarios::Answer::Unreachable { states, invariant } => {
            let under = |place: &Place| Instance::new(model.clone(), *place).is_ok_and(|instance| instance.is_driven());
            let driven = found.places.iter().any(under);
            SoughtAnswer::Unreachable { states: *states, invariant: invariant.clone(), driven }
        }
        scenarios::Answer::Contradictory(why) => {
            SoughtAnswer::Contradictory { core: why.core.iter().copied().map(conjunct).collect() }
        }
        scenarios::Answer::Unknown { nearest, states, obstacle } => SoughtAnswer::Unknown {
            states: *states,
            obstacle: obstacle.as_ref().map(|error| Box::new(error.diagnostic())),
            nearest: nearest.as_ref().map(|near| SoughtNear {
                events: near.events.iter().map(|label| show_label(model, label)).collect(),
                lacks: near.lacks.iter().copied().map(conjunct).collect(),
                scenario: near.scenario.clone(),
            }),
        },
    };
    Ok(SoughtGoal {
        name: wanted.name.clone(),
        answer,
        method: found.method.map(Method::word),
        setups: found.places.iter().flatten().map(|setup| model.setups[setup.0].name.clone()).collect(),
        notes: found.notes.clone(),
        left_out: found.left_out.iter().map(|each| (each.scenario.clone(), each.why.clone())).collect(),
        seconds: spent.as_secs_f64(),
    })
}
