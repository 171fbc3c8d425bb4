//! What `explain --json` prints: all codes, or the page of one.

use super::shared::Severeness;
use super::version::Version;
use interplay_diagnostics::Code;
use schemars::JsonSchema;
use serde::Serialize;

/// Without a code: all of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CodesDocument {
    schema: Version<1>,
    codes: Vec<Entry>,
}

/// With a code: its page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CodeDocument {
    schema: Version<1>,
    code: &'static str,
    severity: Severeness,
    title: &'static str,
    /// As Markdown.
    page: &'static str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Entry {
    code: &'static str,
    severity: Severeness,
    title: &'static str,
}

/// Of all codes, or of one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainDocument {
    /// Without a code.
    All(CodesDocument),
    /// With a code.
    One(CodeDocument),
}

impl ExplainDocument {
    /// Of this code, or of all.
    pub fn of(code: Option<Code>) -> ExplainDocument {
        code.map_or_else(
            || ExplainDocument::All(CodesDocument::all()),
            |code| ExplainDocument::One(CodeDocument::of(code)),
        )
    }
}

impl CodesDocument {
    /// Of every code that there is.
    fn all() -> CodesDocument {
        let entry = |code: &Code| Entry { code: code.name(), severity: code.severity().into(), title: code.title() };
        CodesDocument { schema: Version, codes: Code::ALL.iter().map(entry).collect() }
    }
}

impl CodeDocument {
    /// Of this code.
    fn of(code: Code) -> CodeDocument {
        CodeDocument {
            schema: Version,
            code: code.name(),
            severity: code.severity().into(),
            title: code.title(),
            page: code.page(),
        }
    }
}
