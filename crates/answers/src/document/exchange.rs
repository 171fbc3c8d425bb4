//! What `export --json` and `import --json` print.

use super::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

/// A transition system that was written for another tool.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExportDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The name of the system.
    pub system: &'a str,
    /// The setup that was used.
    pub setup: Option<&'a str>,
    /// The property or observer; null: whether the model can go wrong.
    pub property: Option<&'a str>,
    /// The language that was written: of the transition system, or of a run.
    #[schemars(extend("enum" = ["horn", "vmt", "plantuml", "mermaid", "itf"]))]
    pub format: &'a str,
    /// The transition system or the run in that language.
    pub text: &'a str,
}

/// A model of another tool that is a specification now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImportDocument<'a> {
    #[allow(missing_docs, reason = "the type describes itself")]
    pub schema: Version<1>,
    /// The name of the system.
    pub system: &'a str,
    /// The language that was read.
    #[schemars(extend("enum" = ["aut", "dot", "vmt"]))]
    pub format: &'a str,
    /// The model as a specification.
    pub specification: &'a str,
}
