//! The pattern file: how the log is laid out, and which lines tell which events. All its mistakes are told at once, each with its place.

use crate::template::Template;
use crate::time::TimeFormat;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// What a pattern file says, compiled.
#[derive(Debug)]
pub struct Patterns {
    pub(crate) format: Format,
    /// A record begins with such a line; those in between belong to the one before.
    pub(crate) begins: Option<Regex>,
    pub(crate) separator: u8,
    /// The columns of CSV; otherwise its first line names them.
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) time: TimeFormat,
    pub(crate) lines: Vec<Line>,
}

/// How the log is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Text,
    /// One object per line.
    Json,
    Csv,
    /// OpenTelemetry spans as OTLP writes them in JSON, one export per line.
    Otel,
    /// `journalctl -o export`.
    Journald,
}

/// One `[[line]]`.
#[derive(Debug)]
pub(crate) struct Line {
    /// For people: its event, or what it does.
    pub(crate) name: String,
    /// What the text, or the field that `in` names, must contain.
    pub(crate) matches: Option<Regex>,
    pub(crate) field: Option<String>,
    pub(crate) conditions: Vec<(String, Regex)>,
    pub(crate) tells: Tells,
    pub(crate) time: Option<Template>,
    pub(crate) more: Vec<(String, Template)>,
}

/// What a matching record tells.
#[derive(Debug)]
pub(crate) enum Tells {
    Event { action: Template, args: Option<Vec<(String, Template)>>, result: Option<Template> },
    Reset,
    Silence,
    Nothing,
}

/// A mistake in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `[[line]] 3 (login)`, or empty.
    pub place: String,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.place, self.message) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    format: Format,
    begins: Option<String>,
    separator: Option<char>,
    columns: Option<Vec<String>>,
    #[serde(rename = "time")]
    time_format: Option<String>,
    year: Option<i32>,
    #[serde(default)]
    line: Vec<LineText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineText {
    #[serde(rename = "match")]
    matches: Option<String>,
    #[serde(rename = "in")]
    field: Option<String>,
    #[serde(default, rename = "where")]
    conditions: BTreeMap<String, toml::Value>,
    event: Option<String>,
    args: Option<toml::Table>,
    result: Option<toml::Value>,
    time: Option<String>,
    /// Other fields of the line that is told, such as the session.
    #[serde(default)]
    fields: toml::Table,
    #[serde(default)]
    reset: bool,
    #[serde(default)]
    silence: bool,
    #[serde(default)]
    ignore: bool,
}

impl Patterns {
    /// Reads a pattern file. The errors are all its mistakes.
    pub fn parse(text: &str) -> Result<Patterns, Vec<Problem>> {
        let file: File = toml::from_str(text)
            .map_err(|error| vec![Problem { place: String::new(), message: error.to_string().trim_end().into() }])?;
        let mut problems = Vec::new();
        let mut told = |place: &str, message: String| problems.push(Problem { place: place.into(), message });
        let begins = file.begins.as_deref().and_then(|text| regex(text).map_err(|why| told("begins", why)).ok());
        let separator = file.separator.unwrap_or(',');
        if !separator.is_ascii() {
            told("separator", format!("one ASCII character was expected, found `{separator}`"));
        }
        let time = TimeFormat::new(file.time_format.as_deref(), file.year)
            .map_err(|why| told("time", why))
            .unwrap_or_default();
        if file.line.is_empty() {
            told("", "no [[line]] entry, so no line gives an event".into());
        }
        let mut lines = Vec::new();
        for (index, text) in file.line.into_iter().enumerate() {
            let name = text.name();
            let place = format!("[[line]] {} ({name})", index + 1);
            match text.compiled(name, file.format) {
                Ok(line) => lines.push(line),
                Err(wrong) => wrong.into_iter().for_each(|message| told(&place, message)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let Format::Text = file.format else {
            return Ok(Patterns {
                format: file.format,
                begins: None,
                separator: separator as u8,
                columns: file.columns,
                time,
                lines,
            });
        };
        Ok(Patterns { format: file.format, begins, separator: separator as u8, columns: file.columns, time, lines })
    }

    /// The names of the patterns, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.name.as_str())
    }
}

impl LineText {
    fn name(&self) -> String {
        match (&self.event, self.reset, self.silence) {
            (Some(event), ..) => event.clone(),
            (None, true, _) => "reset".into(),
            (None, _, true) => "silence".into(),
            _ => "ignore".into(),
        }
    }

    fn compiled(self, name: String, format: Format) -> Result<Line, Vec<String>> {
        let mut wrong = Vec::new();
        let matches = self.matches.as_deref().and_then(|text| regex(text).map_err(|why| wrong.push(why)).ok());
        let groups: Vec<String> = matches.iter().flat_map(Regex::capture_names).flatten().map(Into::into).collect();
        let mut conditions = Vec::new();
        for (path, value) in self.conditions {
            match regex(&condition(&value)) {
                Ok(regex) => conditions.push((path, regex)),
                Err(why) => wrong.push(format!("where `{path}`: {why}")),
            }
        }
        if matches.is_none() && conditions.is_empty() && self.matches.is_none() {
            wrong.push("add `match` or `where`: without them the entry matches every line".into());
        }
        let what = [self.event.is_some(), self.reset, self.silence, self.ignore];
        if what.iter().filter(|said| **said).count() != 1 {
            wrong.push("exactly one of `event`, `reset`, `silence` and `ignore` is needed".into());
        }
        let broken = self.matches.is_some() && matches.is_none();
        let mut template =
            |what: &str, value: &toml::Value| match Template::parse(value, &groups, format != Format::Text) {
                Ok(template) => Some(template),
                Err(_) if broken => None,
                Err(why) => {
                    wrong.push(format!("{what}: {why}"));
                    None
                }
            };
        let mut table = |what: &str, table: &toml::Table| -> Vec<(String, Template)> {
            let each = |(key, value): (&String, &toml::Value)| {
                template(&format!("{what}.{key}"), value).map(|template| (key.clone(), template))
            };
            table.iter().filter_map(each).collect()
        };
        let args = self.args.as_ref().map(|args| table("args", args));
        let more = table("fields", &self.fields);
        let action = self.event.map(toml::Value::String).and_then(|event| template("event", &event));
        let result = self.result.and_then(|result| template("result", &result));
        let time = match self.time.map(toml::Value::String) {
            Some(time) => template("time", &time),
            None if groups.iter().any(|group| group == "time") => Some(Template::group("time")),
            None => None,
        };
        let tells = match action {
            Some(action) => Tells::Event { action, args, result },
            None if self.reset => Tells::Reset,
            None if self.silence => Tells::Silence,
            None => Tells::Nothing,
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Line { name, matches, field: self.field, conditions, tells, time, more })
    }
}

/// A value that is no text must be equal; a text is a pattern for the whole value.
fn condition(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("^(?:{text})$"),
        other => format!("^{}$", regex::escape(&other.to_string())),
    }
}

fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| format!("the pattern does not compile: {error}"))
}
