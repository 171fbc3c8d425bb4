//! The sender of the bounded retransmission protocol, without its clock: along every order of requests, acknowledgements and
//! time-outs. The shortest conversations that show the mutants are as long as those that the study lists.

use crate::common::{event, instance};
use interplay_examples::brp_sender::{FAULTS, Fault, Message, Sender};
use interplay_semantics::{Event, Instance, Label, State};
use serde_json::json;
use std::collections::{BTreeSet, HashSet, VecDeque};

/// How long the shortest conversation is in which the sender does what the specification does not allow.
fn shortest_failure(model: &Instance, fault: Option<Fault>) -> Option<usize> {
    let sender = Sender::new(fault, 2, [(0, 0), (1, 1)].into());
    let start: BTreeSet<State> = model.initial().expect("it begins").into_iter().collect();
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([(sender, model.closure(&start).expect("it ends"), 0)]);
    while let Some((sender, states, length)) = waiting.pop_front() {
        if sender.timer().is_none() && !states.iter().any(|state| model.rests(state).expect("the model is right")) {
            return Some(length + 1);
        }
        for (sender, labels) in moves(model, &sender, &states) {
            let (mut states, mut length) = (states.clone(), length);
            for label in labels {
                length += 1;
                states = model.after(&states, &label).expect("the model is right");
                if states.is_empty() {
                    return Some(length);
                }
            }
            if seen.insert((format!("{sender:?}"), states.clone())) {
                // A time-out has no length, so it comes first.
                let place = waiting.iter().position(|(_, _, later)| *later > length).unwrap_or(waiting.len());
                waiting.insert(place, (sender, states, length));
            }
        }
    }
    None
}

/// What may happen next, and what is seen of it.
fn moves(model: &Instance, sender: &Sender, states: &BTreeSet<State>) -> Vec<(Sender, Vec<Label>)> {
    let mut found = Vec::new();
    for input in inputs(model, states) {
        let mut sender = sender.clone();
        match &input.args[..] {
            [last] => sender.request(last.as_int()).expect("what the specification allows is not refused"),
            _ => sender.acknowledge(),
        }
        found.push((sender, vec![Label::input(input)]));
    }
    if sender.timer().is_some() {
        let mut sender = sender.clone();
        let said = sender.expire();
        found.push((sender, said.iter().map(|message| Label::output(output(model, message))).collect()));
    }
    found
}

/// Only what the specification describes wherever it may be is sent.
fn inputs(model: &Instance, states: &BTreeSet<State>) -> BTreeSet<Event> {
    let offers = states.iter().map(|state| model.enabled_inputs(state).expect("the model is right"));
    offers.reduce(|all, offered| &all & &offered).unwrap_or_default()
}

fn output(model: &Instance, message: &Message) -> Event {
    match *message {
        Message::Chunk { data, bit } => event(model.model(), "MSG", &[json!(data), json!(i32::from(bit))]),
        Message::Ok => event(model.model(), "OK", &[]),
        Message::NotOk => event(model.model(), "NOT_OK", &[]),
        Message::DontKnow => event(model.model(), "DONT_KNOW", &[]),
    }
}

#[test]
fn mutants_of_the_sender_show_as_soon_as_the_study_says() {
    let model = instance("brp/brp_complete.play", "two_chunks");
    assert_eq!(shortest_failure(&model, None), None);
    let found: Vec<(&str, Option<usize>)> =
        FAULTS.iter().map(|&(name, fault)| (name, shortest_failure(&model, Some(fault)))).collect();
    let expected = [
        Some(4),
        Some(4),
        Some(3),
        Some(4),
        Some(4),
        Some(4),
        Some(4),
        Some(5),
        Some(4),
        Some(5),
        Some(3),
        None,
        Some(4),
    ];
    assert_eq!(found, FAULTS.iter().map(|&(name, _)| name).zip(expected).collect::<Vec<_>>());
}
