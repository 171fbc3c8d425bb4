//! The methods of the language: `.length`, `.first`, `.get(k, d)`, `sum(...)`.

use crate::context::Context;
use crate::iterate::too_many;
use crate::library::{is_in_library, library};
use crate::operators::too_long;
use crate::{ModelError, Result, Value};
use interplay_diagnostics::Code;
use interplay_model::{Builtin, Expr};
use std::sync::Arc;

impl Context<'_> {
    pub(crate) fn builtin(&mut self, function: Builtin, args: &[Expr], whole: &Expr) -> Result<Value> {
        let values = self.all(args)?;
        if is_in_library(function, &values) {
            return library(function, &values).map_err(|code| self.no_value(code, args, &values, whole));
        }
        let (receiver, rest) = values.split_first().expect("every method has a receiver");
        match function {
            Builtin::Sum => self.sum(receiver, whole),
            Builtin::Abs => receiver.as_int().checked_abs().map(Value::Int).ok_or_else(|| overflow(whole)),
            Builtin::First | Builtin::Last | Builtin::Rest | Builtin::Front | Builtin::Only | Builtin::OptionGet => {
                part(function, receiver).ok_or_else(|| self.nothing_there(function, &args[0], whole))
            }
            Builtin::Min | Builtin::Max => {
                extreme(function, receiver).ok_or_else(|| self.nothing_there(function, &args[0], whole))
            }
            _ => Ok(total(function, receiver, rest)),
        }
    }

    fn sum(&self, items: &Value, whole: &Expr) -> Result<Value> {
        let items = items.elements().expect("the types say that a sum is taken of a collection");
        let total = items.iter().try_fold(0i64, |total, item| total.checked_add(item.as_int()));
        total.map(Value::Int).ok_or_else(|| overflow(whole))
    }

    /// Why an operation of the library has no value.
    fn no_value(&mut self, code: Code, args: &[Expr], values: &[Value], whole: &Expr) -> ModelError {
        match (code, values) {
            (Code::M005, [Value::Seq(items), Value::Int(at), ..]) => {
                let place = self.describe(&args[0]);
                let message = format!("position {at} is outside `{place}`, length {}", items.len());
                ModelError::new(code, whole.span, message)
            }
            (Code::M008, [_, Value::Int(exponent)]) => {
                ModelError::new(code, whole.span, format!("the exponent {exponent} is negative"))
                    .help("test first: `if n >= 0 then pow(2, n) else 0`")
            }
            (Code::M009, _) => too_many(whole.span),
            (Code::M013, _) => too_long("elements or bytes", whole.span),
            _ => overflow(whole),
        }
    }

    fn nothing_there(&mut self, function: Builtin, receiver: &Expr, whole: &Expr) -> ModelError {
        let place = self.describe(receiver);
        let message = match function {
            Builtin::Only => format!("`{place}` does not have exactly one element"),
            Builtin::OptionGet => format!("`{place}` is `none`"),
            _ => format!("`{place}` is empty"),
        };
        ModelError::new(Code::M008, whole.span, message)
    }
}

fn overflow(whole: &Expr) -> ModelError {
    ModelError::new(Code::M002, whole.span, "integer overflow: the result needs more than 64 bits")
}

/// What a collection may lack.
fn part(function: Builtin, receiver: &Value) -> Option<Value> {
    match (function, receiver) {
        (Builtin::First, Value::Seq(items)) => items.first().cloned(),
        (Builtin::Last, Value::Seq(items)) => items.last().cloned(),
        (Builtin::Rest, Value::Seq(items)) => items.split_first().map(|(_, rest)| Value::Seq(rest.into())),
        (Builtin::Front, Value::Seq(items)) => items.split_last().map(|(_, front)| Value::Seq(front.into())),
        (Builtin::Only, Value::Set(items)) => items.first().filter(|_| items.len() == 1).cloned(),
        (Builtin::OptionGet, Value::Option(inner)) => inner.as_deref().cloned(),
        _ => ill_typed(function, receiver),
    }
}

fn extreme(function: Builtin, receiver: &Value) -> Option<Value> {
    let items = receiver.elements().expect("the types say that this is a collection").into_iter();
    if function == Builtin::Min { items.min() } else { items.max() }
}

/// What always has an answer.
fn total(function: Builtin, receiver: &Value, rest: &[Value]) -> Value {
    use Value::{Map, Seq, Set};
    match (function, receiver, rest) {
        (Builtin::Size | Builtin::Count, _, _) => Value::Int(size(receiver) as i64),
        (Builtin::IsEmpty, _, _) => (size(receiver) == 0).into(),
        (Builtin::Reverse, Seq(items), _) => Value::seq(items.iter().rev().cloned()),
        (Builtin::StartsWith, Seq(items), [Seq(start)]) => items.starts_with(start).into(),
        (Builtin::StartsWith, Value::String(text), [Value::String(start)]) => text.starts_with(&**start).into(),
        (Builtin::Contains, _, [needle]) => receiver.contains(needle).into(),
        (Builtin::Take, Seq(items), [Value::Int(count)]) => Seq(items[..clamp(*count, items.len())].into()),
        (Builtin::Drop, Seq(items), [Value::Int(count)]) => Seq(items[clamp(*count, items.len())..].into()),
        (Builtin::Elements, Seq(items), _) => Value::set(items.iter().cloned()),
        (Builtin::Elements, Set(items), _) => Value::seq(items.iter().cloned()),
        (Builtin::SubsetOf, Set(items), [Set(others)]) => items.is_subset(others).into(),
        (Builtin::MapGet, Map(pairs), [key, default]) => pairs.get(key).unwrap_or(default).clone(),
        (Builtin::MapFind, Map(pairs), [key]) => Value::Option(pairs.get(key).cloned().map(Arc::new)),
        (Builtin::Keys, Map(pairs), _) => Value::set(pairs.keys().cloned()),
        (Builtin::Values, Map(pairs), _) => Value::seq(pairs.values().cloned()),
        (Builtin::OptionOr, Value::Option(inner), [default]) => inner.as_deref().unwrap_or(default).clone(),
        (Builtin::IsSome, Value::Option(inner), _) => inner.is_some().into(),
        (Builtin::IsNone, Value::Option(inner), _) => inner.is_none().into(),
        _ => ill_typed(function, receiver),
    }
}

fn size(receiver: &Value) -> usize {
    match receiver {
        Value::String(text) => text.chars().count(),
        Value::Seq(items) => items.len(),
        Value::Set(items) => items.len(),
        Value::Map(pairs) => pairs.len(),
        other => panic!("the types say that this has a size: {other:?}"),
    }
}

/// Taking more than there is takes all; less than nothing is nothing.
fn clamp(count: i64, length: usize) -> usize {
    usize::try_from(count.max(0)).map_or(length, |count| count.min(length))
}

fn ill_typed(function: Builtin, receiver: &Value) -> ! {
    panic!("the types say that {function:?} is defined for {receiver:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_and_dropping_stay_inside_the_sequence() {
        let items = Value::seq([1.into(), 2.into()]);
        assert_eq!(total(Builtin::Take, &items, &[5.into()]), items);
        assert_eq!(total(Builtin::Drop, &items, &[(-1).into()]), items);
        assert_eq!(total(Builtin::Drop, &items, &[1.into()]), Value::seq([2.into()]));
    }

    #[test]
    fn an_empty_collection_has_no_first_and_no_least_element() {
        assert_eq!(part(Builtin::First, &Value::seq([])), None);
        assert_eq!(extreme(Builtin::Min, &Value::set([])), None);
        assert_eq!(part(Builtin::Only, &Value::set([1.into(), 2.into()])), None);
        assert_eq!(part(Builtin::OptionGet, &Value::none()), None);
    }

    #[test]
    fn the_length_of_a_string_counts_characters() {
        assert_eq!(total(Builtin::Size, &Value::string("größe"), &[]), Value::Int(5));
    }
}
