//! Between events of the specification and calls of the system: JSON by type, names as they are or in `snake_case`.

use super::system::{Arguments, Input};
use interplay_adapter::{Codec, Hello, HelloAction};
use interplay_model::{Action, Direction, Model};
use interplay_semantics::{Event, Value};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The inputs of a system, found in a specification.
pub(crate) struct Calls {
    codec: Codec,
    model: Arc<Model>,
    /// The number of the input, by action.
    numbers: Vec<Option<usize>>,
}

impl Calls {
    pub(crate) fn new(model: Arc<Model>, inputs: &[Input]) -> Calls {
        let number = |action: &Action| inputs.iter().position(|input| input.name == action.name);
        let numbers = model.actions.iter().map(number).collect();
        Calls { codec: Codec::new(model.clone()), model, numbers }
    }

    /// Objects of the last run are forgotten.
    pub(crate) fn begin(&mut self) {
        self.codec.forget();
    }

    /// The number of the input and its arguments; `None` if the system has no such input.
    pub(crate) fn call(&mut self, event: &Event) -> Option<(usize, Arguments)> {
        let number = self.numbers[event.action.0]?;
        let values = self.codec.arguments(event);
        let action = &self.model.actions[event.action.0];
        let names = action.params.iter().map(|param| param.name.clone());
        Some((number, Arguments::new(&action.name, names.zip(values).collect())))
    }

    pub(crate) fn result(&mut self, event: &Event, json: &Json) -> Result<Option<Value>, String> {
        self.codec.read_result(event.action, Some(json))
    }

    /// An output as the system wrote it: `"opened"`, `{"arrived": {"floor": 3}}`, `{"arrived": 3}`.
    pub(crate) fn output(&mut self, said: &Json) -> Result<Event, String> {
        let (name, rest) = match said {
            Json::String(name) => (name.clone(), Json::Null),
            Json::Object(fields) if fields.len() == 1 => {
                let (name, rest) =
                    fields.iter().next().map(|(name, rest)| (name.clone(), rest.clone())).unwrap_or_default();
                (name, rest)
            }
            other => return Err(format!("{other} is no output: emit a name, or an enum")),
        };
        let declared = |name: &str| self.model.actions.iter().find(|action| action.name == name);
        let action = declared(&name).or_else(|| declared(&snake_case(&name)));
        let Some(action) = action else { return Err(format!("the specification has no output `{name}`")) };
        let args = named(action, rest);
        let name = action.name.clone();
        self.codec.read(Direction::Output, &name, Some(&Json::Object(args)))
    }
}

/// Arguments by name, in order, or a single one by itself.
fn named(action: &Action, rest: Json) -> Map<String, Json> {
    let names = || action.params.iter().map(|param| param.name.clone());
    match rest {
        Json::Object(fields) if action.params.iter().all(|param| fields.contains_key(&param.name)) => fields,
        Json::Array(values) if action.params.len() != 1 => names().zip(values).collect(),
        Json::Null if action.params.len() != 1 => Map::new(),
        one => names().zip([one]).collect(),
    }
}

/// `DoorOpened` as `door_opened`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// What the system says of itself. Outputs are not declared in Rust, so it may make all of them.
pub(crate) fn hello(model: &Model, name: &str, inputs: &[Input]) -> Hello {
    let declared = |name: &str| model.actions.iter().find(|action| action.name == name);
    let input = |input: &Input| {
        // Arguments come in order, so that only their number can be wrong.
        let same = declared(input.name).filter(|action| action.params.len() == input.parameters.len());
        let parameters = match same {
            Some(action) => action.params.iter().map(|param| param.name.clone()).collect(),
            None => input.parameters.iter().map(|name| name.to_string()).collect(),
        };
        action(input.name, Direction::Input, parameters)
    };
    let outputs = model.actions.iter().filter(|action| action.direction == Direction::Output);
    let output = |output: &Action| {
        action(&output.name, Direction::Output, output.params.iter().map(|param| param.name.clone()).collect())
    };
    Hello { name: name.into(), actions: inputs.iter().map(input).chain(outputs.map(output)).collect() }
}

fn action(name: &str, direction: Direction, parameters: Vec<String>) -> HelloAction {
    HelloAction { name: name.into(), direction, parameters, types: BTreeMap::new(), result: None }
}

#[test]
fn variants_are_outputs() {
    assert_eq!([snake_case("DoorOpened"), snake_case("opened"), snake_case("A")], ["door_opened", "opened", "a"]);
}
