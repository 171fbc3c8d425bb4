//! Does a document keep to a JSON Schema? Only the words that our own schemas use; any other word is a mistake in the schema, so
//! that nothing is left unchecked without notice. A library for all of JSON Schema takes three minutes to build.
//!
//! Stricter than the schema in one point: a field that is not written down is a problem. Users must not rely on that, since new
//! fields may come at any time; but here it means that the documentation is behind.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// All schemas, by the name of their file.
pub(crate) type Schemas = BTreeMap<String, Value>;

/// Words that say nothing about a document.
const REMARKS: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

const WORDS: [&str; 9] =
    ["type", "properties", "required", "items", "enum", "const", "$ref", "additionalProperties", "minimum"];

/// What is wrong with it, with the way there.
pub(crate) fn problems(schemas: &Schemas, file: &str, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schemas, (file, &schemas[file]), document, "", &mut found);
    found
}

fn check(schemas: &Schemas, (file, schema): (&str, &Value), value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(target) = schema["$ref"].as_str() {
        let (file, pointer) = target
            .split_once('#')
            .map(|(name, rest)| (if name.is_empty() { file } else { name }, rest))
            .expect("a reference has a #");
        alone(file, schema, "$ref");
        let schema = schemas[file].pointer(pointer).unwrap_or_else(|| panic!("{target} is not there"));
        return check(schemas, (file, schema), value, at, found);
    }
    for word in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[word].as_array() {
            alone(file, schema, word);
            let tried: Vec<Vec<String>> = choices
                .iter()
                .map(|choice| {
                    let mut found = Vec::new();
                    check(schemas, (file, choice), value, at, &mut found);
                    found
                })
                .collect();
            if !tried.iter().any(Vec::is_empty) {
                let nearest = tried.into_iter().min_by_key(Vec::len).unwrap_or_default();
                found.push(format!("{at}: none of the choices fits, the nearest says: {}", nearest.join("; ")));
            }
            return;
        }
    }
    let nothing = Map::new();
    let words = schema.as_object().unwrap_or(&nothing);
    if let Some(unknown) =
        words.keys().find(|word| !WORDS.contains(&word.as_str()) && !REMARKS.contains(&word.as_str()))
    {
        panic!("{file}{at}: the schema says `{unknown}`, which is not checked here");
    }
    if let Some(wanted) = words.get("const").filter(|wanted| *wanted != value) {
        found.push(format!("{at}: {value} is not {wanted}"));
    }
    if let Some(allowed) = words.get("enum").and_then(Value::as_array).filter(|allowed| !allowed.contains(value)) {
        found.push(format!("{at}: {value} is none of {allowed:?}"));
    }
    if let Some(wanted) = words.get("type").filter(|wanted| !is_of(wanted, value)) {
        found.push(format!("{at}: {value} is not of type {wanted}"));
        return;
    }
    if words.get("minimum").and_then(Value::as_f64).zip(value.as_f64()).is_some_and(|(least, number)| number < least) {
        found.push(format!("{at}: {value} is too small"));
    }
    if let (Some(items), Some(schema)) = (value.as_array(), words.get("items")) {
        for (index, item) in items.iter().enumerate() {
            check(schemas, (file, schema), item, &format!("{at}/{index}"), found);
        }
    }
    if let Some(fields) = value.as_object() {
        object(schemas, (file, words), fields, at, found);
    }
}

/// What stands beside a reference or a choice would be left unchecked.
fn alone(file: &str, schema: &Value, word: &str) {
    let beside = schema.as_object().into_iter().flatten().map(|(word, _)| word.as_str());
    let unchecked: Vec<&str> = beside.filter(|each| *each != word && !REMARKS.contains(each)).collect();
    assert!(unchecked.is_empty(), "{file}: {unchecked:?} beside `{word}` is not checked here");
}

fn object(
    schemas: &Schemas,
    (file, words): (&str, &Map<String, Value>),
    fields: &Map<String, Value>,
    at: &str,
    found: &mut Vec<String>,
) {
    for name in words.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            found.push(format!("{at}: `{name}` is missing"));
        }
    }
    let Some(known) = words.get("properties").or(words.get("additionalProperties")) else { return };
    for (name, value) in fields {
        let schema = words.get("properties").and_then(|known| known.get(name)).or(words.get("additionalProperties"));
        match schema {
            Some(schema) => check(schemas, (file, schema), value, &format!("{at}/{name}"), found),
            None => found.push(format!("{at}: `{name}` is not documented (known: {})", names(known))),
        }
    }
}

fn names(known: &Value) -> String {
    known.as_object().map_or(String::new(), |fields| fields.keys().cloned().collect::<Vec<_>>().join(", "))
}

fn is_of(wanted: &Value, value: &Value) -> bool {
    let one = |word: &str| match word {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("there is no type `{other}`"),
    };
    match wanted {
        Value::String(word) => one(word),
        Value::Array(words) => words.iter().filter_map(Value::as_str).any(one),
        _ => panic!("a type is a word or a list of words"),
    }
}
