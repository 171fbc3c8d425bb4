//! A model that goes to another tool or comes from one.

use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

/// A transition system that was written for another tool.
#[derive(Clone, Debug)]
pub struct ForOthers<'a> {
    pub system: &'a str,
    pub setup: Option<&'a str>,
    /// Otherwise whether the model can go wrong.
    pub property: Option<&'a str>,
    pub format: &'a str,
    pub text: &'a str,
}

pub fn exported_json(written: &ForOthers<'_>) -> Value {
    value!({
        "schema": SCHEMA,
        "system": written.system,
        "setup": written.setup,
        "property": written.property,
        "format": written.format,
        "text": written.text,
    })
}

/// A model in some format that is a specification now.
pub fn imported_json(system: &str, format: &str, specification: &str) -> Value {
    value!({ "schema": SCHEMA, "system": system, "format": format, "specification": specification })
}
