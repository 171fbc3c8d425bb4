//! Parts that several documents share: places, diagnostics, traces. A span becomes a place here, once, so that a document
//! needs no sources.

use crate::{Remark, Walk, WalkStep};
use interplay_diagnostics::{Diagnostic, Severity, Sources, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;

/// A place in a specification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Place<'a> {
    file: &'a str,
    /// From one.
    line: usize,
    /// From one, in characters.
    column: usize,
}

impl<'a> Place<'a> {
    pub(crate) fn of(sources: &'a Sources, span: Span) -> Place<'a> {
        let (line, column) = sources.position(span.start_point());
        Place { file: &sources.file(span.file).name, line, column }
    }

    pub(crate) fn line(&self) -> usize {
        self.line
    }
}

/// A line and a column.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Corner {
    /// From one.
    line: usize,
    /// From one, in characters.
    column: usize,
}

/// A part of a text; its end is exclusive.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Range {
    start: Corner,
    end: Corner,
}

impl Range {
    fn of(sources: &Sources, span: Span) -> Range {
        let corner = |point| {
            let (line, column) = sources.position(point);
            Corner { line, column }
        };
        Range { start: corner(span.start_point()), end: corner(span.end_point()) }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severeness {
    Error,
    Warning,
}

impl From<Severity> for Severeness {
    fn from(severity: Severity) -> Severeness {
        match severity {
            Severity::Error => Severeness::Error,
            Severity::Warning => Severeness::Warning,
        }
    }
}

/// A message about a specification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Diagnostic")]
pub(crate) struct Told<'a> {
    /// Stable; `interplay explain CODE` tells more.
    code: &'static str,
    severity: Severeness,
    message: &'a str,
    file: Option<&'a str>,
    /// None if it is about a whole file.
    range: Option<Range>,
    /// What to do.
    help: Option<&'a str>,
    /// What stands under the place itself comes first.
    notes: Vec<Note<'a>>,
}

/// Another place that explains a diagnostic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Note<'a> {
    message: &'a str,
    file: &'a str,
    range: Range,
}

impl<'a> Told<'a> {
    pub(crate) fn of(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Told<'a> {
        let label = diagnostic.span.zip(diagnostic.label.as_deref());
        let others = diagnostic.notes.iter().map(|note| (note.span, note.text.as_str()));
        let note = |(span, message): (Span, &'a str)| Note {
            message,
            file: &sources.file(span.file).name,
            range: Range::of(sources, span),
        };
        let named = diagnostic.span.map(|span| sources.file(span.file).name.as_str());
        Told {
            code: diagnostic.code.name(),
            severity: diagnostic.severity.into(),
            message: &diagnostic.message,
            file: named.or(diagnostic.file.as_deref()),
            range: diagnostic.span.map(|span| Range::of(sources, span)),
            help: diagnostic.help.as_deref(),
            notes: label.into_iter().chain(others).map(note).collect(),
        }
    }
}

/// Something that a reader should know, and where.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Remark")]
pub(crate) struct Remarked<'a> {
    message: &'a str,
    place: Option<Place<'a>>,
}

impl<'a> Remarked<'a> {
    pub(crate) fn all(sources: &'a Sources, remarks: &'a [Remark]) -> Vec<Remarked<'a>> {
        let place = |remark: &Remark| remark.span.map(|span| Place::of(sources, span));
        remarks.iter().map(|remark| Remarked { message: &remark.message, place: place(remark) }).collect()
    }
}

/// A way through the model, replayed by the interpreter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Trace<'a> {
    length: usize,
    /// The first state, one line for each variable.
    start: &'a [String],
    steps: Vec<TraceStep<'a>>,
    /// The last state.
    end: &'a [String],
    /// The same as a scenario that can be kept and replayed.
    scenario: &'a str,
    /// After so many steps begins what repeats for ever; absent if the way ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<usize>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct TraceStep<'a> {
    event: &'a str,
    /// What it changes.
    changes: &'a [String],
}

impl<'a> Trace<'a> {
    pub(crate) fn of(walk: &'a Walk) -> Trace<'a> {
        let step = |step: &'a WalkStep| TraceStep { event: &step.event, changes: &step.changes };
        Trace {
            length: walk.steps.len(),
            start: &walk.start,
            steps: walk.steps.iter().map(step).collect(),
            end: &walk.end,
            scenario: &walk.scenario,
            cycle: walk.cycle,
        }
    }
}

/// A field that is left out in some documents and null in others: both say something.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Nullable_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<Option<T>>();
        schema.insert(NULLABLE.into(), true.into());
        schema
    }
}

/// Marks the schema of a [`Nullable`] until [`schemas`](super::schemas) is done.
pub(crate) const NULLABLE: &str = "x-nullable";

/// How many of how many.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Part {
    covered: usize,
    of: usize,
}

impl From<(usize, usize)> for Part {
    fn from((covered, of): (usize, usize)) -> Part {
        Part { covered, of }
    }
}

/// To the microsecond: the rest is noise.
pub(crate) fn seconds(seconds: f64) -> f64 {
    rounded(seconds, 1e6)
}

/// To so many parts of one.
pub(crate) fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
