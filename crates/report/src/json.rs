//! Diagnostics as data: what `check --json` prints. Lines and columns count from one, columns in characters; the end of
//! a range is exclusive. A diagnostic about a whole file has no range.

use crate::Findings;
use interplay_diagnostics::{Diagnostic, Span};
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

/// `{"schema": 1, "diagnostics": [...], "checked": [file names]}`, and `"left_out": n` if there were too many diagnostics.
pub fn json(findings: &Findings<'_>) -> Value {
    let mut document = value!({
        "schema": SCHEMA,
        "diagnostics": findings.diagnostics.iter().map(|each| diagnostic(findings, each)).collect::<Vec<_>>(),
        "checked": findings.file_names(),
    });
    if findings.left_out > 0 {
        document["left_out"] = value!(findings.left_out);
    }
    document
}

fn diagnostic(findings: &Findings<'_>, diagnostic: &Diagnostic) -> Value {
    value!({
        "code": diagnostic.code.name(),
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "file": findings.file_of(diagnostic),
        "range": diagnostic.span.map(|span| range(findings, span)),
        "help": diagnostic.help,
        "notes": notes(findings, diagnostic),
    })
}

/// What stands under the place itself comes first.
fn notes(findings: &Findings<'_>, diagnostic: &Diagnostic) -> Vec<Value> {
    let label = diagnostic.span.zip(diagnostic.label.as_deref());
    let others = diagnostic.notes.iter().map(|note| (note.span, note.text.as_str()));
    label.into_iter().chain(others).map(|(span, text)| note(findings, span, text)).collect()
}

fn note(findings: &Findings<'_>, span: Span, text: &str) -> Value {
    value!({
        "message": text,
        "file": findings.sources.file(span.file).name,
        "range": range(findings, span),
    })
}

fn range(findings: &Findings<'_>, span: Span) -> Value {
    let [start, end] = findings.corners(span).map(|(line, column)| value!({ "line": line, "column": column }));
    value!({ "start": start, "end": end })
}
