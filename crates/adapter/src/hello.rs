//! What an adapter says of itself, and how that differs from the specification.

use crate::message::{ActionMessage, Message};
use crate::{Hello, HelloAction, Trouble};
use interplay_diagnostics::did_you_mean;
use interplay_model::{Action, ActionId, Direction, Model};
use interplay_semantics::{show_action, show_direction};
use serde::Deserialize;
use serde_json::Value as Json;

/// The announcement and the optional messages.
pub(crate) fn read(message: Message) -> Result<(Hello, Vec<String>), Trouble> {
    let announced = message.actions.unwrap_or(Json::Array(Vec::new()));
    let wrong = |problem: String| Trouble::out_of_turn(format!("the `actions` of `hello`: {problem}"));
    let announced = Vec::<ActionMessage>::deserialize(announced).map_err(|error| wrong(error.to_string()))?;
    let mut actions = Vec::new();
    for ActionMessage { name, direction, parameters } in announced {
        let direction = match direction.as_str() {
            "input" => Direction::Input,
            "output" => Direction::Output,
            other => return Err(wrong(format!("the direction of `{name}` is `{other}`, not `input` or `output`"))),
        };
        actions.push(HelloAction { name, direction, parameters });
    }
    Ok((Hello { name: message.name, actions }, message.features.unwrap_or_default()))
}

/// How the announcement differs from the specification, one sentence each; nothing if nothing was announced.
pub fn differences(model: &Model, hello: &Hello) -> Vec<String> {
    if hello.actions.is_empty() {
        return Vec::new();
    }
    let visible: Vec<&Action> = model.actions.iter().filter(|action| action.direction != Direction::Internal).collect();
    let mut found = Vec::new();
    for announced in &hello.actions {
        match visible.iter().find(|action| action.name == announced.name) {
            Some(action) => found.extend(difference(action, announced)),
            None => {
                let help = did_you_mean(&announced.name, visible.iter().map(|action| action.name.as_str()));
                let help = help.map(|help| format!("; {help}")).unwrap_or_default();
                found.push(format!(
                    "the adapter announces `{}`, which the specification does not have{help}",
                    announced.name
                ));
            }
        }
    }
    let missing = unannounced(model, hello).into_iter().map(|id| show_action(&model.actions[id.0]));
    found.extend(missing.map(|action| format!("the adapter does not announce the {action}")));
    found
}

/// The inputs and outputs of the specification that the adapter does not know; none if it announced nothing.
pub fn unannounced(model: &Model, hello: &Hello) -> Vec<ActionId> {
    let known = |action: &Action| hello.actions.is_empty() || hello.actions.iter().any(|each| each.name == action.name);
    let unknown = |(_, action): &(usize, &Action)| action.direction != Direction::Internal && !known(action);
    model.actions.iter().enumerate().filter(unknown).map(|(index, _)| ActionId(index)).collect()
}

fn difference(action: &Action, announced: &HelloAction) -> Option<String> {
    let name = &action.name;
    if action.direction != announced.direction {
        let (here, there) = (show_direction(action.direction), show_direction(announced.direction));
        return Some(format!("`{name}` is an {here} of the specification, but the adapter announces it as an {there}"));
    }
    let params: Vec<&str> = action.params.iter().map(|param| param.name.as_str()).collect();
    let lacks = params.iter().any(|param| !announced.parameters.iter().any(|each| each == param));
    let more = announced.parameters.len() > params.len();
    (lacks || more).then(|| {
        let (params, announced) = (params.join(", "), announced.parameters.join(", "));
        format!("`{name}` has the parameters ({params}), but the adapter announces ({announced})")
    })
}
