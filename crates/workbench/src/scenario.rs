//! Goals: a conversation that leads there, or why there is none.

use crate::explore::{Host, Refusal, walk};
use crate::{Context, choose_setup};
use interplay_diagnostics::{Sources, Span, did_you_mean};
use interplay_explore::Trace;
use interplay_model::{GoalId, Model};
use interplay_report::{Sought, SoughtAnswer, SoughtGoal};
use interplay_scenarios::{Answer, Budget, Method, Place, Wanted, find};
use interplay_semantics::{Instance, show_label, show_value};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What to look for, and how long.
#[derive(Clone, Debug)]
pub struct Seeking {
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
}

/// Of a goal's time, what goes to methods that answer soon or never.
const HURRY: f64 = 0.4;

/// Looks for every goal, one after the other.
pub fn seek(context: &mut Context, request: &Seeking, host: &Host<'_>) -> Result<Sought, Refusal> {
    let started = (host.now)();
    let (model, goals) = asked(context, &request.goals)?;
    let places: Vec<Place> = match &request.setup {
        Some(name) => {
            let setup = choose_setup(&model, Some(name)).map_err(Refusal::Request)?;
            vec![setup.name.as_deref().and_then(|name| model.setup_named(name))]
        }
        None => vec![None],
    };
    let mut answers = Vec::new();
    let interrupted = || host.interrupted.load(Ordering::Relaxed);
    for goal in &goals {
        if interrupted() {
            break;
        }
        answers.push(one(context, &model, *goal, &places, request, host)?);
    }
    Ok(Sought {
        system: model.name.clone(),
        interrupted: answers.len() < goals.len(),
        goals: answers,
        seconds: ((host.now)() - started).as_secs_f64(),
    })
}

/// The goals by name; what is no name is read as a condition.
fn asked(context: &mut Context, wanted: &[String]) -> Result<(Arc<Model>, Vec<GoalId>), Refusal> {
    let model = context.model.clone();
    let known = |name: &String| model.goals.iter().position(|goal| goal.name == *name).map(GoalId);
    if wanted.is_empty() {
        if model.goals.is_empty() {
            let help = "help: write a condition on the command line, or `goal name: condition` in the specification";
            return Err(Refusal::Request(format!("the specification declares no goals\n{help}")));
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
        && let Some(help) = did_you_mean(name, model.goals.iter().map(|goal| goal.name.as_str()))
    {
        return Err(Refusal::Request(format!("there is no goal `{name}`\nhelp: {help}")));
    }
    let mut text = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        text += &match condition.trim_start().starts_with("goal ") {
            true => format!("{condition}\n"),
            false => format!("goal `asked {}`: {condition}\n", number + 1),
        };
    }
    let (file, added) = context.addition(&text).map_err(|mut problems| {
        let first = problems.drain(..).next();
        first.map_or_else(
            || Refusal::Request("this is no condition".into()),
            |first| Refusal::Specification(first.into()),
        )
    })?;
    let named = wanted.iter().filter_map(known);
    let new = added.goals.iter().enumerate().filter(|(_, goal)| goal.span.file == file).map(|(id, _)| GoalId(id));
    let goals = named.chain(new).collect();
    Ok((added, goals))
}

fn one(
    context: &Context,
    model: &Arc<Model>,
    goal: GoalId,
    places: &[Place],
    request: &Seeking,
    host: &Host<'_>,
) -> Result<SoughtGoal, Refusal> {
    let started = (host.now)();
    let spent = || (host.now)() - started;
    let interrupted = || host.interrupted.load(Ordering::Relaxed);
    let over = || interrupted() || spent() > request.timeout;
    let hurry = || interrupted() || spent() > request.timeout.mul_f64(HURRY);
    let budget = Budget { over: &over, hurry: &hurry, bytes: request.memory };
    let wanted = Wanted::of(model, goal);
    let all = [Method::Contradiction, Method::Search, Method::Explore];
    let methods: &[Method] = if request.methods.is_empty() { &all } else { &request.methods };
    let broken = |error: interplay_semantics::ModelError| Refusal::Specification(Box::new(error.diagnostic()));
    let found = find(model, &wanted, places, methods, &budget).map_err(broken)?;
    let conjunct = |index: usize| text_of(&context.sources, wanted.conditions[index].span);
    let answer = match &found.answer {
        Answer::Reached(way) => {
            let place = found.places.first().copied().flatten();
            let instance = Instance::new(model.clone(), place).map_err(broken)?;
            let trace = Trace { start: way.start.clone(), steps: way.steps.clone() };
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
        Answer::Unreachable { states } => SoughtAnswer::Unreachable { states: *states },
        Answer::Contradictory(why) => {
            SoughtAnswer::Contradictory { core: why.core.iter().copied().map(conjunct).collect() }
        }
        Answer::Unknown { nearest, states } => SoughtAnswer::Unknown {
            states: *states,
            nearest: nearest.as_ref().map(|(labels, lacks)| {
                let events = labels.iter().map(|label| show_label(model, label)).collect();
                (events, lacks.iter().copied().map(conjunct).collect())
            }),
        },
    };
    let setups = found.places.iter().flatten().map(|setup| model.setups[setup.0].name.clone()).collect();
    let method = found.method.map(|method| match method {
        Method::Contradiction => "contradiction",
        Method::Search => "search",
        Method::Explore => "explore",
    });
    Ok(SoughtGoal { name: wanted.name.clone(), answer, method, setups, seconds: spent().as_secs_f64() })
}

/// The words of the specification, on one line.
fn text_of(sources: &Sources, span: Span) -> String {
    let text = &sources.file(span.file).text;
    let words = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
