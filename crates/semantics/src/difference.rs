//! States as text: all of one, or what differs between two, told at the finest place that can be named.

use crate::show::{show_name, show_value};
use crate::{State, Value};
use interplay_model::{LocationId, Model, Owner, Type, Variable};
use std::collections::BTreeSet;

/// `at Idle` and `name = value` lines; a variable that was never set is said to be so.
pub fn show_state(model: &Model, state: &State) -> Vec<String> {
    let locations = state.locations.iter().flatten().map(|location| format!("at {}", show_location(model, *location)));
    let objects = model.types.objects.iter().zip(&state.objects);
    let objects = objects.map(|(object, count)| format!("{}.count = {count}", show_name(&object.name)));
    let variables = model.variables.iter().zip(&state.variables).map(|(variable, value)| match value {
        Some(value) => format!("{} = {}", variable_name(variable), show_value(model, &variable.ty, value)),
        None => format!("{} is unset", variable_name(variable)),
    });
    locations.chain(objects).chain(variables).collect()
}

/// `at Idle -> Busy`, `members[Client#0][Client#1]: [] -> ["hi"]`; nothing for equal states.
pub fn show_difference(model: &Model, before: &State, after: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for (old, new) in before.locations.iter().zip(&after.locations).filter(|(old, new)| old != new) {
        let show = |location: &Option<LocationId>| location.map_or("nowhere".into(), |id| show_location(model, id));
        lines.push(format!("at {} -> {}", show(old), show(new)));
    }
    for (index, object) in model.types.objects.iter().enumerate() {
        let (old, new) = (before.objects[index], after.objects[index]);
        if old != new {
            lines.push(format!("{}.count: {old} -> {new}", show_name(&object.name)));
        }
    }
    for (index, variable) in model.variables.iter().enumerate().take(before.variables.len()) {
        let pair = (before.variables[index].as_ref(), after.variables[index].as_ref());
        compare(model, variable_name(variable), &variable.ty, pair, &mut lines);
    }
    lines
}

/// `Idle`, or `Door.Open` for a location of a component inside the system.
pub fn show_location(model: &Model, id: LocationId) -> String {
    let location = &model.locations[id.0];
    match location.component.0 {
        0 => show_name(&location.name),
        component => format!("{}.{}", show_name(&model.components[component].name), show_name(&location.name)),
    }
}

pub(crate) fn variable_name(variable: &Variable) -> String {
    match variable.owner {
        // What a `collect` node has received bears a made-up name, which nobody can write anyway.
        Owner::Node(_) => variable.name.clone(),
        _ => show_name(&variable.name),
    }
}

type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

fn compare(model: &Model, place: String, ty: &Type, pair: Pair, lines: &mut Vec<String>) {
    if pair.0 == pair.1 {
        return;
    }
    match (pair, model.types.strip(ty)) {
        ((Some(Value::Map(old)), Some(Value::Map(new))), Type::Map(key_type, value_type)) => {
            for key in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                let place = format!("{place}[{}]", show_value(model, key_type, key));
                compare(model, place, value_type, (old.get(key), new.get(key)), lines);
            }
        }
        ((Some(Value::Tuple(old)), Some(Value::Tuple(new))), ty) => {
            for (index, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                let (name, part) = field(model, ty, index);
                compare(model, format!("{place}.{name}"), part, (Some(old), Some(new)), lines);
            }
        }
        ((old, new), ty) => {
            let show = |value: Option<&Value>| value.map_or("unset".into(), |value| show_value(model, ty, value));
            lines.push(format!("{place}: {} -> {}", show(old), show(new)));
        }
    }
}

/// The name and type of a field of a record, or of a part of a tuple.
pub(crate) fn field<'m>(model: &'m Model, ty: &'m Type, index: usize) -> (String, &'m Type) {
    match model.types.strip(ty) {
        Type::Record(id) => {
            let (name, ty) = &model.types.records[id.0].fields[index];
            (show_name(name), ty)
        }
        Type::Tuple(parts) => (index.to_string(), &parts[index]),
        _ => (index.to_string(), &Type::Unknown),
    }
}
