//! The synchronous ones: the program and the model side by side, along every input in every state.

use crate::common::{event, instance, name, root, start};
use interplay_adapter::Implementation;
use interplay_examples::{aps, elevator};
use interplay_semantics::{Event, Instance, Label, State};
use std::collections::{HashSet, VecDeque};
use std::fmt::Debug;
use std::time::Duration;

type Step<P> = fn(&mut P, &[&str]) -> Vec<&'static str>;

/// The number of states in which the program does what the model does; otherwise the number of steps of the shortest
/// conversation in which it does something else.
fn compare<P: Clone + Debug>(model: &Instance, program: P, step: Step<P>) -> Result<usize, usize> {
    let start = model.initial().expect("it begins").remove(0);
    let mut seen: HashSet<(State, String)> = HashSet::new();
    let mut waiting = VecDeque::from([(start, program, 1)]);
    while let Some((state, program, steps)) = waiting.pop_front() {
        for inputs in model.input_sets(&state, false).expect("the model is right") {
            let mut program = program.clone();
            let signals: Vec<&str> = inputs.iter().map(|input| name(model.model(), input)).collect();
            let outputs = step(&mut program, &signals).into_iter().map(|output| event(model.model(), output, &[]));
            let label = Label::step(inputs, outputs);
            let Some(next) = model.successors(&state, &label).expect("the model is right").pop() else {
                return Err(steps);
            };
            if seen.insert((next.clone(), format!("{program:?}"))) {
                waiting.push_back((next, program, steps + 1));
            }
        }
    }
    Ok(seen.len())
}

#[test]
fn the_protection_switch_does_what_the_model_does_and_faults_show() {
    let model = instance("aps/aps.play", "one_signal_per_step");
    for (name, version) in aps::VERSIONS {
        let switch = aps::Switch::new(version, None);
        assert_eq!(compare(&model, switch, aps::Switch::step), Ok(90), "{name}");
    }
    for (name, fault) in aps::FAULTS {
        let switch = aps::Switch::new(aps::Version::Original, Some(fault));
        let found = compare(&model, switch, aps::Switch::step);
        assert!(matches!(found, Err(1..=3)), "{name}: {found:?}");
    }
}

#[test]
fn after_the_modification_requests_it_does_what_they_ask_for() {
    for ((name, version), states) in aps::VERSIONS.into_iter().skip(1).zip([90, 90, 138, 222]) {
        let model = instance("aps/requests.play", name.trim_start_matches("good-"));
        assert_eq!(compare(&model, aps::Switch::new(version, None), aps::Switch::step), Ok(states), "{name}");
    }
    // What the last request asks for, the one before does not do.
    let model = instance("aps/requests.play", "mr4");
    let found = compare(&model, aps::Switch::new(aps::Version::Lockout, None), aps::Switch::step);
    assert_eq!(found, Err(5));
}

#[test]
fn the_elevator_does_what_the_model_does_and_faults_show() {
    let model = instance("elevator/elevator.play", "building");
    assert_eq!(compare(&model, elevator::Elevator::new(None), elevator::Elevator::step), Ok(37));
    for (name, fault) in elevator::FAULTS {
        let found = compare(&model, elevator::Elevator::new(Some(fault)), elevator::Elevator::step);
        assert!(matches!(found, Err(1..=4)), "{name}: {found:?}");
    }
}

#[test]
fn modification_requests_bring_new_signals() {
    for (name, steps) in [
        ("good-mr1", "forceP/selP clear/selP wN/selP pF/selW condP/reject,selW"),
        ("good-mr1", "condP/selP clear/selP pD/selW"),
        ("good-mr2", "exercise/exercised,selW pF/selW exercise/reject,selW pN/selW forceW/selW exercise/reject,selW"),
        (
            "good-mr3",
            "forceP/selP lockout/selW forceP/reject,selW condP/reject,selW removeW/reject,selW wF/selW clear/selP",
        ),
        ("good-mr3", "removeW/selP lockout/reject,selP"),
        ("good-mr4", "wF/selP wN/selP tick/selP tick/selP tick/selW"),
        ("good-mr4", "wF/selP wN/selP tick/selP wD/selP wN/selP tick/selP tick/selP tick/selW"),
        ("good-mr4", "forceP/selP tick/selP tick/selP tick/selP tick/selP"),
        // The first version does not know these.
        ("good", "forceP/selP clear/selP pF/selP"),
    ] {
        let mut switch = aps::Switch::named(name).expect("it is known");
        for step in steps.split(' ') {
            let (input, outputs) = step.split_once('/').expect("input/outputs");
            assert_eq!(switch.step(&[input]).join(","), outputs, "{name}: {step} in {steps}");
        }
    }
}

#[test]
fn live_programs_repeat_what_the_reference_programs_did() {
    for (folder, specification, setup, recording) in [
        ("aps/good", "aps/aps.play", "one_signal_per_step", "aps.jsonl"),
        ("elevator/good-rust", "elevator/elevator.play", "building", "elevator.jsonl"),
        ("elevator/good-python", "elevator/elevator.play", "building", "elevator.jsonl"),
        ("elevator/good-javascript", "elevator/elevator.play", "building", "elevator.jsonl"),
    ] {
        let model = instance(specification, setup);
        let mut program = start(folder, &model);
        let limit = Duration::from_secs(20);
        for run in recorded(&model, recording) {
            program.reset(limit).expect("it can be reset");
            for label in run {
                let Label::Step { inputs, outputs } = &label else { panic!("{label:?} is no step") };
                let mut answer = program.step(inputs, limit).expect("it answers");
                answer.sort();
                assert_eq!(answer, *outputs, "{folder}");
            }
        }
    }
}

/// The labels of recorded runs.
fn recorded(model: &Instance, file: &str) -> Vec<Vec<Label>> {
    let text = std::fs::read_to_string(root().join("tests/traces").join(file)).expect("the recording is there");
    let mut lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON"));
    let header = lines.next().expect("it has a header");
    let labels: Vec<Label> = header["labels"].as_array().unwrap().iter().map(|text| label(model, text)).collect();
    let step = |step: &serde_json::Value| labels[step[0].as_u64().expect("a number") as usize].clone();
    lines.map(|run| run["steps"].as_array().expect("a list").iter().map(step).collect()).collect()
}

/// `step req1, req3 / closed, moving`
fn label(model: &Instance, text: &serde_json::Value) -> Label {
    let (inputs, outputs) = text.as_str().expect("a text").split_once(" / ").expect("a step has outputs");
    let events = |names: &str| -> Vec<Event> {
        names.split(", ").filter(|name| !name.is_empty()).map(|name| event(model.model(), name, &[])).collect()
    };
    Label::step(events(inputs.trim_start_matches("step").trim()), events(outputs))
}
