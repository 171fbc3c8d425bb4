//! The version of a document: the one place that writes and describes the field `schema`. Which version a document has
//! stands in the type of its field.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The number `N`, and nothing else. It is raised when a field goes away or changes its meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Version<const N: u32>;

impl<const N: u32> Serialize for Version<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(N)
    }
}

impl<const N: u32> JsonSchema for Version<N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Version{N}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "const": N,
            "description": "Raised when a field changes its meaning or goes away; new fields may come at any time.",
        })
    }
}
