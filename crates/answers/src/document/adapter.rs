//! What `adapter check --json` prints.

use super::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

/// What an adapter does when it is asked as the protocol says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AdapterDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The command that starts it.
    pub adapter: &'a [String],
    /// Nothing is wrong.
    pub ok: bool,
    /// One question after the other.
    pub checks: Vec<AdapterCheckDocument<'a>>,
    /// The last lines that were exchanged.
    pub exchange: &'a [String],
}

/// One question and its answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AdapterCheckDocument<'a> {
    check: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl<'a> AdapterCheckDocument<'a> {
    /// The adapter did what was asked.
    pub fn good(check: &'a str, seen: &'a str) -> AdapterCheckDocument<'a> {
        AdapterCheckDocument { check, ok: true, seen: Some(seen), problem: None, help: None }
    }

    /// It did not.
    pub fn wrong(check: &'a str, problem: &'a str, help: &'a str) -> AdapterCheckDocument<'a> {
        AdapterCheckDocument { check, ok: false, seen: None, problem: Some(problem), help: Some(help) }
    }
}
