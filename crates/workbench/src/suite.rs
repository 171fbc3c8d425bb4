//! A test suite for a specification: what is given, what must be seen, and what else would be allowed at each point.

use crate::behind::show_use;
use crate::explore::{says_what_happens, walk};
use crate::{Context, Host, Refusal};
use interplay_answers::SuiteCase;
pub use interplay_answers::Suited as Answer;
use interplay_diagnostics::Fault;
use interplay_explore::{self as explore, Trace};
use interplay_model::{ConstantId, Direction, Discipline, Model, ObjectId, Type};
use interplay_prove::{Config, Engine, solver};
use interplay_semantics::{Event, Identities, Instance, Label, ModelError, State, Transition, value_to_json_with};
use interplay_transform::{Covering, SuiteTest};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What the suite shall cover.
#[derive(Clone, Debug)]
pub struct Request {
    /// By the rule for all commands.
    pub setup: Option<String>,
    /// A goal for each rule that can fire.
    pub rules: bool,
    /// A goal for each location that can be reached.
    pub locations: bool,
    /// A goal for each verdict of each observer.
    pub verdicts: bool,
    /// A goal for each branch and each outcome of a guard.
    pub branches: bool,
    /// Ways are looked for in so many states before the solver is asked.
    pub states: usize,
    /// For the solver, all goals together.
    pub budget: Duration,
}

/// Finds a short test for each goal of the request.
pub fn run(context: &Context, request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let model = &context.model;
    let (instance, chosen) = context.under(request.setup.as_deref(), None)?;
    let setup = chosen.name;
    says_what_happens(&instance)?;
    crate::driven::leaves_a_step(&instance)?;
    let interrupted = Arc::new(std::sync::atomic::AtomicBool::new(host.is_stopped()));
    let solver = solver().ok().map(|program| Config {
        budget: request.budget,
        engines: Engine::ALL.to_vec(),
        program,
        stop: Arc::default(),
        interrupted: interrupted.clone(),
    });
    let covering = Covering {
        rules: request.rules,
        locations: request.locations,
        verdicts: request.verdicts,
        branches: request.branches,
        states: request.states,
        solver,
    };
    let found = std::thread::scope(|scope| {
        let running = scope.spawn(|| interplay_transform::suite(&instance, &covering));
        while !running.is_finished() {
            interrupted.store(host.is_stopped(), Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(10));
        }
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let told = |goals: &[interplay_transform::Goal]| {
        goals.iter().map(|goal| goal.told(model, &|used| show_use(&context.sources, used))).collect::<Vec<_>>()
    };
    let cases = found.tests.iter().enumerate().map(|(index, test)| SuiteCase {
        name: format!("suite_{}", index + 1),
        covers: told(&test.covers),
        ..case(test, &format!("suite_{}", index + 1), setup.as_deref())
    });
    Ok(Answer {
        system: model.name.clone(),
        setup: setup.clone(),
        cases: cases.collect(),
        covered: told(&found.covered),
        infeasible: told(&found.infeasible),
        open: told(&found.open),
        states: found.states,
        exhausted: found.exhausted,
        wrong: wrong(&instance, found.states, host).map(|error| Box::new(error.diagnostic())),
    })
}

/// Model error in the states that a suite looks at: tests are made only of what goes well.
fn wrong(instance: &Instance, states: usize, host: &dyn Host) -> Option<ModelError> {
    let (nothing, states) = (Some(&[][..]), Some(states.max(1) as u64));
    let config = explore::Config { states, interrupted: host.stop(), ..explore::Config::default() };
    let quick = explore::Compiled::new(instance.clone(), nothing).ok().and_then(|system| {
        let found = explore::explore(&system, &explore::Config { deadline: &|| system.too_narrow(), ..config.clone() });
        (!system.too_narrow()).then_some(found)
    });
    let found =
        quick.unwrap_or_else(|| explore::explore(&explore::Interpreted::new(instance.clone(), nothing), &config));
    found.findings.into_iter().find_map(|finding| match finding.kind {
        explore::FindingKind::Error(error) if error.code.fault() == Fault::Run => Some(error),
        _ => None,
    })
}

fn case(test: &SuiteTest, name: &str, setup: Option<&str>) -> SuiteCase {
    let model = test.instance.model();
    let way = Trace { start: test.start.clone(), steps: test.steps.clone() };
    let scenario = walk::walk(&test.instance, &way, name, None).scenario;
    let items = match model.discipline {
        Discipline::Asynchronous => items(test),
        Discipline::Reactive => reactions(test),
        Discipline::Synchronous => whole_steps(test),
    };
    SuiteCase {
        name: name.into(),
        covers: Vec::new(),
        scenario,
        steps: test.steps.len(),
        settings: json!({ "setup": setup, "constants": constants(&test.instance) }),
        items,
    }
}

fn constants(instance: &Instance) -> Json {
    let model = instance.model();
    let known = model.constants.iter().enumerate().filter_map(|(index, constant)| {
        let value = instance.constant(ConstantId(index)).ok()?;
        Some((constant.name.clone(), value_to_json_with(model, &mut Marked, &constant.ty, &value)))
    });
    Json::Object(known.collect())
}

/// Objects are marked, because the implementation has names of its own for them.
struct Marked;

impl Identities for Marked {
    fn write(&mut self, model: &Model, object: ObjectId, index: u32) -> Json {
        json!({ "$object": format!("{}#{index}", model.types.objects[object.0].name) })
    }

    fn read(&mut self, _: &Model, _: ObjectId, _: &Json) -> Option<u32> {
        None
    }
}

/// One item for each visible step.
fn items(test: &SuiteTest) -> Vec<Json> {
    let instance = &test.instance;
    let model = instance.model();
    let mut possible = closed(instance, BTreeSet::from([test.start.clone()]));
    let mut items = Vec::new();
    for (label, after) in &test.steps {
        let event = match label {
            Label::Internal(_) => continue,
            Label::Silence => None,
            Label::Step { .. } => label.events().next(),
        };
        let input = event.filter(|event| model.actions[event.action.0].direction == Direction::Input);
        let mut also: BTreeSet<Event> = outputs(instance, &possible);
        let mut item = Map::new();
        match (input, event) {
            (Some(event), _) => item = given(instance, &possible, event),
            (None, Some(event)) => {
                also.remove(event);
                let quiet = possible.iter().any(|state| instance.may_be_silent(state).unwrap_or(false));
                item.insert("see".into(), shown(model, event));
                item.insert("quiet".into(), quiet.into());
            }
            (None, None) => {}
        }
        item.insert("also".into(), also.iter().map(|event| shown(model, event)).collect());
        items.push(Json::Object(item));
        possible = instance.after(&possible, label).unwrap_or_default();
        possible = closed(instance, if possible.is_empty() { BTreeSet::from([after.clone()]) } else { possible });
    }
    items
}

/// What is given in one item, and all that comes of it in the next.
fn reactions(test: &SuiteTest) -> Vec<Json> {
    let instance = &test.instance;
    let model = instance.model();
    let mut possible = closed(instance, BTreeSet::from([test.start.clone()]));
    let mut items = Vec::new();
    for (label, after) in &test.steps {
        let Label::Step { inputs, outputs: seen } = label else { continue };
        let mut also: BTreeSet<Vec<Event>> = BTreeSet::new();
        match inputs.first() {
            Some(event) => {
                let mut item = given(instance, &possible, event);
                // What the system may do by itself before.
                let early = outputs(instance, &possible);
                item.insert("also".into(), early.iter().map(|event| shown(model, event)).collect());
                items.push(Json::Object(item));
                let open = [Event { result: None, ..event.clone() }];
                also.extend(possible.iter().flat_map(|state| outputs_of(instance.reactions(state, &open))));
            }
            None => {
                also.extend(possible.iter().flat_map(|state| outputs_of(instance.own_steps(state))));
                let quiet = possible.iter().any(|state| instance.may_be_silent(state).unwrap_or(false));
                also.extend(quiet.then(Vec::new));
            }
        }
        also.remove(seen);
        if !seen.is_empty() || !also.is_empty() {
            let also: Json = also.iter().map(|outputs| all(model, outputs)).collect();
            items.push(json!({ "outputs": all(model, seen), "also": also }));
        }
        possible = instance.after(&possible, label).unwrap_or_default();
        possible = closed(instance, if possible.is_empty() { BTreeSet::from([after.clone()]) } else { possible });
    }
    items
}

/// One item for each step of a synchronous system: its inputs, its outputs, and what else they may be.
fn whole_steps(test: &SuiteTest) -> Vec<Json> {
    let instance = &test.instance;
    let model = instance.model();
    let mut possible = BTreeSet::from([test.start.clone()]);
    let mut items = Vec::new();
    for (label, after) in &test.steps {
        let Label::Step { inputs, outputs } = label else { continue };
        let mut also: BTreeSet<Vec<Event>> =
            possible.iter().flat_map(|state| outputs_of(instance.reactions(state, inputs))).collect();
        also.remove(outputs);
        let also: Json = also.iter().map(|outputs| all(model, outputs)).collect();
        items.push(json!({ "step": all(model, inputs), "outputs": all(model, outputs), "also": also }));
        possible = instance.after(&possible, label).unwrap_or_else(|_| BTreeSet::from([after.clone()]));
    }
    items
}

/// An input, the result that it has to give, and the others that it may give in one of the states.
fn given(instance: &Instance, states: &BTreeSet<State>, event: &Event) -> Map<String, Json> {
    let model = instance.model();
    let mut item = Map::from_iter([("give".into(), shown(model, event))]);
    if let (Some(result), Some(ty)) = (&event.result, &model.actions[event.action.0].result) {
        let open = [Event { result: None, ..event.clone() }];
        let steps = states.iter().flat_map(|state| instance.reactions(state, &open)).flatten();
        let results: BTreeSet<_> = steps.filter_map(|step| step.label.events().next()?.result.clone()).collect();
        let shown = |value| value_to_json_with(model, &mut Marked, ty, value);
        item.insert("result".into(), shown(result));
        item.insert("results".into(), results.iter().filter(|other| *other != result).map(shown).collect());
    }
    item
}

/// The outputs of each step that can be seen.
fn outputs_of(steps: Vec<Result<Transition, ModelError>>) -> impl Iterator<Item = Vec<Event>> {
    steps.into_iter().flatten().filter_map(|step| match step.label {
        Label::Step { outputs, .. } => Some(outputs),
        _ => None,
    })
}

fn all(model: &Model, events: &[Event]) -> Json {
    events.iter().map(|event| shown(model, event)).collect()
}

fn closed(instance: &Instance, states: BTreeSet<State>) -> BTreeSet<State> {
    instance.closure(&states).unwrap_or(states)
}

/// All outputs that are allowed in one of the states.
fn outputs(instance: &Instance, states: &BTreeSet<State>) -> BTreeSet<Event> {
    let steps = states.iter().flat_map(|state| instance.own_steps(state)).flatten();
    steps.filter(|step| step.label.is_visible()).filter_map(|step| step.label.events().next().cloned()).collect()
}

fn shown(model: &Model, event: &Event) -> Json {
    let declared = &model.actions[event.action.0];
    let args = declared.params.iter().zip(&event.args).map(|(param, value)| {
        let ty: &Type = &param.ty;
        (param.name.clone(), value_to_json_with(model, &mut Marked, ty, value))
    });
    json!({ "action": declared.name, "args": Json::Object(args.collect()) })
}
