//! The models against the reference programs: recorded random traces are replayed, and at every step the enabled labels
//! and the values of the recorded expressions must be the same. `tests/reference/*.py` wrote the recordings.

use crate::common::{load_with, root};
use interplay_model::{Closed, Model};
use interplay_semantics::{Instance, State, Transition, show_label, value_from_json};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[test]
fn teller_moves_like_the_reference() {
    replay("teller/teller.play", "teller");
}

#[test]
fn chat_moves_like_the_reference() {
    replay("chat/chat.play", "chat");
}

#[test]
fn countdown_moves_like_the_reference() {
    replay("countdown/countdown.play", "countdown");
}

#[test]
fn brp_moves_like_the_reference() {
    replay("brp/brp.play", "brp");
}

#[test]
fn the_completed_brp_moves_like_the_reference() {
    replay("brp/brp_complete.play", "brp_complete");
}

#[test]
fn the_elevator_moves_like_the_reference() {
    replay("elevator/elevator.play", "elevator");
}

#[test]
fn aps_moves_like_the_reference() {
    replay("aps/aps.play", "aps");
}

#[test]
fn the_telephone_moves_like_the_reference() {
    replay("telephone/telephone.play", "telephone");
}

/// One recording against one specification.
fn replay(specification: &str, recording: &str) {
    let text = std::fs::read_to_string(root().join(format!("tests/traces/{recording}.jsonl")))
        .expect("the recording is there");
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let (header, traces) = lines.split_first().expect("a recording has a header");
    assert!(traces.len() >= 1_000, "{recording} has only {} traces", traces.len());
    let questions = Questions::new(specification, traces);
    let labels: Vec<&str> = strings(&header["labels"]);
    let mut instances = BTreeMap::new();
    for (number, trace) in traces.iter().enumerate() {
        let setup = trace["setup"].as_str().expect("a trace names its setup");
        let instance = instances.entry(setup.to_string()).or_insert_with(|| {
            let id =
                questions.model.setup_named(setup).unwrap_or_else(|| panic!("{specification} has no setup {setup}"));
            Instance::new(questions.model.clone(), Some(id)).expect("the setup is complete")
        });
        questions.replay_trace(instance, &labels, trace, &format!("{recording}, trace {}", number + 2));
    }
}

/// The specification with one definition for every recorded expression.
struct Questions {
    model: Arc<Model>,
    expressions: BTreeMap<String, Closed>,
}

impl Questions {
    fn new(specification: &str, traces: &[Json]) -> Questions {
        let asked: BTreeSet<&str> = traces.iter().flat_map(|trace| keys(&trace["initial"])).collect();
        let text: String =
            asked.iter().enumerate().map(|(number, expr)| format!("def _question{number} = {expr}\n")).collect();
        let model = load_with(specification, &text);
        let expressions = asked.iter().enumerate().map(|(number, expr)| {
            let name = format!("_question{number}");
            let definition =
                model.definitions.iter().find(|definition| definition.name == name).expect("it was just declared");
            (expr.to_string(), Closed { expr: definition.body.clone(), locals: definition.locals.clone() })
        });
        let expressions = expressions.collect();
        Questions { model, expressions }
    }

    fn replay_trace(&self, instance: &Instance, labels: &[&str], trace: &Json, place: &str) {
        let mut expected = trace["initial"].as_object().expect("an object").clone();
        let initial = instance.initial().expect("there is an initial state");
        let mut state = self.matching(instance, initial, &expected, place);
        for (number, step) in trace["steps"].as_array().expect("a list").iter().enumerate() {
            let place = format!("{place}, step {}", number + 1);
            let label = labels[step[0].as_u64().expect("a number") as usize];
            let moves = self.moves(instance, &state);
            let enabled: BTreeSet<&str> = step[1]
                .as_array()
                .expect("a list")
                .iter()
                .map(|index| labels[index.as_u64().expect("a number") as usize])
                .collect();
            let possible: BTreeSet<&str> = moves.iter().map(|(label, _)| label.as_str()).collect();
            assert_eq!(possible, enabled, "enabled labels at {place}");
            for (expr, value) in step[2].as_object().expect("an object") {
                expected.insert(expr.clone(), value.clone());
            }
            let targets = moves.into_iter().filter(|(text, _)| text == label).map(|(_, target)| target).collect();
            state = self.matching(instance, targets, &expected, &format!("{place} after {label}"));
        }
    }

    /// All steps as texts, silence among them.
    fn moves(&self, instance: &Instance, state: &State) -> Vec<(String, State)> {
        let model = &self.model;
        let mut moves: Vec<(String, State)> = Vec::new();
        for found in instance.transitions(state) {
            let Transition { label, target, .. } =
                found.unwrap_or_else(|error| panic!("the model is wrong: {error:?}"));
            moves.push((show_label(model, &label), target));
        }
        let asynchronous = model.discipline == interplay_model::Discipline::Asynchronous;
        if asynchronous && instance.rests(state).expect("quietness can be told") {
            moves.push(("silence".into(), state.clone()));
        }
        moves
    }

    /// The state in which all recorded expressions have the recorded values.
    fn matching(
        &self,
        instance: &Instance,
        states: Vec<State>,
        expected: &serde_json::Map<String, Json>,
        place: &str,
    ) -> State {
        let position =
            states.iter().position(|state| expected.iter().all(|(expr, json)| self.is(instance, state, expr, json)));
        let index = position.unwrap_or_else(|| panic!("at {place}\nexpected {expected:?}\nfound {states:?}"));
        states.into_iter().nth(index).expect("the position of one of them")
    }

    fn is(&self, instance: &Instance, state: &State, expr: &str, json: &Json) -> bool {
        let closed = &self.expressions[expr];
        let found = instance.evaluate(closed, state).unwrap_or_else(|error| panic!("{expr}: {error:?}"));
        let expected = value_from_json(&self.model, &closed.expr.ty, json)
            .unwrap_or_else(|error| panic!("{expr} = {json}: {error}"));
        found == expected
    }
}

fn keys(object: &Json) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn strings(list: &Json) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}
