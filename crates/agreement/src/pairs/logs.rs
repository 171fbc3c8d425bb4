//! A run of the specification as a log: `monitor` finds no property broken that holds in all runs, and finds broken what a search
//! found broken when it is shown that run.

use crate::subject::{Subject, of};
use crate::tally::Tally;
use interplay_answers::{FoundKind, LogVerdict, Verdict};
use interplay_model::{Model, VariableId};
use interplay_semantics::{Instance, Label, State, show_label, value_to_json};
use interplay_workbench::{Monitoring, Watch};
use serde_json::{Map, Value as Json, json};

/// Runs that are recorded, and how long they are.
pub(super) const RUNS: u64 = 4;
const STEPS: usize = 8;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let id = setup.as_deref().and_then(|name| subject.context.model.setup_named(name));
    let Ok(instance) = Instance::new(subject.context.model.clone(), id) else { return };
    if subject.grouped(&setup) {
        return;
    }
    let (by, Ok(known)) = subject.known(&setup) else { return };
    for number in 0..RUNS {
        let Some(run) = random(&instance, subject.seed.wrapping_mul(31).wrapping_add(number)) else { return };
        for (name, verdict) in watch(subject, &setup, &instance, &run) {
            let Some(judged) = known.properties.iter().find(|each| each.name == name) else { continue };
            match (&verdict, judged.verdict) {
                // A search ends where something goes wrong, and a log that does not show that goes on.
                (LogVerdict::Violated, Verdict::Inconclusive) => {
                    tally.undecided(format!("explore: {}", judged.because))
                }
                (LogVerdict::Violated, Verdict::Pass) => tally.disagree(
                    "broken in a log, though it holds",
                    (by.clone(), judged.because.clone()),
                    told(&setup, &instance, &run, &name),
                ),
                (LogVerdict::NotJudged(why), _) => tally.undecided(why),
                (_, Verdict::Inconclusive) if judged.not_judged => {
                    tally.undecided(format!("explore: {}", judged.because))
                }
                _ => tally.agree(),
            }
        }
    }
    for found in &known.findings {
        let (FoundKind::Violated(name), Some(walk)) = (&found.kind, &found.trace) else { continue };
        let events: Vec<&str> = walk.steps.iter().map(|step| step.event.as_str()).collect();
        let runs = replayed(&instance, &events);
        let Some(first) = runs.first() else {
            tally.disagree(
                "a counterexample that is no run",
                (by.clone(), walk.scenario.clone()),
                ("the interpreter", "no such run"),
            );
            continue;
        };
        let said = |run: &Recorded| {
            let watched = watch(subject, &setup, &instance, &to_its_end(&instance, run));
            watched.into_iter().find(|(other, _)| other == name)
        };
        // Several runs have these events, and one of them was meant.
        let meant = runs.iter().find(|run| matches!(said(run), Some((_, LogVerdict::Violated))));
        let run = meant.unwrap_or(first);
        match said(run) {
            Some((_, LogVerdict::Violated)) => tally.agree(),
            Some((_, LogVerdict::NotJudged(why))) => tally.undecided(why),
            // How many objects there are is not among what a log shows.
            Some(_) if !instance.model().types.objects.is_empty() => tally.undecided("objects in a log"),
            Some(_) if runs.len() == MOST_RUNS => tally.undecided("so many runs have these events"),
            Some((_, verdict)) => {
                let (command, log) = told(&setup, &instance, &to_its_end(&instance, run), name);
                tally.disagree(
                    if run.steps.is_empty() {
                        "broken at the start, and open in the log"
                    } else {
                        "broken, and open in the log of that run"
                    },
                    (by.clone(), walk.scenario.clone()),
                    (command, format!("{}\n{log}", verdict.word())),
                );
            }
            None => {}
        }
    }
}

/// More runs with the same events are not looked at.
const MOST_RUNS: usize = 100;

/// States and the labels between them.
#[derive(Clone)]
pub(super) struct Recorded {
    pub(super) start: State,
    pub(super) steps: Vec<(Label, State)>,
}

pub(super) fn random(instance: &Instance, seed: u64) -> Option<Recorded> {
    let states = instance.initial().ok()?;
    let start = states.get((mixed(seed) >> 33) as usize % states.len().max(1))?.clone();
    Some(walk(instance, start, mixed(seed), STEPS))
}

pub(super) fn mixed(dice: u64) -> u64 {
    dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Steps by chance, as long as there are any.
pub(super) fn walk(instance: &Instance, start: State, mut dice: u64, most: usize) -> Recorded {
    let mut run = Recorded { start: start.clone(), steps: Vec::new() };
    let mut here = start;
    for _ in 0..most {
        let steps: Vec<_> = instance.transitions(&here).into_iter().flatten().collect();
        if steps.is_empty() {
            break;
        }
        dice = mixed(dice);
        let step = &steps[(dice >> 33) as usize % steps.len()];
        here = step.target.clone();
        run.steps.push((step.label.clone(), step.target.clone()));
    }
    run
}

/// A counterexample is a prefix, or a complete run: one that ends at rest, which a log tells by a silence.
pub(super) fn to_its_end(instance: &Instance, run: &Recorded) -> Recorded {
    let mut run = run.clone();
    let last = run.steps.last().map_or(&run.start, |(_, state)| state).clone();
    if instance.may_be_over(&last) == Ok(true) {
        run.steps.push((Label::Silence, last));
    }
    run
}

/// The runs with these events, as they are shown.
fn replayed(instance: &Instance, events: &[&str]) -> Vec<Recorded> {
    let mut runs = Vec::new();
    for start in instance.initial().unwrap_or_default() {
        follow(instance, &Recorded { start, steps: Vec::new() }, events, &mut runs);
    }
    runs
}

fn follow(instance: &Instance, so_far: &Recorded, events: &[&str], runs: &mut Vec<Recorded>) {
    let [event, rest @ ..] = events else {
        return runs.push(so_far.clone());
    };
    let here = so_far.steps.last().map_or(&so_far.start, |(_, state)| state);
    let steps = instance.transitions(here).into_iter().flatten().map(|step| (step.label, step.target));
    let steps = steps.filter(|(label, _)| show_label(instance.model(), label) == *event);
    // Nothing happens, and the state stays.
    let silence = (*event == "silence").then(|| (Label::Silence, here.clone()));
    for step in silence.into_iter().chain(steps) {
        if runs.len() == MOST_RUNS {
            return;
        }
        let mut longer = so_far.clone();
        longer.steps.push(step);
        follow(instance, &longer, rest, runs);
    }
}

pub(super) fn watch(
    subject: &Subject,
    setup: &Option<String>,
    instance: &Instance,
    run: &Recorded,
) -> Vec<(String, LogVerdict)> {
    let request = Monitoring { setup: setup.clone(), ..Monitoring::default() };
    subject.clock.asks(&format!("interplay monitor FILE{} LOG", of(setup)));
    let Ok(mut watch) = Watch::new(&subject.context, &request) else { return Vec::new() };
    for line in lines(instance, run) {
        watch.feed(&line, false);
    }
    watch.summary().properties.into_iter().map(|each| (each.name, each.verdict)).collect()
}

pub(super) fn told(setup: &Option<String>, instance: &Instance, run: &Recorded, name: &str) -> (String, String) {
    let log = lines(instance, run).join("\n");
    (format!("interplay monitor FILE{} --property {name} LOG", of(setup)), log)
}

/// The log that an adapter would write, with the state after each step.
pub(super) fn lines(instance: &Instance, run: &Recorded) -> Vec<String> {
    let model = instance.model();
    let state = |state: &State| {
        let shown = (0..model.state_size()).filter_map(|index| {
            let variable = &model.variables[index];
            let value = state.variable(VariableId(index))?;
            Some((variable.name.clone(), value_to_json(model, &variable.ty, value)))
        });
        Json::Object(shown.collect())
    };
    let first = json!({ "type": "reset", "state": state(&run.start) }).to_string();
    let rest = run.steps.iter().map(|(label, after)| {
        let mut line = step(model, label);
        line.insert("state".into(), state(after));
        Json::Object(line).to_string()
    });
    std::iter::once(first).chain(rest).collect()
}

pub(super) fn step(model: &Model, label: &Label) -> Map<String, Json> {
    let event = |event: &interplay_semantics::Event| {
        let action = &model.actions[event.action.0];
        let args = action.params.iter().zip(&event.args);
        let args: Map<String, Json> =
            args.map(|(param, value)| (param.name.clone(), value_to_json(model, &param.ty, value))).collect();
        let mut shown = json!({ "action": action.name, "args": args });
        if let (Some(ty), Some(result)) = (&action.result, &event.result) {
            shown["result"] = value_to_json(model, ty, result);
        }
        shown
    };
    let list = |events: &[interplay_semantics::Event]| events.iter().map(event).collect::<Json>();
    match label {
        Label::Step { inputs, outputs } => {
            Map::from_iter([("inputs".into(), list(inputs)), ("outputs".into(), list(outputs))])
        }
        Label::Internal(inner) => Map::from_iter([("step".into(), list(std::slice::from_ref(inner)))]),
        Label::Silence => Map::from_iter([("type".into(), "silence".into())]),
    }
}
