//! What `scenario add --json` prints.

use super::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

/// A conversation that is a scenario of the specification now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AddDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// Of the scenario.
    pub name: &'a str,
    /// Where it belongs.
    pub file: &'a str,
    /// The file has it now; with --dry-run it has not.
    pub added: bool,
    /// In specification syntax.
    pub scenario: &'a str,
}
