//! What `run --json` prints first.

use super::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

/// The first line; what follows depends on the interface that is used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The name of the system.
    pub system: &'a str,
    /// The setup that was used.
    pub setup: Option<&'a str>,
    /// Repeats the choices.
    pub seed: u64,
    /// The address of the page.
    pub web: Option<String>,
    /// The address of the JSON interface.
    pub api: Option<String>,
}
