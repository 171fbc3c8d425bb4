//! Arguments by name, on their way in and on their way out.

use crate::{Reply, failed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The arguments of an input.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Args(pub(crate) Map<String, Value>);

impl Args {
    /// The argument of this name, as any type that JSON can be read into. A name that is not declared, or a type that does not fit, is a mistake of
    /// the adapter, and told as one.
    #[track_caller]
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Reply<T> {
        let Some(value) = self.0.get(name) else { return Err(failed(format!("there is no argument `{name}`"))) };
        match T::deserialize(value) {
            Ok(value) => Ok(value),
            Err(error) => Err(failed(format!("the argument `{name}`: {error}"))),
        }
    }

    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    pub(crate) fn has_exactly(&self, names: &[String]) -> bool {
        self.0.len() == names.len() && names.iter().all(|name| self.0.contains_key(name))
    }
}

/// What may stand for the arguments of an output: `()`, `[("floor", 3)]`, `json!({"floor": 3, "up": true})`.
pub trait ToArgs {
    fn to_args(self) -> Args;
}

impl ToArgs for Args {
    fn to_args(self) -> Args {
        self
    }
}

impl ToArgs for () {
    fn to_args(self) -> Args {
        Args::default()
    }
}

impl<V: Serialize, const N: usize> ToArgs for [(&str, V); N] {
    fn to_args(self) -> Args {
        let value = |value| serde_json::to_value(value).expect("the value can be written as JSON");
        Args(self.into_iter().map(|(name, each)| (name.to_string(), value(each))).collect())
    }
}

impl ToArgs for Value {
    fn to_args(self) -> Args {
        match self {
            Value::Object(fields) => Args(fields),
            Value::Null => Args::default(),
            other => panic!("arguments have names: write json!({{\"name\": {other}}})"),
        }
    }
}
