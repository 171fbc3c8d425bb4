//! Test cases for code hosts: SARIF 2.1.0. What failed is a result at the place in the specification that it is about, or at
//! the beginning of its text.

use super::diagnostics::{location_of, physical};
use crate::{Case, CaseKind, Cases};
use interplay_answers::{Findings, Verdict};
use interplay_diagnostics::Sources;
use serde_json::{Value, json};

pub fn cases_sarif(sources: &Sources, cases: &Cases) -> Value {
    let findings = Findings::new(sources, &[]);
    let wrong = cases.cases.iter().filter(|case| case.verdict != Verdict::Pass);
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": format!("interplay {}", cases.command),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": CaseKind::ALL.map(|kind| json!({
                        "id": kind.word(),
                        "shortDescription": { "text": kind.meaning() },
                    })),
                }
            },
            "results": wrong.map(|case| result(&findings, case)).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
        }],
    })
}

fn result(findings: &Findings<'_>, case: &Case) -> Value {
    let place = match (case.span, findings.file_names().first()) {
        (Some(span), _) => Some(physical(findings, span)),
        (None, Some(name)) => {
            let region = json!({ "startLine": 1 });
            Some(json!({ "physicalLocation": { "artifactLocation": location_of(name), "region": region } }))
        }
        (None, None) => None,
    };
    let message = format!("{}: {}\n{}", case.name, case.message, case.details);
    json!({
        "ruleId": case.kind.word(),
        "ruleIndex": case.kind as usize,
        "level": if case.verdict == Verdict::Fail { "error" } else { "warning" },
        "message": { "text": message.trim_end() },
        "locations": place.into_iter().collect::<Vec<_>>(),
        "partialFingerprints": { "case/v1": format!("{}: {}", case.kind.word(), case.name) },
    })
}
