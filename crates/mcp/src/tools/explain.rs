//! What does this code mean, or how is the language written?

use super::{Asked, Tool, request, schema};
use crate::{Reply, SKILL};
use interplay_diagnostics::{Code, did_you_mean};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::Path;

pub(super) const TOOL: Tool = Tool {
    name: "explain",
    about: "Explain a diagnostic code (N001): why, a text that provokes it, and one that is right. Without a code: the language on a \
            page, with the loop of writing, checking and mending. Read that before you write a specification.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// From the brackets after `error` or `warning`; without one, the language is explained.
    #[serde(default)]
    code: Option<String>,
}

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let Request { code } = request(arguments)?;
    let Some(text) = code else {
        let artifact = asked.world.artifact("language", SKILL).ok();
        return Ok(page(SKILL, artifact, "write a specification, then call `check`"));
    };
    let code = Code::parse(&text).ok_or_else(|| {
        let fix = did_you_mean(&text, Code::ALL.iter().map(|code| code.name()));
        Reply::refused(
            format!("unknown code `{text}`"),
            fix.unwrap_or_else(|| "a code is a letter and three digits: N001".into()),
        )
    })?;
    let name = Path::new(code.name()).display().to_string();
    let artifact = asked.world.artifact(&format!("explain-{name}"), code.page()).ok();
    Ok(page(code.page(), artifact, "change the text as the second example shows, then call `check`"))
}

fn page(text: &str, artifact: Option<String>, next: &str) -> Reply {
    Reply { verdict: None, assurance: None, summary: text.into(), next: vec![next.into()], artifact }
}
