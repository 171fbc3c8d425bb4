//! Between events of a model and the text of messages. What never changes of an action is written once, at the beginning.
//!
//! Objects have the implementation's own identities outside, which are numbered here in the order in which they are first
//! mentioned in a run.

use interplay_model::{ActionId, Direction, Model, ObjectId};
use interplay_semantics::{Event, Identities, Value, value_from_json_with, value_to_json, value_to_json_with};
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::sync::Arc;

/// Events of a model as JSON and back, with the implementation's own identities of objects.
pub struct Codec {
    model: Arc<Model>,
    actions: Vec<Written>,
    by_name: HashMap<String, ActionId>,
    names: Names,
}

/// The fixed parts of an action's text.
struct Written {
    /// `"action":"press","args":{`
    start: String,
    /// `"floor":`, the later ones with a comma before.
    params: Vec<String>,
}

impl Codec {
    pub fn new(model: Arc<Model>) -> Codec {
        let quoted = |text: &str| Json::from(text).to_string();
        let written = |action: &interplay_model::Action| Written {
            start: format!("\"action\":{},\"args\":{{", quoted(&action.name)),
            params: action
                .params
                .iter()
                .enumerate()
                .map(|(index, param)| format!("{}{}:", if index == 0 { "" } else { "," }, quoted(&param.name)))
                .collect(),
        };
        let actions = model.actions.iter().map(written).collect();
        let visible = model.actions.iter().enumerate().filter(|(_, action)| action.direction != Direction::Internal);
        let by_name = visible.map(|(index, action)| (action.name.clone(), ActionId(index))).collect();
        let names = Names(model.types.objects.iter().map(|_| Known::default()).collect());
        Codec { model, actions, by_name, names }
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// Nobody has been mentioned yet.
    pub fn forget(&mut self) {
        self.names.0.iter_mut().for_each(|known| *known = Known::default());
    }

    /// Writes `"action":"press","args":{"floor":3}`.
    pub(crate) fn write(&mut self, event: &Event, text: &mut Vec<u8>) {
        let written = &self.actions[event.action.0];
        text.extend_from_slice(written.start.as_bytes());
        let params = &self.model.actions[event.action.0].params;
        for ((name, param), value) in written.params.iter().zip(params).zip(&event.args) {
            text.extend_from_slice(name.as_bytes());
            match value {
                Value::Int(value) => _ = write!(text, "{value}"),
                Value::Bool(value) => _ = write!(text, "{value}"),
                value => {
                    let json = value_to_json_with(&self.model, &mut self.names, &param.ty, value);
                    _ = serde_json::to_writer(&mut *text, &json);
                }
            }
        }
        text.push(b'}');
    }

    /// The arguments of an event, in order.
    pub fn arguments(&mut self, event: &Event) -> Vec<Json> {
        let params = &self.model.actions[event.action.0].params;
        let each = event.args.iter().zip(params);
        each.map(|(value, param)| value_to_json_with(&self.model, &mut self.names, &param.ty, value)).collect()
    }

    /// An event of this direction; the error says what is wrong with it.
    pub fn read(&mut self, direction: Direction, name: &str, args: Option<&Json>) -> Result<Event, String> {
        let action = self.known(direction, name)?;
        let params = &self.model.actions[action.0].params;
        let mut values = Vec::with_capacity(params.len());
        for param in params {
            let Some(json) = args.and_then(|args| args.get(&param.name)) else {
                return Err(format!("`{name}` lacks its argument `{}`", param.name));
            };
            let value = value_from_json_with(&self.model, &mut self.names, &param.ty, json);
            values.push(value.map_err(|problem| format!("the argument `{}` of `{name}`: {problem}", param.name))?);
        }
        Ok(Event::new(action, values))
    }

    /// What an input returned, if it returns something.
    pub fn read_result(&mut self, action: ActionId, json: Option<&Json>) -> Result<Option<Value>, String> {
        let action = &self.model.actions[action.0];
        let Some(ty) = &action.result else { return Ok(None) };
        let value = value_from_json_with(&self.model, &mut self.names, ty, json.unwrap_or(&Json::Null));
        value.map(Some).map_err(|problem| format!("the result of `{}`: {problem}", action.name))
    }

    /// An exception that the input may raise, by the first of its names that the specification knows.
    pub(crate) fn read_exception(&self, action: ActionId, names: &[String]) -> Option<Value> {
        let outcome = self.model.types.outcome(self.model.actions[action.0].result.as_ref()?)?;
        let case = |name: &String| outcome.variants.iter().skip(1).position(|case| case.name == *name);
        names.iter().find_map(case).map(|index| Value::variant(index + 1))
    }

    /// All that some input may raise.
    pub(crate) fn exceptions(&self) -> Vec<String> {
        let outcomes = self.model.types.enums.iter().filter(|each| each.is_outcome);
        let names: BTreeSet<&String> =
            outcomes.flat_map(|each| each.variants.iter().skip(1)).map(|each| &each.name).collect();
        names.into_iter().cloned().collect()
    }

    pub(crate) fn constant(&self, name: &str, value: &Value) -> Option<Json> {
        let constant = self.model.constants.iter().find(|constant| constant.name == name)?;
        Some(value_to_json(&self.model, &constant.ty, value))
    }

    pub(crate) fn known(&self, direction: Direction, name: &str) -> Result<ActionId, String> {
        let word = if direction == Direction::Input { "input" } else { "output" };
        match self.by_name.get(name) {
            Some(action) if self.model.actions[action.0].direction == direction => Ok(*action),
            Some(_) => Err(format!("`{name}` is no {word} of the specification")),
            None => Err(format!("the specification has no action `{name}`")),
        }
    }
}

/// The identities that the implementation uses, for each kind of object.
struct Names(Vec<Known>);

#[derive(Default)]
struct Known {
    names: Vec<Json>,
    numbers: HashMap<String, u32>,
}

impl Known {
    fn number(&mut self, name: &Json) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(name.to_string()).or_insert(next);
        if number == next {
            self.names.push(name.clone());
        }
        number
    }
}

impl Identities for Names {
    /// An object that only Interplay knows gets a name from it.
    fn write(&mut self, model: &Model, object: ObjectId, index: u32) -> Json {
        let known = &mut self.0[object.0];
        while known.names.len() <= index as usize {
            let name = format!("{}#{}", model.types.objects[object.0].name, known.names.len());
            known.number(&Json::from(name));
        }
        known.names[index as usize].clone()
    }

    fn read(&mut self, _: &Model, object: ObjectId, json: &Json) -> Option<u32> {
        matches!(json, Json::String(_) | Json::Number(_)).then(|| self.0[object.0].number(json))
    }
}
