//! Values at the border: JSON by type. What stands in a JSON document is meant to be written by hand too, so an enum is
//! its name, `none` is `null`, and a map with names as keys is an object.

use crate::Value;
use interplay_model::{Enum, Model, Record, Type};
use serde_json::Value as Json;

/// The value as JSON.
pub fn value_to_json(model: &Model, ty: &Type, value: &Value) -> Json {
    let ty = model.types.strip(ty);
    match (value, ty) {
        (Value::Bool(value), _) => Json::from(*value),
        (Value::Int(value), _) => Json::from(*value),
        (Value::String(text), _) => Json::from(&**text),
        (Value::Variant { variant, args }, Type::Enum(id)) => {
            let variant = &model.types.enums[id.0].variants[*variant];
            match args.is_empty() {
                true => Json::from(variant.name.clone()),
                false => object([(variant.name.clone(), list(model, &variant.payload, args))]),
            }
        }
        (Value::Tuple(fields), Type::Record(id)) => {
            let record = model.types.records[id.0].fields.iter().zip(fields.iter());
            object(record.map(|((name, ty), value)| (name.clone(), value_to_json(model, ty, value))))
        }
        (Value::Tuple(parts), Type::Tuple(types)) => list(model, types, parts),
        (Value::Option(None), _) => Json::Null,
        (Value::Option(Some(inner)), Type::Option(ty)) => {
            let json = value_to_json(model, ty, inner);
            if may_be_null(model, ty) { object([("some".into(), json)]) } else { json }
        }
        (Value::Seq(items), Type::Seq(ty)) => items.iter().map(|item| value_to_json(model, ty, item)).collect(),
        (Value::Set(items), Type::Set(ty)) => items.iter().map(|item| value_to_json(model, ty, item)).collect(),
        (Value::Map(pairs), Type::Map(key_type, value_type)) => {
            let pairs = pairs
                .iter()
                .map(|(key, value)| (value_to_json(model, key_type, key), value_to_json(model, value_type, value)));
            match has_names(model, key_type) {
                true => object(pairs.map(|(key, value)| (key.as_str().unwrap_or_default().to_string(), value))),
                false => pairs.map(|(key, value)| Json::from(vec![key, value])).collect(),
            }
        }
        (value, _) => Json::from(crate::show_value(model, ty, value)),
    }
}

/// Reads a value of the given type; the error says what was expected, where, and what stands there.
pub fn value_from_json(model: &Model, ty: &Type, json: &Json) -> Result<Value, String> {
    let wrong = || Err(format!("expected {}, found {json}", model.types.show(ty)));
    match (model.types.strip(ty), json) {
        (Type::Bool, Json::Bool(value)) => Ok(Value::Bool(*value)),
        (Type::Int | Type::Range(_), Json::Number(number)) => number.as_i64().map_or_else(wrong, |int| Ok(int.into())),
        (Type::String, Json::String(text)) => Ok(Value::string(text)),
        (Type::Enum(id), json) => variant_from_json(model, &model.types.enums[id.0], json),
        (Type::Record(id), Json::Object(_)) => record_from_json(model, &model.types.records[id.0], json),
        (Type::Object(object), Json::String(text)) => {
            let index = text.strip_prefix(&model.types.objects[object.0].name).and_then(|rest| rest.strip_prefix('#'));
            let index = index.and_then(|digits| digits.parse().ok());
            index.map_or_else(wrong, |index| Ok(Value::Object { object: *object, index }))
        }
        (Type::Tuple(types), json) => Ok(Value::tuple(parts_from_json(model, types, json)?)),
        (Type::Option(_), Json::Null) => Ok(Value::none()),
        (Type::Option(inner), json) if may_be_null(model, inner) => match json.get("some") {
            Some(json) => Ok(Value::some(value_from_json(model, inner, json)?)),
            None => wrong(),
        },
        (Type::Option(inner), json) => Ok(Value::some(value_from_json(model, inner, json)?)),
        (Type::Seq(item), Json::Array(items)) => Ok(Value::Seq(all_from_json(model, item, items)?.into())),
        (Type::Set(item), Json::Array(items)) => Ok(Value::set(all_from_json(model, item, items)?)),
        (Type::Map(key, value), json) => map_from_json(model, (key, value), json),
        _ => wrong(),
    }
}

fn variant_from_json(model: &Model, enumeration: &Enum, json: &Json) -> Result<Value, String> {
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
        payload => Ok(Value::Variant { variant, args: parts_from_json(model, payload, args)?.into() }),
    }
}

fn record_from_json(model: &Model, record: &Record, json: &Json) -> Result<Value, String> {
    let read = |(name, ty): &(String, Type)| match json.get(name) {
        Some(json) => value_from_json(model, ty, json).map_err(|error| format!("{}.{name}: {error}", record.name)),
        None => Err(format!("the field \"{name}\" of {} is missing", record.name)),
    };
    record.fields.iter().map(read).collect::<Result<Vec<_>, _>>().map(Value::tuple)
}

fn parts_from_json(model: &Model, types: &[Type], json: &Json) -> Result<Vec<Value>, String> {
    match json.as_array() {
        Some(parts) if parts.len() == types.len() => {
            types.iter().zip(parts).map(|(ty, json)| value_from_json(model, ty, json)).collect()
        }
        _ => Err(format!("expected an array of {}, found {json}", types.len())),
    }
}

fn map_from_json(model: &Model, (key_type, value_type): (&Type, &Type), json: &Json) -> Result<Value, String> {
    let read = |(key, value): (&Json, &Json)| {
        Ok((value_from_json(model, key_type, key)?, value_from_json(model, value_type, value)?))
    };
    let pairs: Result<Vec<_>, String> = match json {
        Json::Object(fields) if has_names(model, key_type) => {
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
    pairs.map(Value::map)
}

fn all_from_json(model: &Model, ty: &Type, items: &[Json]) -> Result<Vec<Value>, String> {
    items.iter().map(|json| value_from_json(model, ty, json)).collect()
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

fn list(model: &Model, types: &[Type], values: &[Value]) -> Json {
    types.iter().zip(values).map(|(ty, value)| value_to_json(model, ty, value)).collect()
}

fn object(fields: impl IntoIterator<Item = (String, Json)>) -> Json {
    Json::Object(fields.into_iter().collect())
}
