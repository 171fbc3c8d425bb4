//! Every relation is reflexive: a specification that is played as the implementation passes its own test. What a test finds
//! broken then is broken in the specification.

use super::operations::instance;
use crate::subject::{Subject, errs};
use crate::tally::Tally;
use interplay_answers::{Assurance, TestStop, Tested, Verdict};
use interplay_model::{Conformance, Direction, Discipline, Property, Silence};
use interplay_semantics::{Instance, Label, show_label};
use interplay_testkit::timeline::{Known, Position, Timeline, judged};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn ask(subject: &mut Subject, tally: &mut Tally) {
    for setup in subject.setups() {
        let (command, tested) = subject.test(&setup, Some(Vec::new()), None);
        match tested {
            Err(why) => refused(subject, tally, &setup, (&command, why)),
            Ok(tested) => {
                // A model that goes wrong goes wrong as an implementation, too; in groups of states one stands for all, and an
                // implementation does what a setup leaves out.
                let driven = instance(&subject.context, &setup).is_none_or(|instance| instance.is_driven());
                let wrong = driven || subject.known(&setup).1.map_or(true, |known| errs(&known));
                one(tally, &command, &tested, wrong);
            }
        }
    }
}

/// What cannot be tested cannot be explored either.
fn refused(subject: &mut Subject, tally: &mut Tally, setup: &Option<String>, (command, why): (&str, String)) {
    match subject.known(setup) {
        (_, Err(_)) => tally.agree(),
        (with, Ok(known)) => match errs(&known) {
            true => tally.agree(),
            false if why.contains("silence") || why.contains("transit") => tally.undecided(why),
            false => tally.disagree("one of them refuses", (command, why), (with, format!("{} states", known.states))),
        },
    }
}

fn one(tally: &mut Tally, command: &str, tested: &Tested, wrong: bool) {
    if let Some(failure) = tested.failures.first() {
        let said = format!("fail: {}\n{}", failure.title, failure.scenario);
        return tally.disagree("fails against itself", (command, said), ("the norm", "every relation is reflexive"));
    }
    match (&tested.stop, &tested.trouble, &tested.problem) {
        (TestStop::Done, None, None) if tested.runs > 0 => tally.agree(),
        (TestStop::Time, None, None) if tested.runs > 0 => tally.agree(),
        (_, Some(_), _) if wrong => tally.agree(),
        (_, Some(trouble), _) => {
            tally.disagree("trouble with itself", (command, trouble.message.clone()), ("the norm", "no trouble"));
        }
        // The model goes wrong, which others tell.
        (_, _, Some(_)) => tally.agree(),
        (stop, ..) => tally.undecided(format!("{stop:?} after {} runs", tested.runs)),
    }
}

pub(super) fn properties(subject: &mut Subject, tally: &mut Tally) {
    if subject.context.model.properties.is_empty() && subject.context.model.observers.is_empty() {
        return;
    }
    for setup in subject.setups() {
        let (by, known) = subject.known(&setup);
        let (with, tested) = subject.test(&setup, None, None);
        let (Ok(known), Ok(tested)) = (known, tested) else { continue };
        for each in &tested.properties {
            let Some(judged) = known.properties.iter().find(|judged| judged.name == each.name) else { continue };
            match (each.verdict, judged.verdict) {
                // An implementation does what a setup would leave out, too.
                (Verdict::Fail, Verdict::Pass) if judged.assurance != Some(Assurance::Exhaustive) => {
                    tally.undecided("explore: holds under the setup")
                }
                (Verdict::Fail, Verdict::Pass) => tally.disagree(
                    "broken in a test, though it holds",
                    (by.clone(), format!("{}: {}", judged.name, judged.because)),
                    (with.clone(), format!("{}: {}", each.name, each.because)),
                ),
                (Verdict::Fail, Verdict::Inconclusive) => tally.undecided(format!("explore: {}", judged.because)),
                (Verdict::Fail, _) => tally.agree(),
                _ => missed(subject, tally, &setup, &each.name),
            }
        }
    }
}

/// Where all that the system may have done violates it, after few steps, a test finds that.
fn missed(subject: &Subject, tally: &mut Tally, setup: &Option<String>, name: &str) {
    let model = &subject.context.model;
    let id = setup.as_deref().and_then(|name| model.setup_named(name));
    let property = model.properties.iter().find(|property| property.name == name);
    let (Some(property), Ok(instance)) = (property, Instance::new(model.clone(), id)) else { return tally.agree() };
    let Some(word) = surely_broken(&instance, property) else { return tally.agree() };
    let (command, tested) = subject.test_runs(setup, Some(vec![name.into()]), None, 400);
    match tested {
        Ok(tested) if tested.failures.is_empty() && tested.stop == TestStop::Done => tally.disagree(
            "broken in every such run, and not found",
            ("the words of the reference", format!("{name} is violated after [{}]", word.join(", "))),
            (command, format!("pass: {} runs, {} steps", tested.runs, tested.steps)),
        ),
        _ => tally.agree(),
    }
}

/// What is seen, if all runs in which it is seen violate the property. Of systems in which every step is seen alone.
fn surely_broken(instance: &Instance, property: &Property) -> Option<Vec<String>> {
    let model = instance.model();
    let internal = model.actions.iter().any(|action| action.direction == Direction::Internal);
    let transit = instance.setup().is_some_and(|setup| setup.transit > 0 || setup.conformance == Conformance::None);
    // An object that nobody named cannot be given.
    let plain = model.discipline == Discipline::Asynchronous && model.types.objects.is_empty();
    if !plain || internal || transit || instance.is_driven() {
        return None;
    }
    let start = |state| Position { label: None, state, between: Vec::new() };
    let relation = instance.setup().map_or(Conformance::default(), |setup| setup.conformance);
    let listens = instance.setup().is_none_or(|setup| setup.silence != Silence::Unjudged);
    let mut words: BTreeMap<Vec<String>, Vec<Timeline>> = BTreeMap::new();
    let runs =
        instance.initial().ok()?.into_iter().map(|state| Timeline { positions: vec![start(state)], is_over: false });
    words.insert(Vec::new(), runs.collect());
    for _ in 0..NEAR {
        let mut longer: BTreeMap<Vec<String>, Vec<Timeline>> = BTreeMap::new();
        for (word, runs) in &words {
            let mut taking: BTreeMap<Label, BTreeSet<usize>> = BTreeMap::new();
            let mut longer_runs = Vec::new();
            for (index, run) in runs.iter().enumerate() {
                let last = run.positions.last().expect("there is the start");
                for step in instance.transitions(&last.state) {
                    let step = step.ok()?;
                    taking.entry(step.label.clone()).or_default().insert(index);
                    let mut run = run.clone();
                    run.positions.push(Position {
                        label: Some(step.label.clone()),
                        state: step.target,
                        between: Vec::new(),
                    });
                    longer_runs.push((step.label, run));
                }
            }
            for (label, run) in longer_runs {
                // An input that only some of them take is not given, unless under ioco.
                let is_input = label.events().any(|event| model.actions[event.action.0].direction == Direction::Input);
                if !is_input || relation == Conformance::Ioco || taking[&label].len() == runs.len() {
                    let word = [&word[..], &[show_label(model, &label)]].concat();
                    longer.entry(word).or_default().push(run);
                }
            }
        }
        if longer.values().map(Vec::len).sum::<usize>() > MOST_RUNS {
            return None;
        }
        let broken = |run: &Timeline| judged(instance, &property.formula, run) == Some(Known::False);
        // Nothing is left to do, so that the test has only to listen.
        let over = |run: &Timeline| {
            let last = run.positions.last().expect("there is the start");
            listens && instance.transitions(&last.state).is_empty()
        };
        let ended = |run: &Timeline| over(run) && broken(&Timeline { is_over: true, ..run.clone() });
        let sure = |runs: &Vec<Timeline>| runs.iter().all(broken) || runs.iter().all(ended);
        if let Some((word, _)) = longer.iter().find(|(_, runs)| sure(runs)) {
            return Some(word.clone());
        }
        words = longer;
    }
    None
}

/// So many steps are made by many of the runs.
const NEAR: usize = 3;
const MOST_RUNS: usize = 500;
