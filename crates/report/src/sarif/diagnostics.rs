//! SARIF 2.1.0, which code hosts and editors read. The rules are the table of codes, each with its page as help.

use interplay_answers::Findings;
use interplay_diagnostics::{Code, Diagnostic, Span};
use serde_json::{Value, json};

/// One log with one run.
pub fn sarif(findings: &Findings<'_>) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "interplay",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": Code::ALL.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
                }
            },
            "artifacts": findings.file_names().iter().map(|name| json!({ "location": location_of(name) })).collect::<Vec<_>>(),
            "results": findings.diagnostics.iter().map(|each| result(findings, each)).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.name(),
        "shortDescription": { "text": code.title() },
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": code.severity().word() },
    })
}

fn result(findings: &Findings<'_>, diagnostic: &Diagnostic) -> Value {
    let related = diagnostic.notes.iter().enumerate().map(|(id, note)| {
        let mut place = physical(findings, note.span);
        place["id"] = json!(id);
        place["message"] = json!({ "text": note.text });
        place
    });
    json!({
        "ruleId": diagnostic.code.name(),
        "ruleIndex": diagnostic.code as usize,
        "level": diagnostic.severity.word(),
        "message": { "text": message(diagnostic) },
        "locations": locations(findings, diagnostic),
        "relatedLocations": related.collect::<Vec<_>>(),
    })
}

/// The message alone is what most viewers show, so the help belongs to it.
fn message(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

fn locations(findings: &Findings<'_>, diagnostic: &Diagnostic) -> Vec<Value> {
    match (diagnostic.span, &diagnostic.file) {
        (Some(span), _) => vec![physical(findings, span)],
        (None, Some(file)) => vec![json!({ "physicalLocation": { "artifactLocation": location_of(file) } })],
        (None, None) => Vec::new(),
    }
}

pub(crate) fn physical(findings: &Findings<'_>, span: Span) -> Value {
    let [(start_line, start_column), (end_line, end_column)] = findings.corners(span);
    json!({
        "physicalLocation": {
            "artifactLocation": location_of(&findings.sources.file(span.file).name),
            "region": {
                "startLine": start_line,
                "startColumn": start_column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        }
    })
}

/// A file name as a URI reference: everything but the harmless characters is percent-encoded.
pub(crate) fn location_of(name: &str) -> Value {
    let mut uri = String::with_capacity(name.len());
    for byte in name.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if name.starts_with('/') {
        uri.insert_str(0, "file://");
    }
    json!({ "uri": uri })
}
