//! What variables hold and events carry. Values are immutable, ordered and canonical: two values are equal exactly if
//! they are the same thing, so that states can be compared, sorted and hashed without further thought.
//!
//! A value does not know its type; [`crate::show_value`] and [`crate::value_to_json`] are told it. Collections are shared,
//! so that copying a state copies no element.

use interplay_model::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A value of the language. Collections are shared, so that copying one is copying a pointer; the order is that of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// Whatever the type's range; leaving it is an error of the step, not of the value.
    Int(i64),
    /// Any text.
    String(Arc<str>),
    /// A case of an enum, by its number in the declaration.
    Variant {
        /// Its place in the declaration, which is its place in the order.
        variant: usize,
        /// What it carries.
        args: Arc<[Value]>,
    },
    /// A tuple, or a record with its fields in the order of the declaration.
    Tuple(Arc<[Value]>),
    /// `none`, or `some(x)`.
    Option(Option<Arc<Value>>),
    /// In order, with repetitions.
    Seq(Arc<[Value]>),
    /// Ordered, so that equal sets are equal values.
    Set(Arc<BTreeSet<Value>>),
    /// Ordered by key, for the same reason.
    Map(Arc<BTreeMap<Value, Value>>),
    /// An identity made during the run, counted from zero.
    Object {
        /// Its type.
        object: ObjectId,
        /// Objects are numbered as they are created.
        index: u32,
    },
}

impl Value {
    /// A text.
    pub fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    /// A case of an enum without payload.
    pub fn variant(variant: usize) -> Value {
        Value::Variant { variant, args: Arc::new([]) }
    }

    /// `none`
    pub fn none() -> Value {
        Value::Option(None)
    }

    /// `some(value)`
    pub fn some(value: Value) -> Value {
        Value::Option(Some(Arc::new(value)))
    }

    /// Several values as one.
    pub fn tuple(parts: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(parts.into_iter().collect())
    }

    /// A sequence, in this order.
    pub fn seq(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Seq(items.into_iter().collect())
    }

    /// A set; repetitions vanish.
    pub fn set(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(Arc::new(items.into_iter().collect()))
    }

    /// A map; of several values for one key the last one stays.
    pub fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Map(Arc::new(pairs.into_iter().collect()))
    }

    /// The value with other numbers for its objects; `None` if one of them has none.
    pub fn renamed(&self, number: &mut dyn FnMut(ObjectId, u32) -> Option<u32>) -> Option<Value> {
        let mut all = |items: &[Value]| items.iter().map(|item| item.renamed(number)).collect::<Option<Arc<[Value]>>>();
        Some(match self {
            Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Option(None) => self.clone(),
            Value::Variant { variant, args } => Value::Variant { variant: *variant, args: all(args)? },
            Value::Tuple(items) => Value::Tuple(all(items)?),
            Value::Seq(items) => Value::Seq(all(items)?),
            Value::Option(Some(inner)) => Value::some(inner.renamed(number)?),
            Value::Set(items) => Value::set(items.iter().map(|item| item.renamed(number)).collect::<Option<Vec<_>>>()?),
            Value::Map(pairs) => {
                let mut renamed = Vec::new();
                for (key, value) in pairs.iter() {
                    renamed.push((key.renamed(number)?, value.renamed(number)?));
                }
                Value::map(renamed)
            }
            Value::Object { object, index } => Value::Object { object: *object, index: number(*object, *index)? },
        })
    }

    /// The elements of a sequence or set, or the keys of a map.
    pub fn elements(&self) -> Option<Vec<Value>> {
        match self {
            Value::Seq(items) => Some(items.to_vec()),
            Value::Set(items) => Some(items.iter().cloned().collect()),
            Value::Map(pairs) => Some(pairs.keys().cloned().collect()),
            _ => None,
        }
    }

    /// `needle in self`, for a sequence, a set, or the keys of a map.
    pub fn contains(&self, needle: &Value) -> bool {
        match self {
            Value::Seq(items) => items.contains(needle),
            Value::Set(items) => items.contains(needle),
            Value::Map(pairs) => pairs.contains_key(needle),
            other => panic!("the types say that this is a collection: {other:?}"),
        }
    }

    /// About how much memory it holds beside itself. What several hold counts for each of them by its share.
    pub fn bytes(&self) -> u64 {
        const COUNTS: u64 = 2 * size_of::<usize>() as u64;
        let items = |items: &[Value]| size_of_val(items) as u64 + items.iter().map(Value::bytes).sum::<u64>();
        let (bytes, holders) = match self {
            Value::Bool(_) | Value::Int(_) | Value::Object { .. } | Value::Option(None) => return 0,
            Value::String(text) => (text.len() as u64, Arc::strong_count(text)),
            Value::Variant { args: parts, .. } | Value::Tuple(parts) | Value::Seq(parts) => {
                (items(parts), Arc::strong_count(parts))
            }
            Value::Option(Some(value)) => (items(std::slice::from_ref(value)), Arc::strong_count(value)),
            Value::Set(set) => (set.iter().map(in_tree).sum(), Arc::strong_count(set)),
            Value::Map(pairs) => {
                (pairs.iter().map(|(key, value)| in_tree(key) + in_tree(value)).sum(), Arc::strong_count(pairs))
            }
        };
        (bytes + COUNTS) / holders as u64
    }

    /// The types of the model promise a Boolean here.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("the types say that this is a Boolean: {other:?}"),
        }
    }

    /// The types of the model promise an integer here.
    pub fn as_int(&self) -> i64 {
        match self {
            Value::Int(value) => *value,
            other => panic!("the types say that this is an integer: {other:?}"),
        }
    }
}

/// The nodes of a tree are filled by two thirds or so.
fn in_tree(value: &Value) -> u64 {
    size_of::<Value>() as u64 * 3 / 2 + value.bytes()
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_contents_are_equal_values_however_they_were_made() {
        let ascending = Value::set([1.into(), 2.into(), 2.into()]);
        let descending = Value::set([2.into(), 1.into()]);
        assert_eq!(ascending, descending);
        assert!(Value::Int(-1) < Value::Int(0));
        assert!(Value::none() < Value::some(false.into()));
    }

    #[test]
    fn what_several_hold_counts_by_shares() {
        let list = Value::seq((0..1000).map(Value::Int));
        let alone = list.bytes();
        assert!((size_of::<Value>() as u64 * 1000..=size_of::<Value>() as u64 * 1010).contains(&alone), "{alone}");
        let pair = Value::tuple([list.clone(), list]);
        assert!((alone..alone + 100).contains(&pair.bytes()), "{alone} {}", pair.bytes());
    }

    #[test]
    fn membership_looks_at_the_keys_of_a_map() {
        let map = Value::map([(1.into(), true.into())]);
        assert!(map.contains(&1.into()));
        assert!(!map.contains(&true.into()));
        assert_eq!(map.elements(), Some(vec![1.into()]));
    }
}
