//! A plan as JSON, to be kept in files and tokens: `0` is listening; a list of `["name", argument, ...]` gives those inputs.

use crate::conversation::{Act, Plan};
use interplay_model::{Direction, Model};
use interplay_semantics::{Event, Label, value_from_json, value_to_json};
use serde_json::Value as Json;

pub fn plan_to_json(model: &Model, plan: &Plan) -> Json {
    let event = |event: &Event| {
        let action = &model.actions[event.action.0];
        let args = event.args.iter().zip(&action.params).map(|(value, param)| value_to_json(model, &param.ty, value));
        Json::from([Json::from(action.name.clone())].into_iter().chain(args).collect::<Vec<_>>())
    };
    let act = |act: &Act| match act {
        Act::Give(Label::Step { inputs, .. }) => Json::from(inputs.iter().map(event).collect::<Vec<_>>()),
        _ => Json::from(0),
    };
    plan.iter().map(act).collect()
}

/// The error says what does not fit the specification.
pub fn plan_from_json(model: &Model, json: &Json) -> Result<Plan, String> {
    let acts = json.as_array().ok_or("a plan is a list")?;
    acts.iter().map(|act| act_from_json(model, act)).collect()
}

fn act_from_json(model: &Model, json: &Json) -> Result<Act, String> {
    match json.as_array() {
        None => Ok(Act::Listen),
        Some(events) => {
            let inputs: Result<Vec<Event>, String> = events.iter().map(|event| event_from_json(model, event)).collect();
            Ok(Act::Give(Label::step(inputs?, [])))
        }
    }
}

fn event_from_json(model: &Model, json: &Json) -> Result<Event, String> {
    let wrong = || format!("an input is a list of its name and its arguments, not {json}");
    let (name, args) = json.as_array().and_then(|parts| parts.split_first()).ok_or_else(wrong)?;
    let name = name.as_str().ok_or_else(wrong)?;
    let id = model.action_named(name).ok_or_else(|| format!("the specification has no action `{name}`"))?;
    let action = &model.actions[id.0];
    if action.direction != Direction::Input || action.params.len() != args.len() {
        return Err(format!("`{name}` is not an input with {} arguments", args.len()));
    }
    let args: Result<Vec<_>, String> =
        args.iter().zip(&action.params).map(|(json, param)| value_from_json(model, &param.ty, json)).collect();
    Ok(Event::new(id, args?))
}
