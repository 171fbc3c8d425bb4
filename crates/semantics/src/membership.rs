//! Does a value lie in its type? The shape is right by typing; what can be wrong are ranges, and objects that nobody made.

use crate::{Instance, ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{Model, Type};

/// What is written somewhere must lie in the ranges of the place's type (M004).
pub(crate) fn check_range(instance: &Instance, ty: &Type, value: &Value, place: &str, span: Span) -> Result<()> {
    if instance.model().types.ranges.is_empty() {
        return Ok(());
    }
    match stranger(instance, ty, value, None)? {
        Some(Stranger::Outside { value, low, high }) => {
            let message = format!("`{place}` would be {value}, outside {low}..{high}");
            Err(ModelError::new(Code::M004, span, message))
        }
        _ => Ok(()),
    }
}

impl Instance {
    /// What came from outside must lie in the ranges of its type; the error says what does not. A range whose constants have no
    /// values in this setup holds anything.
    pub fn inside(&self, ty: &Type, value: &Value) -> std::result::Result<(), String> {
        match stranger(self, ty, value, None) {
            Ok(Some(Stranger::Outside { value, low, high })) => Err(format!("{value} is not in {low}..{high}")),
            _ => Ok(()),
        }
    }
}

/// The value is one of its type in this state: a parameter can have it.
pub(crate) fn belongs(instance: &Instance, ty: &Type, value: &Value, state: &State) -> Result<bool> {
    Ok(stranger(instance, ty, value, Some(state))?.is_none())
}

enum Stranger {
    Outside { value: i64, low: i64, high: i64 },
    NeverMade,
}

/// The first part of the value that does not lie in its type. Without a state, objects are not looked at.
fn stranger(instance: &Instance, ty: &Type, value: &Value, state: Option<&State>) -> Result<Option<Stranger>> {
    let model = instance.model();
    match (model.types.strip(ty), value) {
        (Type::Range(id), Value::Int(value)) => {
            let (low, high) = instance.range(*id)?;
            let inside = low <= *value && *value <= high;
            Ok((!inside).then_some(Stranger::Outside { value: *value, low, high }))
        }
        (_, Value::Object { object, index }) => {
            Ok(state.filter(|state| *index >= state.count(*object)).map(|_| Stranger::NeverMade))
        }
        (ty, value) => {
            for (ty, part) in parts(model, ty, value) {
                if let Some(found) = stranger(instance, ty, part, state)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
    }
}

/// The direct parts of a value with their types.
pub(crate) fn parts<'v>(model: &'v Model, ty: &'v Type, value: &'v Value) -> Vec<(&'v Type, &'v Value)> {
    match (ty, value) {
        (Type::Enum(id), Value::Variant { variant, args }) => {
            model.types.enums[id.0].variants[*variant].payload.iter().zip(args.iter()).collect()
        }
        (Type::Record(id), Value::Tuple(fields)) => {
            model.types.records[id.0].fields.iter().map(|(_, ty)| ty).zip(fields.iter()).collect()
        }
        (Type::Tuple(types), Value::Tuple(parts)) => types.iter().zip(parts.iter()).collect(),
        (Type::Option(ty), Value::Option(inner)) => inner.iter().map(|inner| (&**ty, &**inner)).collect(),
        (Type::Seq(ty), Value::Seq(items)) => items.iter().map(|item| (&**ty, item)).collect(),
        (Type::Set(ty), Value::Set(items)) => items.iter().map(|item| (&**ty, item)).collect(),
        (Type::Map(key_type, value_type), Value::Map(pairs)) => {
            pairs.iter().flat_map(|(key, value)| [(&**key_type, key), (&**value_type, value)]).collect()
        }
        _ => Vec::new(),
    }
}
