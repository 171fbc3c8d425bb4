//! `[[read]]`: what something that was read means. The first rule that fits decides: it is the answer to the input that waits for one, an output, or nothing.

use crate::convert::groups;
use crate::problem::{Problems, meant, place};
use crate::table::{Table, Value, kind, number, text};
use crate::template::{Scope, Template, plain};
use regex::Regex;
use serde_json::{Map, Value as Json};
use std::ops::Range;
use toml::de::DeValue;

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// Of the file, for people.
    pub(crate) line: usize,
    pub(crate) span: Range<usize>,
    /// `get`, or `ask.ttl` for one case; empty: whoever waits.
    pub(crate) inputs: Vec<String>,
    /// What `match` looks at, if not the text.
    field: Option<Template>,
    pattern: Option<Regex>,
    status: Option<Vec<Status>>,
    conditions: Vec<(Template, Regex)>,
    /// It is about the end of a connection.
    closed: bool,
    pub(crate) tells: Tells,
    pub(crate) capture: Vec<Capture>,
}

#[derive(Clone, Debug)]
pub(crate) enum Tells {
    /// Taken, with or without a result.
    Answer(Option<Template>),
    Refuse(Template),
    /// The exception that came out of the input.
    Raise(Template),
    Output {
        name: String,
        args: Vec<(String, Template)>,
    },
    Nothing,
}

/// `name = value`, or `"name[key]" = value`.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    pub(crate) name: String,
    pub(crate) key: Option<String>,
    pub(crate) value: Template,
}

#[derive(Clone, Copy, Debug)]
enum Status {
    Exactly(i64),
    /// `4xx`
    Hundreds(i64),
}

/// Something that was read: a line, a frame, a response, the output of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    pub(crate) text: String,
    /// As JSON, where it is such.
    pub(crate) value: Json,
    /// `status`, `headers`, `stderr`, and the value that the connection belongs to.
    pub(crate) more: Map<String, Json>,
    /// The connection ended.
    pub(crate) closed: bool,
}

/// Keys that say what a rule tells.
const TELLING: [&str; 6] = ["answer", "accept", "refuse", "raise", "output", "ignore"];

impl Rule {
    pub(crate) fn read(table: Table<'_>, source: &str, problems: &mut Problems<'_>) -> Option<Rule> {
        let inputs = table.get("for").map(|value| names(value, problems)).unwrap_or_default();
        let field = table.get("in").map(|value| Template::read(value, problems));
        let given = table.text("match", problems);
        let found = given.as_ref().and_then(|(text, span)| pattern(text, span, problems));
        let status = table.get("status").map(|value| statuses(value, problems));
        let conditions = match table.table("where", problems) {
            Some(table) => table.entries().filter_map(|entry| condition(entry, problems)).collect(),
            None => Vec::new(),
        };
        let closed = table.truth("closed", problems);
        let capture = match table.table("capture", problems) {
            Some(table) => table.entries().filter_map(|entry| captured(entry, problems)).collect(),
            None => Vec::new(),
        };
        let tells = telling(&table, problems);
        let line = place(source, table.span.start).0;
        if given.is_none() && status.is_none() && conditions.is_empty() && !closed && inputs.is_empty() {
            let help = "add `match`, `status`, `where`, `for` or `closed`; `match = ''` means everything";
            problems.add(&table.span, "this [[read]] does not say what it is about", help);
        }
        let span = table.span.clone();
        table.end(problems);
        Some(Rule { line, span, inputs, field, pattern: found, status, conditions, closed, tells: tells?, capture })
    }

    /// It may answer this input (with the case that it was given in).
    pub(crate) fn is_for(&self, input: &str, case: Option<&str>) -> bool {
        self.inputs.is_empty()
            || self.inputs.iter().any(|name| match name.split_once('.') {
                Some((own, own_case)) => own == input && case == Some(own_case),
                None => name == input,
            })
    }

    pub(crate) fn answers(&self) -> bool {
        matches!(self.tells, Tells::Answer(_) | Tells::Refuse(_) | Tells::Raise(_))
    }

    /// The groups of its pattern, if all conditions hold.
    pub(crate) fn fits(&self, heard: &Heard, scope: &Scope<'_>) -> Option<Map<String, Json>> {
        if self.closed != heard.closed {
            return None;
        }
        if let Some(statuses) = &self.status {
            let status = heard.more.get("status").and_then(Json::as_i64)?;
            statuses.iter().any(|each| each.has(status)).then_some(())?;
        }
        for (value, pattern) in &self.conditions {
            pattern.is_match(&plain(&value.filled(scope).ok()?)).then_some(())?;
        }
        let Some(pattern) = &self.pattern else { return Some(Map::new()) };
        let field = self.field.as_ref().map(|field| field.plain(scope)).transpose().ok()?;
        let text = field.as_deref().unwrap_or(&heard.text);
        pattern.captures(text).map(|captures| groups(pattern, &captures))
    }

    /// Everything that it makes values of.
    pub(crate) fn templates(&self) -> Vec<&Template> {
        let mut all: Vec<&Template> = self.field.iter().collect();
        all.extend(self.conditions.iter().map(|(value, _)| value));
        all.extend(self.capture.iter().map(|capture| &capture.value));
        match &self.tells {
            Tells::Answer(value) => all.extend(value),
            Tells::Refuse(value) | Tells::Raise(value) => all.push(value),
            Tells::Output { args, .. } => all.extend(args.iter().map(|(_, value)| value)),
            Tells::Nothing => {}
        }
        all
    }

    /// Names of its groups.
    pub(crate) fn groups(&self) -> impl Iterator<Item = String> {
        let pattern = self.pattern.iter();
        pattern.flat_map(|pattern| {
            let names = pattern.capture_names().flatten().map(String::from);
            names.chain((0..pattern.captures_len()).map(|index| index.to_string()))
        })
    }
}

impl Status {
    fn has(self, status: i64) -> bool {
        match self {
            Status::Exactly(own) => own == status,
            Status::Hundreds(own) => own == status / 100,
        }
    }
}

pub(crate) fn pattern(text: &str, span: &Range<usize>, problems: &mut Problems<'_>) -> Option<Regex> {
    match Regex::new(text) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            let error = error.to_string();
            let why = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            problems.add(span, format!("the pattern `{text}` does not compile: {why}"), "");
            None
        }
    }
}

/// One text or several.
pub(crate) fn names(value: &Value<'_>, problems: &mut Problems<'_>) -> Vec<String> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().filter_map(|item| text(item, "for", problems)).map(Into::into).collect(),
        _ => text(value, "for", problems).map(Into::into).into_iter().collect(),
    }
}

fn statuses(value: &Value<'_>, problems: &mut Problems<'_>) -> Vec<Status> {
    let several = value.get_ref().as_array().map(|items| items.iter().collect());
    several.unwrap_or_else(|| vec![value]).into_iter().filter_map(|each| status(each, problems)).collect()
}

fn status(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<Status> {
    let hundreds = |text: &str| text.strip_suffix("xx").and_then(|first| first.parse().ok()).map(Status::Hundreds);
    let found = match value.get_ref() {
        DeValue::String(text) => hundreds(text),
        other => number(other).map(Status::Exactly),
    };
    if found.is_none() {
        let help = "write `status = 404`, `status = [200, 201]` or `status = \"4xx\"`";
        problems.add(&value.span(), "this is no status", help);
    }
    found
}

type Entry<'t> = (&'t str, Range<usize>, &'t Value<'t>);

/// `"$.kind" = "join"`: the whole value must match.
fn condition((path, span, value): Entry<'_>, problems: &mut Problems<'_>) -> Option<(Template, Regex)> {
    let path = Template::text(&format!("{{{path}}}"), &span, problems);
    let wanted = match value.get_ref() {
        DeValue::String(text) => format!("^(?:{text})$"),
        DeValue::Boolean(truth) => format!("^{truth}$"),
        other => match number(other) {
            Some(number) => format!("^{number}$"),
            None => {
                problems.add(&value.span(), format!("a condition cannot be {}", kind(other)), "write a pattern");
                return None;
            }
        },
    };
    Some((path, pattern(&wanted, &value.span(), problems)?))
}

fn captured((name, span, value): Entry<'_>, problems: &mut Problems<'_>) -> Option<Capture> {
    let (name, key) = match name.split_once('[') {
        Some((name, key)) => (name, Some(key.strip_suffix(']')?.to_string())),
        None => (name, None),
    };
    if !crate::template::is_name(name) {
        problems.add(&span, format!("`{name}` cannot be captured"), "write `name = value` or `\"name[key]\" = value`");
    }
    Some(Capture { name: name.into(), key, value: Template::read(value, problems) })
}

fn telling(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<Tells> {
    let said: Vec<&str> = TELLING.into_iter().filter(|key| table.has(key)).collect();
    let mut template = |key: &'static str| table.get(key).map(|value| Template::read(value, problems));
    let (answer, refuse, raise) = (template("answer"), template("refuse"), template("raise"));
    let output = table.text("output", problems);
    let args = table.get("args");
    let accept = table.truth("accept", problems);
    let ignore = table.truth("ignore", problems);
    let [_] = said[..] else {
        let help = format!("exactly one of {} is needed", TELLING.map(|key| format!("`{key}`")).join(", "));
        let message = if said.is_empty() { "this [[read]] tells nothing" } else { "this [[read]] tells two things" };
        problems.add(&table.span, message, help);
        return None;
    };
    if let (Some(args), None) = (args, &output) {
        problems.add(&args.span(), "`args` without `output`", meant("args", TELLING.into_iter()));
    }
    Some(match (answer, refuse, raise, output) {
        (Some(answer), ..) => Tells::Answer(Some(answer)),
        (_, Some(reason), ..) => Tells::Refuse(reason),
        (_, _, Some(name), _) => Tells::Raise(name),
        (.., Some((name, _))) => {
            let args = args.and_then(|args| Table::of(args, "args", problems));
            let entries = args.iter().flat_map(|args| args.entries());
            let args = entries.map(|(name, _, value)| (name.to_string(), Template::read(value, problems))).collect();
            Tells::Output { name: name.into(), args }
        }
        _ if accept => Tells::Answer(None),
        _ if ignore => Tells::Nothing,
        _ => {
            problems.add(&table.span, "this [[read]] tells nothing", "write `accept = true` or `ignore = true`");
            return None;
        }
    })
}
