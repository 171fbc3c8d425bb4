//! The possible states of a run as JSON: for each pairing of objects its states, with what is on its way.

use super::super::rules::Rules;
use interplay_judge::{Configuration, Kept, Pairing};
use interplay_model::{ActionId, LocationId, Model};
use interplay_semantics::{Event, State, Value, value_from_json, value_to_json};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn save(model: &Model, rules: &Rules) -> Json {
    let world = |(states, pairing): &(Arc<BTreeSet<Configuration>>, Pairing)| {
        let states: Vec<Json> = states.iter().map(|each| configuration(model, each)).collect();
        json!({ "objects": pairing.numbers(), "states": states })
    };
    let summary = &rules.summary;
    json!({
        "judged": summary.judged,
        "not_judged": summary.skipped,
        "refusals": summary.refusals,
        "because": summary.because,
        "possible": rules.kept().map(|kept| kept.iter().map(world).collect::<Vec<_>>()),
    })
}

/// Goes on from there. The error says what does not fit.
pub(super) fn restore(model: &Model, rules: &mut Rules, saved: &Json) -> Result<(), String> {
    if saved.is_null() {
        return Err("it does not say where the rules were (--properties-only goes on without them)".into());
    }
    let unfit = "the states that were possible do not fit the specification";
    let worlds = saved.get("possible").and_then(Json::as_array);
    let kept = worlds.map(|worlds| worlds.iter().map(|world| read(model, world)).collect::<Option<Kept>>());
    let kept = kept.map(|kept| kept.ok_or(unfit)).transpose()?;
    if !rules.resume(kept) {
        return Err(unfit.into());
    }
    let number = |key: &str| saved.get(key).and_then(Json::as_u64).unwrap_or(0);
    rules.summary.judged = number("judged");
    rules.summary.skipped = number("not_judged");
    rules.summary.refusals = number("refusals");
    rules.summary.because = saved.get("because").and_then(Json::as_str).map(Into::into);
    Ok(())
}

fn read(model: &Model, world: &Json) -> Option<(Arc<BTreeSet<Configuration>>, Pairing)> {
    let numbers: Vec<Vec<u32>> = serde_json::from_value(world.get("objects")?.clone()).ok()?;
    let states = world.get("states")?.as_array()?;
    let states: Option<BTreeSet<Configuration>> = states.iter().map(|each| read_configuration(model, each)).collect();
    (numbers.len() == model.types.objects.len()).then_some((Arc::new(states?), Pairing::from_numbers(numbers)))
}

/// A variable that is set stands in a list of its own, so that it can be told from one that is not.
fn configuration(model: &Model, each: &Configuration) -> Json {
    let Configuration { state, transit } = each;
    let variables = model.variables.iter().zip(&state.variables);
    let variables =
        variables.map(|(variable, value)| value.as_ref().map(|value| [value_to_json(model, &variable.ty, value)]));
    json!({
        "variables": variables.collect::<Vec<_>>(),
        "locations": state.locations.iter().map(|place| place.map(|place| place.0)).collect::<Vec<_>>(),
        "objects": state.objects,
        "transit": transit.iter().map(|event| self::event(model, event)).collect::<Vec<_>>(),
    })
}

fn read_configuration(model: &Model, json: &Json) -> Option<Configuration> {
    let variables = json.get("variables")?.as_array()?;
    if variables.len() != model.state_size() {
        return None;
    }
    let variable = |(at, json): (usize, &Json)| -> Option<Option<Value>> {
        match json {
            Json::Null => Some(None),
            json => value_from_json(model, &model.variables[at].ty, json.get(0)?).ok().map(Some),
        }
    };
    let locations: Vec<Option<usize>> = serde_json::from_value(json.get("locations")?.clone()).ok()?;
    let objects: Vec<u32> = serde_json::from_value(json.get("objects")?.clone()).ok()?;
    let fits = locations.len() == model.components.len()
        && objects.len() == model.types.objects.len()
        && locations.iter().flatten().all(|place| *place < model.locations.len());
    let state = State {
        variables: variables.iter().enumerate().map(variable).collect::<Option<_>>()?,
        locations: locations.into_iter().map(|place| place.map(LocationId)).collect(),
        objects,
    };
    let transit = json.get("transit")?.as_array()?.iter().map(|json| read_event(model, json)).collect::<Option<_>>()?;
    fits.then_some(Configuration { state, transit })
}

fn event(model: &Model, event: &Event) -> Json {
    let action = &model.actions[event.action.0];
    let args = action.params.iter().zip(&event.args).map(|(param, value)| value_to_json(model, &param.ty, value));
    json!({ "action": action.name, "args": args.collect::<Vec<_>>() })
}

fn read_event(model: &Model, json: &Json) -> Option<Event> {
    let id: ActionId = model.action_named(json.get("action")?.as_str()?)?;
    let args = model.actions[id.0].params.iter().zip(json.get("args")?.as_array()?);
    let args: Result<Vec<Value>, String> = args.map(|(param, json)| value_from_json(model, &param.ty, json)).collect();
    Some(Event::new(id, args.ok()?))
}
