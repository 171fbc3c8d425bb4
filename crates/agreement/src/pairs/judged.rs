//! Logs judged by the rules: recorded runs without their internal steps, with events left out, and with mistakes; `monitor` finds the
//! same step wrong as a plain subset construction with the interpreter, which knows no table and remembers nothing.

use super::logs::{Recorded, lines, mixed, random, step, to_its_end};
use crate::subject::{Subject, of};
use crate::tally::Tally;
use interplay_answers::{LogJudges, LogNote, LogRefusal};
use interplay_model::{ActionId, Conformance, Direction, Discipline};
use interplay_semantics::{Instance, Label, Result, State, show_label};
use interplay_workbench::{Monitoring, Watch};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Runs that are recorded; of each the log as it is, and so many with a mistake.
const RUNS: u64 = 4;
const MISTAKES: u64 = 5;
/// More possible states are not followed.
const MOST: usize = 2_000;

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    let setup = subject.setup();
    let id = setup.as_deref().and_then(|name| subject.context.model.setup_named(name));
    let Ok(instance) = Instance::new(subject.context.model.clone(), id) else { return };
    let declined = instance.setup().is_some_and(|setup| setup.conformance == Conformance::None || setup.transit > 0);
    if declined || instance.is_properties_alone() {
        return;
    }
    for number in 0..RUNS {
        let seed = subject.seed.wrapping_mul(37).wrapping_add(number);
        let Some(run) = random(&instance, seed) else { return };
        let run = to_its_end(&instance, &run);
        let seen = |(label, _): &(Label, State)| label.is_visible() || *label == Label::Silence;
        let log: Vec<Label> = run.steps.iter().filter(|each| seen(each)).map(|(label, _)| label.clone()).collect();
        compare(subject, tally, &setup, &instance, &log, None);
        shown(subject, tally, &setup, &instance, &run);
        omitted(subject, tally, &setup, &instance, &run, seed);
        // Which object is which is open in a log; the definition below takes them as they are.
        if instance.model().types.objects.is_empty() {
            for mistake in 0..MISTAKES {
                let wrong = mistaken(&instance, &log, mixed(seed.wrapping_add(mistake << 7)), mistake);
                compare(subject, tally, &setup, &instance, &wrong, None);
            }
        }
    }
}

/// The whole run, with internal steps and the state after each: it explains itself.
fn shown(subject: &Subject, tally: &mut Tally, setup: &Option<String>, instance: &Instance, run: &Recorded) {
    let request = Monitoring { setup: setup.clone(), ..Monitoring::default() };
    let Ok(mut watch) = Watch::new(&subject.context, &request) else { return };
    let lines = lines(instance, run);
    let mut refused: Option<Box<LogRefusal>> = None;
    for line in &lines {
        for note in watch.feed(line, false) {
            if let LogNote::Refusal(refusal) = note {
                refused.get_or_insert(refusal);
            }
        }
    }
    match refused {
        None => tally.agree(),
        Some(refusal) => tally.disagree(
            "a run with its states is refused",
            (format!("interplay monitor FILE{} LOG", of(setup)), refusal.title()),
            ("the interpreter, which made it", lines.join("\n")),
        ),
    }
}

/// The same log without the events of one output.
fn omitted(
    subject: &Subject,
    tally: &mut Tally,
    setup: &Option<String>,
    instance: &Instance,
    run: &Recorded,
    seed: u64,
) {
    let model = instance.model();
    if model.discipline != Discipline::Asynchronous || !model.types.objects.is_empty() {
        return;
    }
    let outputs = (0..model.actions.len()).filter(|action| model.actions[*action].direction == Direction::Output);
    let outputs: Vec<ActionId> = outputs.map(ActionId).collect();
    let Some(hidden) = outputs.get((mixed(seed) >> 40) as usize % outputs.len().max(1)).copied() else { return };
    let shown = |label: &&Label| !matches!(label, Label::Internal(_)) && label.event_of(hidden).is_none();
    let log: Vec<Label> = run.steps.iter().map(|(label, _)| label).filter(shown).cloned().collect();
    compare(subject, tally, setup, instance, &log, Some(hidden));
    let wrong = mistaken(instance, &log, mixed(seed ^ 0x5a5a), seed % MISTAKES);
    compare(subject, tally, setup, instance, &wrong, Some(hidden));
}

/// One small mistake: two steps change places, one is missing, comes twice, comes from elsewhere, or a silence is told.
fn mistaken(instance: &Instance, log: &[Label], dice: u64, mistake: u64) -> Vec<Label> {
    let mut log = log.to_vec();
    let at = (dice >> 33) as usize % log.len().max(1);
    match mistake {
        0 if log.len() > 1 => {
            let next = (at + 1) % log.len();
            log.swap(at, next);
        }
        1 if !log.is_empty() => _ = log.remove(at),
        2 if !log.is_empty() => log.insert(at, log[at].clone()),
        3 => {
            let other = random(instance, dice).into_iter().flat_map(|run| run.steps);
            let other = other.map(|(label, _)| label).filter(Label::is_visible).last();
            log.splice(at..at, other);
        }
        _ if instance.model().discipline != Discipline::Synchronous => log.insert(at, Label::Silence),
        _ => {}
    }
    log
}

/// The first step that is wrong, by both.
fn compare(
    subject: &Subject,
    tally: &mut Tally,
    setup: &Option<String>,
    instance: &Instance,
    log: &[Label],
    hidden: Option<ActionId>,
) {
    let model = instance.model();
    let unlogged = hidden.map(|action| model.actions[action.0].name.clone());
    let option = unlogged.as_ref().map_or(String::new(), |name| format!(" --unlogged {name}"));
    let command = format!("interplay monitor FILE{}{option} LOG", of(setup));
    subject.clock.asks(&command);
    let request =
        Monitoring { setup: setup.clone(), unlogged: unlogged.into_iter().collect(), ..Monitoring::default() };
    let Ok(mut watch) = Watch::new(&subject.context, &request) else { return };
    let mut refused = None;
    for label in log {
        for note in watch.feed(&Json::Object(step(model, label)).to_string(), false) {
            if let LogNote::Refusal(refusal) = note {
                refused.get_or_insert(refusal.step as usize);
            }
        }
    }
    let LogJudges::Judged(said) = watch.summary().rules else { return tally.undecided("the rules did not judge") };
    let plain = first_wrong(instance, log, hidden);
    let told =
        |wrong: Option<usize>| wrong.map_or("every step is allowed".into(), |step| format!("step {step} is wrong"));
    match (plain, &said.because) {
        (Err(_), Some(_)) => tally.agree(),
        (Err(error), None) => tally.undecided(format!("the definition: {error}")),
        (_, Some(why)) if refused.is_none() => tally.undecided(format!("monitor: {why}")),
        (Ok(None), _) => tally.undecided("the definition: too many states"),
        (Ok(Some(wrong)), _) if wrong == refused => tally.agree(),
        (Ok(Some(wrong)), _) => {
            let lines: Vec<String> = log.iter().map(|label| show_label(model, label)).collect();
            let kind = if wrong.is_none() { "a false alarm of the rules" } else { "a wrong step that the rules miss" };
            tally.disagree(
                kind,
                (command, told(refused)),
                ("plain state sets", format!("{}\n{}", told(wrong), lines.join("\n"))),
            );
        }
    }
}

/// By definition: the states after the steps so far, and internal steps in between. `None` if they are too many.
fn first_wrong(instance: &Instance, log: &[Label], hidden: Option<ActionId>) -> Result<Option<Option<usize>>> {
    let mut states = inside(instance, instance.initial()?.into_iter().collect(), hidden)?;
    for (index, label) in log.iter().enumerate() {
        states = after(instance, &states, label, hidden)?;
        if states.len() > MOST {
            return Ok(None);
        }
        if states.is_empty() {
            return Ok(Some(Some(index + 1)));
        }
    }
    Ok(Some(None))
}

fn after(
    instance: &Instance,
    states: &BTreeSet<State>,
    label: &Label,
    hidden: Option<ActionId>,
) -> Result<BTreeSet<State>> {
    let mut next = BTreeSet::new();
    match (label, instance.model().discipline) {
        (Label::Silence, _) => {
            for state in states {
                if silent(instance, state, hidden)? {
                    next.insert(state.clone());
                }
            }
        }
        (Label::Step { inputs, outputs }, Discipline::Reactive) => {
            for state in states {
                for first in 0..=outputs.len() {
                    let begun = Label::step(inputs.clone(), outputs[..first].to_vec());
                    let begun = if inputs.is_empty() && first == 0 {
                        vec![state.clone()]
                    } else {
                        instance.successors(state, &begun)?
                    };
                    for target in begun {
                        reactions(instance, &target, &outputs[first..], &mut next)?;
                    }
                    if inputs.is_empty() {
                        break;
                    }
                }
            }
        }
        _ => {
            for state in states {
                next.extend(instance.successors(state, label)?);
            }
        }
    }
    inside(instance, next, hidden)
}

/// Reactions that the system begins by itself, one after the other, until everything was heard.
fn reactions(
    instance: &Instance,
    state: &State,
    rest: &[interplay_semantics::Event],
    next: &mut BTreeSet<State>,
) -> Result<()> {
    if rest.is_empty() {
        next.insert(state.clone());
        return Ok(());
    }
    for state in instance.closure(&BTreeSet::from([state.clone()]))? {
        for end in 1..=rest.len() {
            for target in instance.successors(&state, &Label::step([], rest[..end].to_vec()))? {
                reactions(instance, &target, &rest[end..], next)?;
            }
        }
    }
    Ok(())
}

/// With all that steps lead to which the log does not show.
fn inside(instance: &Instance, mut states: BTreeSet<State>, hidden: Option<ActionId>) -> Result<BTreeSet<State>> {
    let mut open: Vec<State> = states.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for step in instance.own_steps(&state) {
            let step = step?;
            let unseen =
                matches!(step.label, Label::Internal(_)) || hidden.is_some_and(|it| step.label.event_of(it).is_some());
            if unseen && states.insert(step.target.clone()) {
                open.push(step.target);
            }
        }
        if states.len() > MOST {
            break;
        }
    }
    Ok(states)
}

/// Nothing that the system does by itself is seen: it rests, or goes on inside for ever. Where an output is hidden, it is one of those.
fn silent(instance: &Instance, state: &State, hidden: Option<ActionId>) -> Result<bool> {
    let Some(hidden) = hidden else { return instance.may_be_silent(state) };
    let mut model = instance.model().clone();
    model.actions[hidden.0].direction = Direction::Internal;
    let setup = instance.setup().and_then(|setup| model.setup_named(&setup.name));
    Instance::new(model.into(), setup)?.may_be_silent(state)
}
