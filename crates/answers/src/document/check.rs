//! What `check --json` prints, and every command whose specification has mistakes.

use super::shared::Told;
use super::version::Version;
use crate::Findings;
use schemars::JsonSchema;
use serde::Serialize;

/// Also what every other command prints with --json if the specification has mistakes (exit code 2).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckDocument<'a> {
    schema: Version<1>,
    diagnostics: Vec<Told<'a>>,
    /// The files that were read.
    checked: Vec<&'a str>,
    /// How many diagnostics were too many to be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
}

impl<'a> Findings<'a> {
    /// For programs.
    pub fn document(&self) -> CheckDocument<'a> {
        CheckDocument {
            schema: Version,
            diagnostics: self.diagnostics.iter().map(|each| Told::of(self.sources, each)).collect(),
            checked: self.file_names(),
            left_out: Some(self.left_out).filter(|left_out| *left_out > 0),
        }
    }
}
