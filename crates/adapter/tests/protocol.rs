//! The document of the protocol: its messages are understood, and its conversations take place word by word.

use crate::common::*;
use interplay_adapter::{Connection, Implementation, Limits, Settings, connect_to};
use interplay_model::Model;
use interplay_semantics::{Event, value_from_json};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

const DOCUMENT: &str = include_str!("../../../docs/reference/protocol.md");

/// The blocks of one kind, in order.
fn blocks(kind: &str) -> Vec<&'static str> {
    let fence = format!("```{kind}\n");
    DOCUMENT.split(&fence).skip(1).map(|rest| rest.split("```").next().expect("there is a first part")).collect()
}

#[test]
fn every_message_in_the_tables_is_one() {
    let cells =
        DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `{\"type\"")).map(|rest| format!("{{\"type\"{rest}"));
    let messages: Vec<String> =
        cells.map(|cell| cell.split('`').next().expect("there is a first part").to_string()).collect();
    assert!(messages.len() >= 17, "{messages:#?}");
    for message in messages {
        let json: Json = serde_json::from_str(&message).unwrap_or_else(|error| panic!("{error}: {message}"));
        assert!(json["type"].is_string(), "{message}");
    }
}

#[test]
fn the_conversations_take_place() {
    let (specifications, conversations) = (blocks("play"), blocks("text"));
    assert_eq!(specifications.len(), conversations.len());
    assert!(conversations.len() >= 3);
    for (specification, conversation) in specifications.into_iter().zip(conversations) {
        play(model(specification), conversation);
    }
}

/// The adapter keeps to the script, and complains about every line that is not in it.
fn play(model: Arc<Model>, conversation: &'static str) {
    let (read, mut their_write) = std::io::pipe().expect("there are pipes");
    let (their_read, write) = std::io::pipe().expect("there are pipes");
    let script = std::thread::spawn(move || {
        let mut lines = BufReader::new(their_read).lines();
        for line in conversation.lines() {
            match line.strip_prefix("adapter    ") {
                Some(said) => writeln!(their_write, "{said}").expect("Interplay reads"),
                None => {
                    let wanted = line.strip_prefix("interplay  ").expect("one of both speaks");
                    let said = lines.next().expect("Interplay speaks").expect("in UTF-8");
                    let [wanted, said]: [Json; 2] =
                        [wanted, &said].map(|text| serde_json::from_str(text).expect("JSON"));
                    assert_eq!(said, wanted);
                }
            }
        }
    });
    let connection = connect_to(read, write, model.clone(), &Settings::default(), &Limits::default());
    let mut connection = connection.unwrap_or_else(|trouble| panic!("{trouble:?}"));
    let mut seen: HashMap<String, u32> = HashMap::new();
    for line in conversation.lines() {
        let (side, message) = line.split_at(11);
        let message: Json = serde_json::from_str(message).expect("JSON");
        if side.starts_with("interplay") {
            send(&mut connection, &model, &message, &mut seen);
        } else if message["type"] == "output" {
            let output = connection.observe(LONG).expect("it is understood").expect("it came");
            assert_eq!(model.actions[output.event.action.0].name, message["action"].as_str().unwrap_or_default());
        }
    }
    drop(connection);
    script.join().expect("the conversation goes as written");
}

/// Does what Interplay would do to send this message.
fn send(connection: &mut Connection, model: &Model, message: &Json, seen: &mut HashMap<String, u32>) {
    let mut event = |message: &Json| {
        let action = model.action_named(message["action"].as_str().expect("it has a name")).expect("it is declared");
        let params = model.actions[action.0].params.iter();
        let args = params.map(|param| match model.types.strip(&param.ty) {
            interplay_model::Type::Object(object) => {
                let next = seen.len() as u32;
                let index = *seen.entry(message["args"][&param.name].to_string()).or_insert(next);
                interplay_semantics::Value::Object { object: *object, index }
            }
            ty => value_from_json(model, ty, &message["args"][&param.name]).expect("it is a value"),
        });
        Event::new(action, args.collect())
    };
    match message["type"].as_str().expect("it has a type") {
        "configure" | "bye" => Ok(()),
        "reset" => connection.reset(LONG),
        "input" => connection.input(&event(message), LONG).map(|_| ()),
        "step" => {
            let inputs: Vec<Event> = message["inputs"].as_array().expect("a list").iter().map(&mut event).collect();
            connection.step(&inputs, LONG).map(|_| ())
        }
        "enabled" => connection.enabled(LONG).map(|events| assert!(events.is_some())),
        "snapshot" => connection.snapshot(LONG).map(|state| assert!(state.is_some())),
        other => panic!("Interplay does not say `{other}`"),
    }
    .unwrap_or_else(|trouble| panic!("{trouble:?}"));
}
