//! A place with the values of its indices: `members[Client#0][Client#1]`. Components are compared spot by spot.

use crate::difference::{field, variable_name};
use crate::show::show_value;
use crate::{ModelError, Result, State, Value};
use interplay_diagnostics::{Code, Span};
use interplay_model::{Model, Type, VariableId};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    pub(crate) variable: VariableId,
    pub(crate) path: Vec<Part>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// A key of a map, or an index of a sequence.
    Key(Value),
    Field(usize),
}

impl Spot {
    /// This spot holds the other one, or is it.
    pub(crate) fn covers(&self, other: &Spot) -> bool {
        self.variable == other.variable && other.path.starts_with(&self.path)
    }

    pub(crate) fn read<'s>(&self, state: &'s State) -> Option<&'s Value> {
        read_path(state.variable(self.variable)?, &self.path)
    }

    /// What `value`, standing here, has at a spot that this one covers.
    pub(crate) fn read_inside<'v>(&self, value: &'v Value, inner: &Spot) -> Option<&'v Value> {
        read_path(value, &inner.path[self.path.len()..])
    }

    /// As the user writes it.
    pub(crate) fn show(&self, model: &Model) -> String {
        self.show_with_type(model).0
    }

    pub(crate) fn show_value(&self, model: &Model, value: Option<&Value>) -> String {
        let ty = self.show_with_type(model).1;
        value.map_or("nothing".into(), |value| show_value(model, ty, value))
    }

    fn show_with_type<'m>(&self, model: &'m Model) -> (String, &'m Type) {
        let variable = &model.variables[self.variable.0];
        let (mut text, mut ty) = (variable_name(variable), &variable.ty);
        for part in &self.path {
            let step = match (part, model.types.strip(ty)) {
                (Part::Key(key), Type::Map(key_type, inner)) => {
                    (format!("[{}]", show_value(model, key_type, key)), &**inner)
                }
                (Part::Key(index), Type::Seq(inner)) => {
                    (format!("[{}]", show_value(model, &Type::Int, index)), &**inner)
                }
                (Part::Key(key), _) => (format!("[{}]", show_value(model, &Type::Unknown, key)), &Type::Unknown),
                (Part::Field(index), ty) => {
                    let (name, ty) = field(model, ty, *index);
                    (format!(".{name}"), ty)
                }
            };
            text += &step.0;
            ty = step.1;
        }
        (text, ty)
    }

    /// Writes into the variable's slot. A missing key of the last map is made; anything missing before it is an error.
    pub(crate) fn write(&self, model: &Model, slot: &mut Option<Value>, value: Value, span: Span) -> Result<()> {
        let written = match (slot.as_mut(), &self.path[..]) {
            (_, []) => {
                *slot = Some(value);
                Ok(())
            }
            (Some(root), path) => write_path(root, path, value),
            (None, path) => Err(Miss { code: Code::M001, rest: path.len() }),
        };
        written.map_err(|miss| {
            let reached = Spot { path: self.path[..self.path.len() - miss.rest].to_vec(), ..self.clone() };
            let place = self.show(model);
            let message = match miss.code {
                Code::M005 => format!("index out of bounds: `{place}`"),
                _ => format!("`{place}` cannot be assigned: `{}` is unset", reached.show(model)),
            };
            ModelError::new(miss.code, span, message)
        })
    }
}

/// Writing failed with so many parts of the path left, counted from the one that was missing.
struct Miss {
    code: Code,
    rest: usize,
}

fn read_path<'v>(value: &'v Value, path: &[Part]) -> Option<&'v Value> {
    let Some((part, rest)) = path.split_first() else { return Some(value) };
    let inner = match (part, value) {
        (Part::Key(key), Value::Map(pairs)) => pairs.get(key)?,
        (Part::Key(index), Value::Seq(items)) => items.get(usize::try_from(index.as_int()).ok()?)?,
        (Part::Field(index), Value::Tuple(parts)) => parts.get(*index)?,
        _ => return None,
    };
    read_path(inner, rest)
}

fn write_path(value: &mut Value, path: &[Part], new: Value) -> std::result::Result<(), Miss> {
    let Some((part, rest)) = path.split_first() else {
        *value = new;
        return Ok(());
    };
    match (part, value) {
        (Part::Key(key), Value::Map(pairs)) => {
            let pairs = Arc::make_mut(pairs);
            match pairs.get_mut(key) {
                Some(inner) => write_path(inner, rest, new),
                None if rest.is_empty() => {
                    pairs.insert(key.clone(), new);
                    Ok(())
                }
                None => Err(Miss { code: Code::M001, rest: rest.len() }),
            }
        }
        (Part::Key(index), Value::Seq(items)) => {
            let index = usize::try_from(index.as_int()).ok().filter(|index| *index < items.len());
            let index = index.ok_or(Miss { code: Code::M005, rest: rest.len() })?;
            write_path(&mut Arc::make_mut(items)[index], rest, new)
        }
        (Part::Field(index), Value::Tuple(parts)) => write_path(&mut Arc::make_mut(parts)[*index], rest, new),
        (part, value) => panic!("the types say that {part:?} is a part of {value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Part {
        Part::Key(Value::string(text))
    }

    #[test]
    fn writing_makes_the_last_key_but_no_map_before_it() {
        let mut value = Value::map([]);
        assert!(write_path(&mut value, &[key("a")], 1.into()).is_ok());
        assert_eq!(read_path(&value, &[key("a")]), Some(&Value::Int(1)));
        let missing = write_path(&mut Value::map([]), &[key("a"), key("b")], 1.into());
        assert_eq!(missing.unwrap_err().code, Code::M001);
    }

    #[test]
    fn writing_leaves_the_other_copies_alone() {
        let old = Value::seq([1.into(), 2.into()]);
        let mut new = old.clone();
        assert!(write_path(&mut new, &[Part::Key(1.into())], 5.into()).is_ok());
        assert_eq!((old, new), (Value::seq([1.into(), 2.into()]), Value::seq([1.into(), 5.into()])));
    }

    #[test]
    fn an_index_outside_the_sequence_is_an_error() {
        let outside = write_path(&mut Value::seq([]), &[Part::Key((-1).into())], 5.into());
        assert_eq!(outside.unwrap_err().code, Code::M005);
    }
}
