//! `[[value.NAME]]`: how something that was read is said in the values of the specification. The first entry that fits gives the value; it is used as the
//! form `{$:NAME}`, or `{$:NAME*}` for each item of a list.

use crate::problem::Problems;
use crate::rule::pattern;
use crate::table::Table;
use crate::template::{Scope, Template, plain};
use regex::Regex;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// All of a file, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversions(BTreeMap<String, Vec<Conversion>>);

#[derive(Clone, Debug)]
struct Conversion {
    pattern: Option<Regex>,
    kind: Option<String>,
    is: Template,
}

/// What a value may be.
const KINDS: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// Conversions may use themselves, for lists inside of lists.
const DEEPEST: usize = 60;

impl Conversions {
    pub(crate) fn read(table: &Table<'_>, problems: &mut Problems<'_>) -> Conversions {
        let mut all = BTreeMap::new();
        for (name, span, value) in table.entries() {
            let Some(items) = value.get_ref().as_array() else {
                problems.add(
                    &span,
                    format!("`value.{name}` must be a list of tables"),
                    format!("write [[value.{name}]]"),
                );
                continue;
            };
            let title = format!("[[value.{name}]]");
            let tables = items.iter().filter_map(|item| Table::of(item, &title, problems)).collect::<Vec<_>>();
            all.insert(name.to_string(), tables.into_iter().filter_map(|table| one(table, problems)).collect());
        }
        Conversions(all)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// What the conversions themselves are made of.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        self.0.values().flatten().map(|conversion| &conversion.is)
    }

    pub(crate) fn apply(&self, name: &str, value: &Json, scope: &Scope<'_>) -> Result<Json, String> {
        if scope.depth > DEEPEST {
            return Err(format!("[[value.{name}]] leads to itself more than {DEEPEST} times"));
        }
        let text = plain(value);
        for conversion in self.0.get(name).into_iter().flatten() {
            if conversion.kind.as_deref().is_some_and(|wanted| wanted != kind(value)) {
                continue;
            }
            let mut named = Map::new();
            if let Some(pattern) = &conversion.pattern {
                let Some(captures) = pattern.captures(&text) else { continue };
                named = groups(pattern, &captures);
            }
            let mut layers = vec![&named];
            layers.extend(&scope.layers);
            return conversion.is.filled(&Scope { layers, heard: value, conversions: self, depth: scope.depth + 1 });
        }
        Err(format!("no [[value.{name}]] fits `{text}`"))
    }
}

fn one(table: Table<'_>, problems: &mut Problems<'_>) -> Option<Conversion> {
    let pattern = table.text("match", problems).and_then(|(text, span)| pattern(text, &span, problems));
    let kind = table.text("kind", problems).map(|(text, span)| {
        if !KINDS.contains(&text) {
            problems.add(&span, format!("`{text}` is no kind of value"), format!("the kinds: {}", KINDS.join(", ")));
        }
        text.to_string()
    });
    let is = table.get("is").map(|value| Template::read(value, problems));
    if is.is_none() {
        problems.add(&table.span, "`is` is missing", "`is` says the value: `is = { word = [\"{$}\"] }`");
    }
    table.end(problems);
    Some(Conversion { pattern, kind, is: is? })
}

/// The groups of a pattern that took part, by name and by number.
pub(crate) fn groups(pattern: &Regex, captures: &regex::Captures<'_>) -> Map<String, Json> {
    let mut named = Map::new();
    for (index, name) in pattern.capture_names().enumerate() {
        if let Some(group) = captures.get(index) {
            named.insert(index.to_string(), group.as_str().into());
            named.extend(name.map(|name| (name.to_string(), Json::from(group.as_str()))));
        }
    }
    named
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
