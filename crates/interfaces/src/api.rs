//! The JSON API: what is sent and what comes back. `docs/reference/run.md` describes it; every answer is an object, and a mistake
//! is one with `error`.

use crate::view::View;
use crate::words;
use interplay_services::{Entry, Input, Param, ParamKind, Prompt, Said};
use serde_json::{Map, Value as Json, json};

/// More events at once are not taken.
const MOST_EVENTS: usize = 1_000;

/// A session at one moment.
pub(crate) fn document(view: &View) -> Json {
    let (needed, optional) = view.prompts();
    let all = |prompts: &[&Prompt]| prompts.iter().map(|prompt| asked(view, prompt)).collect::<Vec<_>>();
    let wrong = view.standing.wrong.as_ref().map(|wrong| {
        let actions: Vec<&str> = wrong.inputs.iter().map(|input| view.inputs[*input].name.as_str()).collect();
        json!({ "check": wrong.check, "actions": actions })
    });
    json!({
        "session": view.session,
        "turn": view.turn,
        "service": view.service,
        "place": view.standing.place,
        "ended": view.standing.ended,
        "needed": all(&needed),
        "optional": all(&optional),
        "wrong": wrong,
        "waiting": view.waiting,
        "moving": view.standing.moving,
        "broken": view.broken,
        "state": view.standing.state,
        "places": view.places,
        "log": view.log.iter().map(entry).collect::<Vec<_>>(),
    })
}

/// What the service is called and what can be said to it.
pub(crate) fn description(view: &View, shared: bool) -> Json {
    let inputs: Vec<Json> = view.inputs.iter().map(input).collect();
    json!({ "service": view.service, "shared": shared, "inputs": inputs })
}

fn asked(view: &View, prompt: &Prompt) -> Json {
    let asked = view.input(prompt);
    let mut document = input(asked);
    if let Some(given) = &prompt.given {
        let given: Map<String, Json> = asked
            .params
            .iter()
            .zip(given)
            .map(|(param, text)| (param.name.clone(), Json::from(text.as_str())))
            .collect();
        document["given"] = Json::Object(given);
    }
    document
}

fn input(input: &Input) -> Json {
    let parameters: Vec<Json> = input.params.iter().map(parameter).collect();
    json!({ "action": input.name, "about": input.doc, "parameters": parameters })
}

fn parameter(param: &Param) -> Json {
    let name = &param.name;
    match &param.kind {
        ParamKind::OneOf(values) => json!({ "name": name, "type": "one of", "values": values }),
        ParamKind::Number(None) => json!({ "name": name, "type": "number" }),
        ParamKind::Number(Some((low, high))) => json!({ "name": name, "type": "number", "from": low, "to": high }),
        ParamKind::Text => json!({ "name": name, "type": "text" }),
        ParamKind::Other(how) => json!({ "name": name, "type": "json", "about": how }),
    }
}

fn entry(entry: &Entry) -> Json {
    match entry {
        Entry::Taken { text, result: None } => json!({ "taken": text }),
        Entry::Taken { text, result: Some(result) } => json!({ "taken": text, "result": result }),
        Entry::Happened(happening) => {
            json!({ "output": happening.text, "action": happening.action, "args": happening.args })
        }
        Entry::Refused { text, reason } => json!({ "refused": text, "reason": reason }),
        Entry::Waits { text } => json!({ "waits": text }),
        Entry::Back { place } => json!({ "back": place }),
        Entry::Again => json!({ "again": true }),
        Entry::Broken { message } => json!({ "broken": message }),
    }
}

/// The events of `{"events":[{"action":"name","args":{"user":"John"}}]}`; the error says what is wrong with it.
pub(crate) fn events(body: &Json, inputs: &[Input]) -> Result<Vec<Said>, String> {
    let Some(list) = body["events"].as_array() else {
        return Err("the body must be an object with `events`, a list of {\"action\": NAME, \"args\": {...}}".into());
    };
    if list.len() > MOST_EVENTS {
        return Err(format!("at most {MOST_EVENTS} events can be given at once"));
    }
    list.iter().map(|each| event(each, inputs)).collect()
}

fn event(event: &Json, inputs: &[Input]) -> Result<Said, String> {
    let Some(action) = event["action"].as_str() else { return Err(format!("{event} has no `action`")) };
    let Some(input) = words::find(action, inputs) else {
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        return Err(format!("unknown input `{action}`; the inputs are: {}", names.join(", ")));
    };
    let value = |param: &Param| match &event["args"][&param.name] {
        Json::Null if event["args"].get(&param.name).is_none() => {
            Err(format!("`{action}` lacks its argument `{}`", param.name))
        }
        Json::String(text) => Ok(text.clone()),
        other => Ok(other.to_string()),
    };
    let values = inputs[input].params.iter().map(value).collect::<Result<Vec<String>, String>>()?;
    Ok(Said { input, values })
}
