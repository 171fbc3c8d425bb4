//! A value with holes: `"JOIN {channel}"`, `{ code = "{code:int}", who = "{who}" }`.
//!
//! `{name}` is a parameter, a named group, a variable of the file or something captured; `{$}` is what was read, as JSON. Behind a name stands a path
//! (`{$.user.id}`, `{word[0]}`, `{ids[title]}` with the value of `title` as the key) and then forms (`{n:int}`, `{$:words*}`: each item of a list). A text
//! that is one hole alone keeps the type of the value. `{{` is a brace.

use crate::convert::Conversions;
use crate::problem::Problems;
use crate::table::{Value, kind, number};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::ops::Range;
use toml::de::DeValue;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Template {
    Value(Json),
    Parts(Vec<Part>),
    List(Vec<Template>),
    Table(Vec<(String, Template)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Hole(Hole),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hole {
    /// `$` for what was read.
    root: String,
    steps: Vec<Step>,
    forms: Vec<Form>,
    /// Where it stands, for messages at run time.
    text: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Field(String),
    Item(usize),
    /// By the value that has this name.
    Named(String),
}

#[derive(Clone, Debug, PartialEq)]
struct Form {
    name: String,
    each: bool,
}

/// Forms that need no definition.
pub(crate) const FORMS: [&str; 6] = ["int", "text", "json", "bool", "lines", "words"];

/// The values of the names, the nearest first.
pub(crate) struct Scope<'s> {
    pub(crate) layers: Vec<&'s Map<String, Json>>,
    pub(crate) heard: &'s Json,
    pub(crate) conversions: &'s Conversions,
    /// How many conversions lie around this one.
    pub(crate) depth: usize,
}

impl Scope<'_> {
    fn root(&self, name: &str) -> Option<&Json> {
        if name == "$" { Some(self.heard) } else { self.layers.iter().find_map(|layer| layer.get(name)) }
    }
}

impl Template {
    pub(crate) fn read(value: &Value<'_>, problems: &mut Problems<'_>) -> Template {
        match value.get_ref() {
            DeValue::String(text) => Template::text(text, &value.span(), problems),
            DeValue::Array(items) => Template::List(items.iter().map(|item| Template::read(item, problems)).collect()),
            DeValue::Table(table) => Template::Table(
                table.iter().map(|(key, item)| (key.get_ref().to_string(), Template::read(item, problems))).collect(),
            ),
            DeValue::Boolean(truth) => Template::Value((*truth).into()),
            other => {
                if let Some(number) = number(other) {
                    return Template::Value(number.into());
                }
                problems.add(&value.span(), format!("a value cannot be {}", kind(other)), "write it as a text");
                Template::Value(Json::Null)
            }
        }
    }

    pub(crate) fn text(text: &str, span: &Range<usize>, problems: &mut Problems<'_>) -> Template {
        parts(text).map(Template::Parts).unwrap_or_else(|(message, help)| {
            problems.add(span, message, help);
            Template::Value(Json::Null)
        })
    }

    /// The names that it needs, without `$`.
    pub(crate) fn names(&self, found: &mut Vec<String>) {
        match self {
            Template::Value(_) => {}
            Template::Parts(parts) => parts.iter().for_each(|part| part.names(found)),
            Template::List(items) => items.iter().for_each(|item| item.names(found)),
            Template::Table(table) => table.iter().for_each(|(_, item)| item.names(found)),
        }
    }

    /// The forms that it needs.
    pub(crate) fn forms(&self, found: &mut Vec<String>) {
        match self {
            Template::Value(_) => {}
            Template::Parts(parts) => {
                for part in parts {
                    if let Part::Hole(hole) = part {
                        found.extend(hole.forms.iter().map(|form| form.name.clone()));
                    }
                }
            }
            Template::List(items) => items.iter().for_each(|item| item.forms(found)),
            Template::Table(table) => table.iter().for_each(|(_, item)| item.forms(found)),
        }
    }

    /// The error says which hole has no value.
    pub(crate) fn filled(&self, scope: &Scope<'_>) -> Result<Json, String> {
        match self {
            Template::Value(value) => Ok(value.clone()),
            Template::Parts(parts) => match &parts[..] {
                [Part::Hole(hole)] => hole.value(scope).map(Cow::into_owned),
                _ => self.plain(scope).map(Json::String),
            },
            Template::List(items) => items.iter().map(|item| item.filled(scope)).collect(),
            Template::Table(table) => {
                let each = |(key, item): &(String, Template)| Ok((key.clone(), item.filled(scope)?));
                table.iter().map(each).collect::<Result<Map<_, _>, String>>().map(Json::Object)
            }
        }
    }

    /// As a text.
    pub(crate) fn plain(&self, scope: &Scope<'_>) -> Result<String, String> {
        self.woven(scope, &|text| text)
    }

    /// As a text whose holes are changed on the way, so that they cannot be taken for what stands around them.
    pub(crate) fn woven(&self, scope: &Scope<'_>, quoted: &dyn Fn(String) -> String) -> Result<String, String> {
        let Template::Parts(parts) = self else { return self.filled(scope).map(|value| plain(&value)) };
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(own) => text += own,
                Part::Hole(hole) => text += &quoted(plain(&*hole.value(scope)?)),
            }
        }
        Ok(text)
    }
}

impl Part {
    fn names(&self, found: &mut Vec<String>) {
        let Part::Hole(hole) = self else { return };
        let own = (hole.root != "$").then_some(&hole.root);
        let keys = hole.steps.iter().filter_map(|step| if let Step::Named(name) = step { Some(name) } else { None });
        found.extend(own.into_iter().chain(keys).cloned());
    }
}

impl Hole {
    fn value<'s>(&self, scope: &'s Scope<'_>) -> Result<Cow<'s, Json>, String> {
        let missing = || format!("`{{{}}}` has no value here", self.text);
        let mut value = scope.root(&self.root).ok_or_else(missing)?;
        for step in &self.steps {
            value = match step {
                Step::Field(name) => value.get(name),
                Step::Item(index) => value.get(index),
                Step::Named(name) => value.get(plain(scope.root(name).ok_or_else(missing)?)),
            }
            .ok_or_else(missing)?;
        }
        let mut value = Cow::Borrowed(value);
        for form in &self.forms {
            value = Cow::Owned(form.apply(&value, scope)?);
        }
        Ok(value)
    }
}

impl Form {
    fn apply(&self, value: &Json, scope: &Scope<'_>) -> Result<Json, String> {
        match value {
            Json::Array(items) if self.each => items.iter().map(|item| self.one(item, scope)).collect(),
            _ => self.one(value, scope),
        }
    }

    fn one(&self, value: &Json, scope: &Scope<'_>) -> Result<Json, String> {
        let text = || plain(value);
        match self.name.as_str() {
            "int" => {
                let number = text().trim().parse::<i64>();
                number.map(Json::from).map_err(|_| format!("`{}` is not a whole number", text()))
            }
            "bool" => match text().as_str() {
                "true" | "1" | "yes" => Ok(true.into()),
                "false" | "0" | "no" | "" => Ok(false.into()),
                other => Err(format!("`{other}` is neither true nor false")),
            },
            "text" => Ok(text().into()),
            "lines" => Ok(text().lines().filter(|line| !line.is_empty()).collect()),
            "words" => Ok(text().split_whitespace().collect()),
            "json" => serde_json::from_str(&text()).map_err(|error| format!("`{}` is not JSON: {error}", text())),
            name => scope.conversions.apply(name, value, scope),
        }
    }
}

/// A value as a text without quotes. A case of an enum that carries one value is written as that value.
pub(crate) fn plain(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        Json::Object(fields) if fields.len() == 1 => match fields.values().next() {
            Some(Json::Array(items)) if items.len() == 1 => plain(&items[0]),
            _ => json.to_string(),
        },
        other => other.to_string(),
    }
}

type Wrong = (String, String);

fn parts(text: &str) -> Result<Vec<Part>, Wrong> {
    let (mut parts, mut own, mut rest) = (Vec::new(), String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        own += &rest[..at];
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
            own.push_str(&rest[..1]);
            rest = after;
            continue;
        }
        let help = "`{name}` is a hole; `{{` and `}}` are braces";
        let inside = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let (inside, after) = inside.ok_or_else(|| (format!("a brace is left over in `{text}`"), help.to_string()))?;
        if !own.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut own)));
        }
        let hole = Hole::parse(inside).ok_or_else(|| {
            let help = "write `{name}`, `{$.path[0]}`, `{ids[name]}` or `{name:int}`; `{{` for a brace";
            (format!("`{{{inside}}}` is no hole"), help.to_string())
        })?;
        parts.push(Part::Hole(hole));
        rest = after;
    }
    own += rest;
    if !own.is_empty() || parts.is_empty() {
        parts.push(Part::Text(own));
    }
    Ok(parts)
}

impl Hole {
    fn parse(text: &str) -> Option<Hole> {
        let mut colons = text.split(':');
        let path = colons.next()?;
        let forms = colons.map(Form::parse).collect::<Option<_>>()?;
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let root = &path[..end];
        (root == "$" || is_name(root)).then_some(())?;
        Some(Hole { root: root.into(), steps: steps(&path[end..])?, forms, text: text.into() })
    }
}

impl Form {
    fn parse(text: &str) -> Option<Form> {
        let (name, each) = text.strip_suffix('*').map_or((text, false), |name| (name, true));
        is_name(name).then(|| Form { name: name.into(), each })
    }
}

pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

fn steps(mut path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    while !path.is_empty() {
        if let Some(inside) = path.strip_prefix('[') {
            let (inside, rest) = inside.split_once(']')?;
            let quoted = inside.strip_prefix('\'').and_then(|inside| inside.strip_suffix('\''));
            steps.push(match (inside.parse(), quoted) {
                (Ok(index), _) => Step::Item(index),
                (_, Some(name)) => Step::Field(name.into()),
                _ => Some(Step::Named(inside.into())).filter(|_| is_name(inside))?,
            });
            path = rest;
        } else {
            let rest = path.strip_prefix('.')?;
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            is_name(&rest[..end]).then_some(())?;
            steps.push(Step::Field(rest[..end].into()));
            path = &rest[end..];
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(text: &str) -> Result<Json, String> {
        let named =
            json!({ "who": "ann", "n": "7", "request": { "set": ["k", { "number": [3] }] }, "ids": { "ann": 12 } });
        let Json::Object(named) = named else { panic!("it is an object") };
        let heard = json!({ "user": { "tags": ["1", "2"] } });
        let scope = Scope { layers: vec![&named], heard: &heard, conversions: &Conversions::default(), depth: 0 };
        Template::Parts(parts(text).map_err(|(message, _)| message)?).filled(&scope)
    }

    #[test]
    fn holes_are_filled() {
        assert_eq!(filled("hello {who}, {{{n}}}"), Ok(json!("hello ann, {7}")));
        assert_eq!(filled("{n}"), Ok(json!("7")));
        assert_eq!(filled("{n:int}"), Ok(json!(7)));
        assert_eq!(filled("{$.user.tags:int*}"), Ok(json!([1, 2])));
        assert_eq!(filled("SET {request.set[0]} {request.set[1]}"), Ok(json!("SET k 3")));
        assert_eq!(filled("/todos/{ids[who]}"), Ok(json!("/todos/12")));
    }

    #[test]
    fn mistakes_are_told() {
        assert!(filled("{who").is_err() && filled("{}").is_err() && filled("{a b}").is_err());
        assert_eq!(filled("{nobody}"), Err("`{nobody}` has no value here".into()));
        assert_eq!(filled("{who:int}"), Err("`ann` is not a whole number".into()));
    }
}
