//! The Informal Trace Format (`.itf.json`) of Apalache and Quint: runs as states, out and in.
//!
//! Out, a state is the values of all variables; `#meta` tells the step that led to it, as the line of a scenario. In, those lines are taken,
//! or what Quint notes of a step: `mbt::actionTaken`, with the arguments in `mbt::nondetPicks` under the names of the
//! parameters. States of other tools are not compared: their variables are not ours.

use interplay_model::{Direction, Model, Type};
use interplay_semantics::{Label, State, Value, scenario_lines, show_name, show_value};
use serde_json::{Map, Value as Json, json};

/// A run: where it starts, and each step with where it leads.
pub fn write(model: &Model, start: &State, steps: &[(Label, State)]) -> Json {
    let lines = scenario_lines(model, steps.iter().map(|(label, _)| label));
    let first = state(model, start, json!({ "index": 0 }));
    let rest = steps
        .iter()
        .zip(lines)
        .enumerate()
        .map(|(index, ((_, target), line))| state(model, target, json!({ "index": index + 1, "step": line })));
    json!({
        "#meta": { "format": "ITF", "source": model.name },
        "vars": names(model).collect::<Vec<_>>(),
        "states": std::iter::once(first).chain(rest).collect::<Vec<_>>(),
    })
}

fn names(model: &Model) -> impl Iterator<Item = String> {
    model.variables.iter().enumerate().map(|(index, variable)| {
        let is_first = model.variables[..index].iter().all(|other| other.name != variable.name);
        // Two components may each have a variable of that name.
        if is_first { variable.name.clone() } else { format!("{}_{index}", variable.name) }
    })
}

fn state(model: &Model, state: &State, meta: Json) -> Json {
    let mut fields = Map::from_iter([("#meta".to_string(), meta)]);
    for (index, (name, variable)) in names(model).zip(&model.variables).enumerate() {
        let value = state.variable(interplay_model::VariableId(index));
        let told =
            value.map_or_else(|| json!({ "#unserializable": "not set" }), |value| tell(model, &variable.ty, value));
        fields.insert(name, told);
    }
    Json::Object(fields)
}

fn tell(model: &Model, ty: &Type, value: &Value) -> Json {
    let ty = model.types.strip(ty);
    let each = |types: &[Type], values: &[Value]| -> Vec<Json> {
        types.iter().zip(values).map(|(ty, value)| tell(model, ty, value)).collect()
    };
    let case = |tag: &str, value: Json| json!({ "tag": tag, "value": value });
    match (value, ty) {
        (Value::Bool(value), _) => json!(value),
        // Readers keep all digits of a text, and lose some of a number.
        (Value::Int(value), _) => json!({ "#bigint": value.to_string() }),
        (Value::String(text), _) => json!(**text),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let variant = &model.types.enums[id.0].variants[*variant];
            case(&variant.name, json!({ "#tup": each(&variant.payload, args) }))
        }
        (Value::Tuple(fields), Type::Record(id)) => {
            let record = model.types.records[id.0].fields.iter().zip(fields.iter());
            record.map(|((name, ty), value)| (name.clone(), tell(model, ty, value))).collect::<Map<_, _>>().into()
        }
        (Value::Tuple(parts), Type::Tuple(types)) => json!({ "#tup": each(types, parts) }),
        (Value::Option(None), _) => case("None", json!({ "#tup": [] })),
        (Value::Option(Some(inner)), Type::Option(ty)) => case("Some", tell(model, ty, inner)),
        (Value::Seq(items), Type::Seq(ty)) => items.iter().map(|item| tell(model, ty, item)).collect(),
        (Value::Set(items), Type::Set(ty)) => {
            json!({ "#set": items.iter().map(|item| tell(model, ty, item)).collect::<Vec<_>>() })
        }
        (Value::Map(pairs), Type::Map(key, ty)) => {
            let pair = |(one, other): (&Value, &Value)| json!([tell(model, key, one), tell(model, ty, other)]);
            json!({ "#map": pairs.iter().map(pair).collect::<Vec<_>>() })
        }
        (value, ty) => json!(show_value(model, ty, value)),
    }
}

/// Whether a JSON document is a trace of this format.
pub fn is_trace(document: &Json) -> bool {
    document.get("vars").is_some_and(Json::is_array) && document.get("states").is_some_and(Json::is_array)
}

/// The lines of a scenario that goes as the trace does; the error says which state tells no step, and why.
pub fn read(model: &Model, document: &Json) -> Result<Vec<String>, String> {
    let states = document.get("states").and_then(Json::as_array).ok_or("the trace has no `states`")?;
    let mut lines = Vec::new();
    for (index, state) in states.iter().enumerate().skip(1) {
        let wrong = |why: String| format!("state {index} of the trace: {why}");
        let ours = state.get("#meta").and_then(|meta| meta.get("step")).and_then(Json::as_str);
        match (ours, state.get("mbt::actionTaken").and_then(Json::as_str)) {
            (Some(line), _) => lines.push(line.to_string()),
            (None, Some(action)) => lines.push(taken(model, action, state).map_err(wrong)?),
            (None, None) => {
                return Err(wrong(
                    "neither `#meta.step` nor `mbt::actionTaken` says which step led here (quint run --mbt notes it)"
                        .into(),
                ));
            }
        }
    }
    Ok(lines)
}

fn taken(model: &Model, name: &str, state: &Json) -> Result<String, String> {
    let Some(action) = model.actions.iter().find(|action| action.name == name) else {
        return Err(format!("the specification has no action `{name}`"));
    };
    if action.direction == Direction::Internal {
        return Err(format!("`{name}` is internal here, and happens by itself"));
    }
    let picks = state.get("mbt::nondetPicks");
    let arg = |param: &interplay_model::Param| {
        let found = picks.and_then(|picks| picks.get(&param.name)).map(picked);
        let found = found.ok_or_else(|| format!("no value for `{}` of `{name}` in `mbt::nondetPicks`", param.name))?;
        heard(model, &param.ty, found).map_err(|why| format!("`{}` of `{name}`: {why}", param.name))
    };
    let args: Vec<String> = action.params.iter().map(arg).collect::<Result<_, _>>()?;
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    Ok(format!("{}{args}", show_name(name)))
}

/// Quint wraps what was picked in an option.
fn picked(json: &Json) -> &Json {
    match json.get("tag").and_then(Json::as_str) {
        Some("Some") => json.get("value").unwrap_or(json),
        _ => json,
    }
}

/// A value in specification syntax.
fn heard(model: &Model, ty: &Type, json: &Json) -> Result<String, String> {
    let wrong = || format!("expected {}, found {json}", model.types.show(ty));
    let several = |key: &str, ty: &Type| -> Result<Vec<String>, String> {
        let items = if key.is_empty() { Some(json) } else { json.get(key) };
        let items = items.and_then(Json::as_array).ok_or_else(wrong)?;
        items.iter().map(|item| heard(model, ty, item)).collect()
    };
    Ok(match model.types.strip(ty) {
        Type::Bool => json.as_bool().ok_or_else(wrong)?.to_string(),
        Type::Int | Type::Range(_) => {
            let big = json.get("#bigint").and_then(Json::as_str).and_then(|digits| digits.parse::<i64>().ok());
            big.or(json.as_i64()).ok_or_else(wrong)?.to_string()
        }
        Type::String => show_value(model, ty, &Value::string(json.as_str().ok_or_else(wrong)?)),
        Type::Enum(id) => {
            let tag = json.get("tag").unwrap_or(json).as_str().ok_or_else(wrong)?;
            let plain = model.types.enums[id.0].variants.iter().find(|variant| variant.name == tag);
            let plain = plain.filter(|variant| variant.payload.is_empty()).ok_or_else(wrong)?;
            show_name(&plain.name)
        }
        Type::Seq(item) => format!("[{}]", several("", item)?.join(", ")),
        Type::Set(item) => format!("{{{}}}", several("#set", item)?.join(", ")),
        _ => return Err(format!("values of type {} are not read from traces", model.types.show(ty))),
    })
}
