//! A value that is made of what matched: `"{u}"` is a named group, `"{$.user.id}"` a field, everything else stands for itself. A template that is
//! one field alone keeps the field's type.

use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Template {
    /// As it stands.
    Value(Json),
    Parts(Vec<Part>),
    List(Vec<Template>),
    Table(Vec<(String, Template)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Group(String),
    Field(String),
}

/// What matched.
pub(crate) struct Matched<'m> {
    pub(crate) groups: BTreeMap<&'m str, &'m str>,
    pub(crate) fields: &'m Map<String, Json>,
}

impl Template {
    pub(crate) fn group(name: &str) -> Template {
        Template::Parts(vec![Part::Group(name.into())])
    }

    /// Only groups of the pattern can be named, and fields only where records have them.
    pub(crate) fn parse(value: &toml::Value, groups: &[String], has_fields: bool) -> Result<Template, String> {
        let parse = |value: &toml::Value| Template::parse(value, groups, has_fields);
        match value {
            toml::Value::String(text) => parts(text, groups, has_fields),
            toml::Value::Array(items) => items.iter().map(parse).collect::<Result<_, _>>().map(Template::List),
            toml::Value::Table(table) => {
                let each = |(key, value): (&String, &toml::Value)| Ok((key.clone(), parse(value)?));
                table.iter().map(each).collect::<Result<_, String>>().map(Template::Table)
            }
            toml::Value::Integer(number) => Ok(Template::Value(Json::from(*number))),
            toml::Value::Boolean(truth) => Ok(Template::Value(Json::from(*truth))),
            other => {
                Err(format!("a text, a whole number, a truth value, a list or a table was expected, found `{other}`"))
            }
        }
    }

    pub(crate) fn filled(&self, matched: &Matched<'_>) -> Json {
        match self {
            Template::Value(value) => value.clone(),
            Template::Parts(parts) => match &parts[..] {
                [Part::Field(path)] => field(matched.fields, path).cloned().unwrap_or(Json::Null),
                [Part::Group(name)] if !matched.groups.contains_key(name.as_str()) => Json::Null,
                parts => Json::String(parts.iter().map(|part| part.text(matched)).collect()),
            },
            Template::List(items) => items.iter().map(|item| item.filled(matched)).collect(),
            Template::Table(table) => {
                Json::Object(table.iter().map(|(key, item)| (key.clone(), item.filled(matched))).collect())
            }
        }
    }
}

impl Part {
    fn text(&self, matched: &Matched<'_>) -> String {
        match self {
            Part::Text(text) => text.clone(),
            Part::Group(name) => matched.groups.get(name.as_str()).copied().unwrap_or_default().into(),
            Part::Field(path) => field(matched.fields, path).map(plain).unwrap_or_default(),
        }
    }
}

/// A field by its path: `$.a.b[0]`, `$['a.b']`, or a plain name.
pub(crate) fn field<'f>(fields: &'f Map<String, Json>, path: &str) -> Option<&'f Json> {
    let Some(path) = path.strip_prefix('$') else {
        return fields.get(path).or_else(|| field(fields, &format!("$.{path}")));
    };
    let mut steps = steps(path)?.into_iter();
    let first = fields.get(&steps.next()?)?;
    steps.try_fold(first, |json, step| match json {
        Json::Array(items) => items.get(step.parse::<usize>().ok()?),
        json => json.get(&step),
    })
}

/// The names and numbers of a path.
fn steps(mut path: &str) -> Option<Vec<String>> {
    let mut steps = Vec::new();
    while !path.is_empty() {
        if let Some(rest) = path.strip_prefix("['") {
            let (name, rest) = rest.split_once("']")?;
            steps.push(name.into());
            path = rest;
        } else if let Some(rest) = path.strip_prefix('[') {
            let (number, rest) = rest.split_once(']')?;
            steps.push(number.into());
            path = rest;
        } else {
            let rest = path.strip_prefix('.')?;
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(rest[..end].into());
            path = &rest[end..];
        }
    }
    Some(steps)
}

/// A value as a text without quotes.
pub(crate) fn plain(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

fn parts(text: &str, groups: &[String], has_fields: bool) -> Result<Template, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        if let Some(after) = rest[at..].strip_prefix("{{") {
            parts.push(Part::Text(format!("{}{{", &rest[..at])));
            rest = after;
            continue;
        }
        let (inside, after) = rest[at + 1..].split_once('}').ok_or_else(|| format!("`{text}`: a `}}` is missing"))?;
        if at > 0 {
            parts.push(Part::Text(rest[..at].into()));
        }
        parts.push(part(inside, groups, has_fields)?);
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(Part::Text(rest.into()));
    }
    Ok(Template::Parts(parts))
}

fn part(inside: &str, groups: &[String], has_fields: bool) -> Result<Part, String> {
    if groups.iter().any(|group| group == inside) {
        return Ok(Part::Group(inside.into()));
    }
    if !has_fields {
        let known = if groups.is_empty() { "none".into() } else { groups.join(", ") };
        return Err(format!("the pattern has no group `{inside}`; its groups: {known}"));
    }
    match inside.strip_prefix('$') {
        Some(path) if steps(path).is_none() => Err(format!("`{inside}` is not a path; write `$.a.b[0]`")),
        _ => Ok(Part::Field(inside.into())),
    }
}
