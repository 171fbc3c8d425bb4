//! From lines to records: one file's layout each. A record is a text, and fields where the layout has names.

use crate::patterns::{Format, Patterns};
use serde_json::{Map, Value as Json, json};

/// What one or several lines say together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    pub(crate) text: String,
    pub(crate) fields: Map<String, Json>,
}

/// Lines that are not a whole record yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    pending: Vec<String>,
    columns: Option<Vec<String>>,
}

/// A record has at most so many lines.
const LONGEST: usize = 10_000;

impl Records {
    /// The records that are whole now.
    pub(crate) fn feed(&mut self, patterns: &Patterns, line: &str) -> Result<Vec<Record>, String> {
        match patterns.format {
            Format::Text => Ok(self.text(patterns, line)),
            Format::Json => fields(line).map(|fields| vec![Record { text: line.into(), fields }]),
            Format::Csv => self.csv(patterns, line),
            Format::Otel => spans(line),
            Format::Journald => Ok(self.journal(line)),
        }
    }

    /// Nothing more comes.
    pub(crate) fn end(&mut self, patterns: &Patterns) -> Vec<Record> {
        match patterns.format {
            Format::Journald => self.journal(""),
            _ => self.flush(),
        }
    }

    fn flush(&mut self) -> Vec<Record> {
        let lines = std::mem::take(&mut self.pending);
        if lines.is_empty() { Vec::new() } else { vec![Record { text: lines.join("\n"), fields: Map::new() }] }
    }

    fn text(&mut self, patterns: &Patterns, line: &str) -> Vec<Record> {
        let Some(begins) = &patterns.begins else {
            return vec![Record { text: line.into(), fields: Map::new() }];
        };
        let whole = if begins.is_match(line) || self.pending.len() >= LONGEST { self.flush() } else { Vec::new() };
        self.pending.push(line.into());
        whole
    }

    fn csv(&mut self, patterns: &Patterns, line: &str) -> Result<Vec<Record>, String> {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).delimiter(patterns.separator).from_reader(line.as_bytes());
        let row = match reader.records().next() {
            None => return Ok(Vec::new()),
            Some(row) => row.map_err(|error| format!("this is not CSV: {error}"))?,
        };
        let row: Vec<String> = row.iter().map(Into::into).collect();
        let Some(columns) = self.columns.as_ref().or(patterns.columns.as_ref()) else {
            self.columns = Some(row);
            return Ok(Vec::new());
        };
        if row.len() != columns.len() {
            return Err(format!("{} columns were expected, found {}", columns.len(), row.len()));
        }
        let fields = columns.iter().cloned().zip(row.into_iter().map(Json::String)).collect();
        Ok(vec![Record { text: line.into(), fields }])
    }

    /// `KEY=value` lines; an empty one ends the entry.
    fn journal(&mut self, line: &str) -> Vec<Record> {
        if !line.is_empty() {
            self.pending.push(line.into());
            return Vec::new();
        }
        let lines = std::mem::take(&mut self.pending);
        let fields: Map<String, Json> = lines
            .iter()
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.into(), Json::from(value)))
            .collect();
        let text = fields.get("MESSAGE").and_then(Json::as_str).unwrap_or_default().into();
        if fields.is_empty() { Vec::new() } else { vec![Record { text, fields }] }
    }
}

fn fields(line: &str) -> Result<Map<String, Json>, String> {
    match serde_json::from_str(line) {
        Ok(Json::Object(fields)) => Ok(fields),
        Ok(_) => Err("a JSON object was expected: { ... }".into()),
        Err(error) => Err(format!("this is not JSON: {error}")),
    }
}

/// Each span is two records, its start and its end, in the order of their times.
fn spans(line: &str) -> Result<Vec<Record>, String> {
    let export = fields(line)?;
    let mut found: Vec<(u128, usize, Record)> = Vec::new();
    let resources = export.get("resourceSpans").and_then(Json::as_array);
    let resources = resources.ok_or("`resourceSpans` was expected: spans as OTLP writes them in JSON")?;
    for resource in resources {
        let service = attributes(resource.pointer("/resource/attributes"));
        let scopes = resource.get("scopeSpans").and_then(Json::as_array).into_iter().flatten();
        for span in scopes.flat_map(|scope| scope.get("spans").and_then(Json::as_array).into_iter().flatten()) {
            for (phase, time) in [("start", "startTimeUnixNano"), ("end", "endTimeUnixNano")] {
                let nanos = span.get(time).map(crate::template::plain).unwrap_or_default();
                let at =
                    nanos.parse::<u128>().map_err(|_| format!("`{time}` of a span was expected, found `{nanos}`"))?;
                let fields = json!({
                    "phase": phase,
                    "name": span.get("name"),
                    "time": nanos,
                    "trace": span.get("traceId"),
                    "span": span.get("spanId"),
                    "parent": span.get("parentSpanId"),
                    "kind": span.get("kind"),
                    "status": span.pointer("/status/code"),
                    "attributes": attributes(span.get("attributes")),
                    "resource": service,
                });
                let Json::Object(fields) = fields else { continue };
                let text = format!("{phase} {}", fields.get("name").map(crate::template::plain).unwrap_or_default());
                found.push((at, found.len(), Record { text, fields }));
            }
        }
    }
    found.sort_by_key(|(at, number, _)| (*at, *number));
    Ok(found.into_iter().map(|(_, _, record)| record).collect())
}

/// `[{"key": "a", "value": {"stringValue": "b"}}]` as `{"a": "b"}`.
fn attributes(list: Option<&Json>) -> Json {
    let each = |attribute: &Json| {
        let value = attribute.get("value")?.as_object()?.iter().next()?;
        let value = match (value.0.as_str(), value.1) {
            ("intValue", Json::String(number)) => number.parse::<i64>().map_or(Json::Null, Json::from),
            (_, value) => value.clone(),
        };
        Some((attribute.get("key")?.as_str()?.to_string(), value))
    };
    Json::Object(list.and_then(Json::as_array).into_iter().flatten().filter_map(each).collect())
}
