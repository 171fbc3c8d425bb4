//! Is the text right?

use super::{Asked, Tool, diagnostics_text, helps, request, schema};
use crate::{Reply, Word};
use interplay_answers::Findings;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::PathBuf;

pub(super) const TOOL: Tool = Tool {
    name: "check",
    about: "Report all mistakes in a specification and what it imports, each with its place and what to write instead. \
            Call it after every change, before anything else. pass: no errors.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
}

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let Request { file } = request(arguments)?;
    let checked = interplay_workbench::check::run(std::slice::from_ref(&file), asked.world);
    let (sources, diagnostics, left_out) = (&checked.sources, &checked.diagnostics, checked.left_out);
    let (artifact, trouble) = asked.keep("check", &file, &Findings { sources, diagnostics, left_out }.document());
    let syntax_only = !checked.libraries.is_empty();
    let mut next = helps(diagnostics);
    next.extend(trouble);
    if syntax_only {
        next.push("check a file that has `system` and imports this one".into());
    } else if !checked.has_errors() {
        next.push("`explore` searches all states; `test` drives an implementation; `verify` proves".into());
    }
    Ok(Reply {
        verdict: Some(if checked.has_errors() {
            Word::Fail
        } else if syntax_only {
            Word::Inconclusive
        } else {
            Word::Pass
        }),
        assurance: Some(
            if syntax_only { "syntax only: no `system`" } else { "names, types and well-formedness" }.into(),
        ),
        summary: diagnostics_text(sources, diagnostics),
        next,
        artifact,
    })
}
