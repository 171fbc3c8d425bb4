//! What an adapter says of itself, and how that differs from the specification.

use crate::message::{ActionMessage, Message};
use crate::{Hello, HelloAction, Trouble};
use interplay_diagnostics::did_you_mean;
use interplay_model::{Action, ActionId, Direction, Model, Type};
use interplay_semantics::{show_action, show_direction};
use serde::Deserialize;
use serde_json::Value as Json;

/// The announcement and the optional messages.
pub(crate) fn read(message: Message) -> Result<(Hello, Vec<String>), Trouble> {
    let announced = message.actions.unwrap_or(Json::Array(Vec::new()));
    let wrong = |problem: String| Trouble::out_of_turn(format!("the `actions` of `hello`: {problem}"));
    let announced = Vec::<ActionMessage>::deserialize(announced).map_err(|error| wrong(error.to_string()))?;
    let mut actions = Vec::new();
    for ActionMessage { name, direction, parameters, types, result } in announced {
        let direction = match direction.as_str() {
            "input" => Direction::Input,
            "output" => Direction::Output,
            other => return Err(wrong(format!("the direction of `{name}` is `{other}`, not `input` or `output`"))),
        };
        actions.push(HelloAction { name, direction, parameters, types, result });
    }
    Ok((Hello { name: message.name, actions }, message.features.unwrap_or_default()))
}

/// How the announcement differs from the specification, one sentence each; nothing if nothing was announced.
pub fn differences(model: &Model, hello: &Hello) -> Vec<String> {
    [contradictions(model, hello), strangers(model, hello), missing(model, hello)].concat()
}

/// Why nothing that the adapter says or is told could be trusted: it knows an action in another form, or by another name. One that knows more than
/// the specification names is no mistake: the specification is about a part of it.
pub(crate) fn misfits(model: &Model, hello: &Hello) -> Vec<String> {
    let (mut found, strangers, missing) =
        (contradictions(model, hello), strangers(model, hello), missing(model, hello));
    if !strangers.is_empty() && !missing.is_empty() {
        found.extend(strangers.into_iter().chain(missing));
    }
    found
}

fn visible(model: &Model) -> impl Iterator<Item = &Action> {
    model.actions.iter().filter(|action| action.direction != Direction::Internal)
}

/// Actions that both have, but not in the same form.
fn contradictions(model: &Model, hello: &Hello) -> Vec<String> {
    let known = |announced: &HelloAction| visible(model).find(|action| action.name == announced.name);
    hello.actions.iter().filter_map(|announced| difference(model, known(announced)?, announced)).collect()
}

/// Actions that only the adapter has.
fn strangers(model: &Model, hello: &Hello) -> Vec<String> {
    let names: Vec<&str> = visible(model).map(|action| action.name.as_str()).collect();
    let unknown = hello.actions.iter().map(|announced| &announced.name).filter(|name| !names.contains(&name.as_str()));
    let told = |name: &String| {
        let help = did_you_mean(name, names.iter().copied()).map(|help| format!("; {help}")).unwrap_or_default();
        format!("the adapter announces `{name}`, which the specification does not have{help}")
    };
    unknown.map(told).collect()
}

/// Actions that only the specification has.
fn missing(model: &Model, hello: &Hello) -> Vec<String> {
    let missing = unannounced(model, hello).into_iter().map(|id| show_action(&model.actions[id.0]));
    missing.map(|action| format!("the adapter does not announce the {action}")).collect()
}

/// The inputs and outputs of the specification that the adapter does not know; none if it announced nothing.
pub fn unannounced(model: &Model, hello: &Hello) -> Vec<ActionId> {
    let known = |action: &Action| hello.actions.is_empty() || hello.actions.iter().any(|each| each.name == action.name);
    let unknown = |(_, action): &(usize, &Action)| action.direction != Direction::Internal && !known(action);
    model.actions.iter().enumerate().filter(unknown).map(|(index, _)| ActionId(index)).collect()
}

fn difference(model: &Model, action: &Action, announced: &HelloAction) -> Option<String> {
    let name = &action.name;
    if action.direction != announced.direction {
        let (here, there) = (show_direction(action.direction), show_direction(announced.direction));
        return Some(format!("`{name}` is an {here} of the specification, but the adapter announces it as an {there}"));
    }
    let params: Vec<&str> = action.params.iter().map(|param| param.name.as_str()).collect();
    let lacks = params.iter().any(|param| !announced.parameters.iter().any(|each| each == param));
    let more = announced.parameters.len() > params.len();
    if lacks || more {
        let (params, announced) = (params.join(", "), announced.parameters.join(", "));
        return Some(format!("`{name}` has the parameters ({params}), but the adapter announces ({announced})"));
    }
    let params = action
        .params
        .iter()
        .map(|param| (format!("`{}`", param.name), Some(&param.ty), announced.types.get(&param.name)));
    let result = ("the result".to_string(), action.result.as_ref(), announced.result.as_ref());
    params.chain([result]).find_map(|(what, ty, kind)| {
        let (ty, kind) = (ty?, kind?);
        let shown = model.types.show(ty);
        (!fits(model, ty, kind))
            .then(|| format!("{what} of `{name}`: expected {shown}, but the adapter announces {kind}"))
    })
}

/// Whether values of a type may be written as this kind of JSON. A kind that nobody knows is not compared.
fn fits(model: &Model, ty: &Type, kind: &str) -> bool {
    if let Some(outcome) = model.types.outcome(ty) {
        return outcome.variants[0].payload.first().is_none_or(|ty| fits(model, ty, kind));
    }
    let kinds: &[&str] = match model.types.strip(ty) {
        Type::Bool => &["boolean"],
        Type::Int | Type::Range(_) => &["integer"],
        Type::String => &["string"],
        Type::Enum(_) => &["string", "object"],
        Type::Record(_) => &["object"],
        Type::Tuple(_) | Type::Seq(_) | Type::Set(_) => &["array"],
        Type::Map(..) => &["object", "array"],
        Type::Object(_) => &["string", "integer"],
        Type::Option(inner) => return kind == "object" || fits(model, inner, kind),
        Type::Alias(_) | Type::Unknown => return true,
    };
    !["boolean", "integer", "string", "array", "object"].contains(&kind) || kinds.contains(&kind)
}
