//! Values at the border: JSON by type. What stands in a JSON document is meant to be written by hand too, so an enum is
//! its name, `none` is `null`, and a map with names as keys is an object.

use crate::Value;
use interplay_model::{Enum, Model, ObjectId, Record, Type};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// How objects are called on the other side of the border.
pub trait Identities {
    /// The name of an object in JSON.
    fn write(&mut self, model: &Model, object: ObjectId, index: u32) -> Json;

    /// The number of the object that is called so, if that can be a name of one.
    fn read(&mut self, model: &Model, object: ObjectId, json: &Json) -> Option<u32>;
}

/// Objects are called as the model shows them: `"Client#0"`.
struct Shown;

impl Identities for Shown {
    fn write(&mut self, model: &Model, object: ObjectId, index: u32) -> Json {
        Json::from(format!("{}#{index}", model.types.objects[object.0].name))
    }

    fn read(&mut self, model: &Model, object: ObjectId, json: &Json) -> Option<u32> {
        let digits = json.as_str()?.strip_prefix(&model.types.objects[object.0].name)?.strip_prefix('#')?;
        digits.parse().ok()
    }
}

/// The value as JSON.
pub fn value_to_json(model: &Model, ty: &Type, value: &Value) -> Json {
    write(&mut Border { model, identities: &mut Shown }, ty, value)
}

/// Reads a value of the given type; the error says what was expected, where, and what stands there.
pub fn value_from_json(model: &Model, ty: &Type, json: &Json) -> Result<Value, String> {
    read(&mut Border { model, identities: &mut Shown }, ty, json)
}

/// The same for somebody who has names of their own for objects.
pub fn value_to_json_with(model: &Model, identities: &mut dyn Identities, ty: &Type, value: &Value) -> Json {
    write(&mut Border { model, identities }, ty, value)
}

/// Reads a value of this type; `identities` knows the objects.
pub fn value_from_json_with(
    model: &Model,
    identities: &mut dyn Identities,
    ty: &Type,
    json: &Json,
) -> Result<Value, String> {
    read(&mut Border { model, identities }, ty, json)
}

struct Border<'b> {
    model: &'b Model,
    identities: &'b mut dyn Identities,
}

fn write(border: &mut Border, ty: &Type, value: &Value) -> Json {
    let model = border.model;
    let ty = model.types.strip(ty);
    match (value, ty) {
        (Value::Bool(value), _) => Json::from(*value),
        (Value::Int(value), _) => Json::from(*value),
        (Value::String(text), _) => Json::from(&**text),
        (Value::Variant { variant, args }, Type::Enum(id)) if model.types.enums[id.0].is_outcome => {
            let case = &model.types.enums[id.0].variants[*variant];
            match (variant, args.first().zip(case.payload.first())) {
                (0, Some((value, ty))) => write(border, ty, value),
                (0, None) => Json::Null,
                _ => object([("raises".into(), case.name.clone().into())]),
            }
        }
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let variant = &model.types.enums[id.0].variants[*variant];
            match args.is_empty() {
                true => Json::from(variant.name.clone()),
                false => object([(variant.name.clone(), list(border, &variant.payload, args))]),
            }
        }
        (Value::Tuple(fields), Type::Record(id)) => {
            let record = model.types.records[id.0].fields.iter().zip(fields.iter());
            object(record.map(|((name, ty), value)| (name.clone(), write(border, ty, value))))
        }
        (Value::Tuple(parts), Type::Tuple(types)) => list(border, types, parts),
        (Value::Option(None), _) => Json::Null,
        (Value::Option(Some(inner)), Type::Option(ty)) => {
            let json = write(border, ty, inner);
            if may_be_null(model, ty) { object([("some".into(), json)]) } else { json }
        }
        (Value::Seq(items), Type::Seq(ty)) => items.iter().map(|item| write(border, ty, item)).collect(),
        (Value::Set(items), Type::Set(ty)) => items.iter().map(|item| write(border, ty, item)).collect(),
        (Value::Map(pairs), Type::Map(key_type, value_type)) => {
            let pairs =
                pairs.iter().map(|(key, value)| (write(border, key_type, key), write(border, value_type, value)));
            match has_names(model, key_type) {
                true => object(pairs.map(|(key, value)| (key.as_str().unwrap_or_default().to_string(), value))),
                false => pairs.map(|(key, value)| Json::from(vec![key, value])).collect(),
            }
        }
        (Value::Object { object, index }, _) => border.identities.write(model, *object, *index),
        (value, _) => Json::from(crate::show_value(model, ty, value)),
    }
}

fn read(border: &mut Border, ty: &Type, json: &Json) -> Result<Value, String> {
    let model = border.model;
    let wrong = || Err(format!("expected {}, found {json}", model.types.show(ty)));
    match (model.types.strip(ty), json) {
        (Type::Bool, Json::Bool(value)) => Ok(Value::Bool(*value)),
        (Type::Int | Type::Range(_), Json::Number(number)) => number.as_i64().map_or_else(wrong, |int| Ok(int.into())),
        (Type::String, Json::String(text)) => Ok(Value::string(text)),
        (Type::Enum(id), json) if model.types.enums[id.0].is_outcome => {
            outcome_from_json(border, &model.types.enums[id.0], json)
        }
        (Type::Enum(id), json) => variant_from_json(border, &model.types.enums[id.0], json),
        (Type::Record(id), Json::Object(_)) => record_from_json(border, &model.types.records[id.0], json),
        (Type::Object(object), json) => {
            let index = border.identities.read(model, *object, json);
            index.map_or_else(wrong, |index| Ok(Value::Object { object: *object, index }))
        }
        (Type::Tuple(types), json) => Ok(Value::tuple(parts_from_json(border, types, json)?)),
        (Type::Option(_), Json::Null) => Ok(Value::none()),
        (Type::Option(inner), json) if may_be_null(model, inner) => match json.get("some") {
            Some(json) => Ok(Value::some(read(border, inner, json)?)),
            None => wrong(),
        },
        (Type::Option(inner), json) => Ok(Value::some(read(border, inner, json)?)),
        (Type::Seq(item), Json::Array(items)) => Ok(Value::Seq(all_from_json(border, item, items)?.into())),
        (Type::Set(item), Json::Array(items)) => set_from_json(border, item, items),
        (Type::Map(key, value), json) => map_from_json(border, (key, value), json),
        _ => wrong(),
    }
}

fn variant_from_json(border: &mut Border, enumeration: &Enum, json: &Json) -> Result<Value, String> {
    let (name, args) = match json {
        Json::String(name) => (name, &Json::Null),
        Json::Object(fields) if fields.len() == 1 => fields.iter().next().expect("there is one"),
        other => return Err(format!("expected a case of {}, found {other}", enumeration.name)),
    };
    let Some(variant) = enumeration.variants.iter().position(|variant| variant.name == *name) else {
        let names: Vec<&str> = enumeration.variants.iter().map(|variant| variant.name.as_str()).collect();
        return Err(format!("{} has no case \"{name}\", only {}", enumeration.name, names.join(", ")));
    };
    match &enumeration.variants[variant].payload[..] {
        [] if args.is_null() || args.as_array().is_some_and(Vec::is_empty) => Ok(Value::variant(variant)),
        payload => Ok(Value::Variant { variant, args: parts_from_json(border, payload, args)?.into() }),
    }
}

/// What came back from an action that may fail: the value itself, or `{"raises": "Overdrawn"}`. The name alone will do where no value is written so.
fn outcome_from_json(border: &mut Border, outcome: &Enum, json: &Json) -> Result<Value, String> {
    let named = json.get("raises").unwrap_or(json).as_str();
    let exception = outcome.variants.iter().skip(1).position(|case| Some(case.name.as_str()) == named);
    let exception = exception.map(|index| Value::variant(index + 1));
    let returned = match &outcome.variants[0].payload[..] {
        [ty] => read(border, ty, json).map(|value| Value::Variant { variant: 0, args: [value].into() }),
        _ if json.is_null() => Ok(Value::variant(0)),
        _ => Err(format!("expected nothing, or a name of {}, found {json}", outcome.name)),
    };
    match (exception, json) {
        (Some(exception), Json::Object(_)) => Ok(exception),
        (Some(exception), _) => returned.or(Ok(exception)),
        (None, _) => returned,
    }
}

fn record_from_json(border: &mut Border, record: &Record, json: &Json) -> Result<Value, String> {
    let read = |(name, ty): &(String, Type)| match json.get(name) {
        Some(json) => read(border, ty, json).map_err(|error| format!("{}.{name}: {error}", record.name)),
        None => Err(format!("the field \"{name}\" of {} is missing", record.name)),
    };
    record.fields.iter().map(read).collect::<Result<Vec<_>, _>>().map(Value::tuple)
}

fn parts_from_json(border: &mut Border, types: &[Type], json: &Json) -> Result<Vec<Value>, String> {
    match json.as_array() {
        Some(parts) if parts.len() == types.len() => {
            types.iter().zip(parts).map(|(ty, json)| read(border, ty, json)).collect()
        }
        _ => Err(format!("expected an array of {}, found {json}", types.len())),
    }
}

fn map_from_json(border: &mut Border, (key_type, value_type): (&Type, &Type), json: &Json) -> Result<Value, String> {
    let named = has_names(border.model, key_type);
    let mut read = |(key, value): (&Json, &Json)| Ok((read(border, key_type, key)?, read(border, value_type, value)?));
    let pairs: Result<Vec<_>, String> = match json {
        Json::Object(fields) if named => {
            fields.iter().map(|(key, value)| read((&Json::from(key.clone()), value))).collect()
        }
        Json::Array(pairs) => pairs
            .iter()
            .map(|pair| match pair.as_array().map(Vec::as_slice) {
                Some([key, value]) => read((key, value)),
                _ => Err(format!("expected [key, value], found {pair}")),
            })
            .collect(),
        other => Err(format!("expected a map, found {other}")),
    };
    let pairs = pairs?;
    let given = pairs.len();
    let map: BTreeMap<Value, Value> = pairs.into_iter().collect();
    if map.len() < given {
        return Err(format!("expected a map, found a key twice in {json}"));
    }
    Ok(Value::map(map))
}

/// What stands there twice is no set: somebody counts what is not to be counted.
fn set_from_json(border: &mut Border, ty: &Type, items: &[Json]) -> Result<Value, String> {
    let values: BTreeSet<Value> = all_from_json(border, ty, items)?.into_iter().collect();
    if values.len() < items.len() {
        return Err(format!("expected a set, found a value twice in {}", Json::from(items)));
    }
    Ok(Value::set(values))
}

fn all_from_json(border: &mut Border, ty: &Type, items: &[Json]) -> Result<Vec<Value>, String> {
    items.iter().map(|json| read(border, ty, json)).collect()
}

/// Keys of this type can be names of a JSON object.
fn has_names(model: &Model, ty: &Type) -> bool {
    match model.types.strip(ty) {
        Type::String => true,
        Type::Enum(id) => model.types.enums[id.0].variants.iter().all(|variant| variant.payload.is_empty()),
        _ => false,
    }
}

/// `null` means a value of this type already.
fn may_be_null(model: &Model, ty: &Type) -> bool {
    matches!(model.types.strip(ty), Type::Option(_))
}

fn list(border: &mut Border, types: &[Type], values: &[Value]) -> Json {
    types.iter().zip(values).map(|(ty, value)| write(border, ty, value)).collect()
}

fn object(fields: impl IntoIterator<Item = (String, Json)>) -> Json {
    Json::Object(fields.into_iter().collect())
}
