//! The tools, one file each, listed here; and one call of one of them.
//!
//! A tool is a function from its request to a [`Reply`]. What the request may say is a type, from which the schema is made that agents
//! read; a word that it does not know is refused with those that it knows.

mod check;
mod explain;
mod explore;
mod find;
mod monitor;
mod test;
mod verify;

use crate::{Budget, Reply, World};
use interplay_diagnostics::{Diagnostic, Sources};
use interplay_report::Colour;
use interplay_workbench::{Context, Refusal};
use schemars::{JsonSchema, schema_for};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value as Json};
use std::path::Path;

/// A tool, as an agent sees it.
pub struct Tool {
    /// What it is called.
    pub name: &'static str,
    /// When to use it, and what its verdict means.
    pub about: &'static str,
    /// Whether it only reads.
    pub reads_only: bool,
    schema: fn() -> Map<String, Json>,
    run: fn(Map<String, Json>, &Asked<'_>) -> Result<Reply, Reply>,
}

impl Tool {
    /// What its arguments may be, as JSON Schema.
    pub fn schema(&self) -> Map<String, Json> {
        (self.schema)()
    }
}

/// In the order in which they are told.
pub const TOOLS: &[Tool] =
    &[check::TOOL, explore::TOOL, find::TOOL, test::TOOL, verify::TOOL, monitor::TOOL, explain::TOOL];

/// The world and the budget of one call.
struct Asked<'a> {
    world: &'a dyn World,
    budget: Budget,
}

/// Works on one call: its arguments are the text of a JSON object. The answer has at most the bytes of its budget.
pub fn call(name: &str, arguments: &str, world: &dyn World) -> String {
    let (reply, bytes) = answered(name, arguments, world);
    reply.fitted(bytes)
}

/// The bytes of an answer to a call whose budget cannot be read.
const UNTOLD: usize = 4000;

fn answered(name: &str, arguments: &str, world: &dyn World) -> (Reply, usize) {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let fix = format!("the tools are: {}", known.join(", "));
        return (Reply::refused(format!("unknown tool `{name}`"), fix), UNTOLD);
    };
    let mut arguments: Map<String, Json> = match serde_json::from_str(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let fix =
                "write a JSON object, for example {\"file\": \"door.play\", \"seconds\": 30, \"max_bytes\": 8000}";
            return (Reply::refused(format!("the arguments are no JSON object: {error}"), fix), UNTOLD);
        }
    };
    let budget = match Budget::take(&mut arguments) {
        Ok(budget) => budget,
        Err((problem, fix)) => return (Reply::refused(problem, fix), UNTOLD),
    };
    let mut reply = (tool.run)(arguments, &Asked { world, budget }).unwrap_or_else(|refusal| refusal);
    if world.is_stopped() {
        reply.limited("the time of the call was over");
    }
    (reply, budget.bytes)
}

/// The schema of a request, with the budget that every call needs.
fn schema<R: JsonSchema>() -> Map<String, Json> {
    let Json::Object(mut schema) = schema_for!(R).to_value() else { unreachable!("a type of fields has an object") };
    schema.remove("$schema");
    schema.remove("title");
    let properties = schema.entry("properties").or_insert_with(|| Json::Object(Map::new()));
    let required: Vec<Json> = Budget::properties().iter().map(|(name, _)| Json::from(*name)).collect();
    if let Some(properties) = properties.as_object_mut() {
        properties.extend(Budget::properties().map(|(name, schema)| (name.to_string(), schema)));
    }
    if let Some(list) = schema.entry("required").or_insert_with(|| Json::Array(Vec::new())).as_array_mut() {
        list.extend(required);
    }
    schema
}

/// The request that the arguments are.
fn request<R: DeserializeOwned>(arguments: Map<String, Json>) -> Result<R, Reply> {
    serde_json::from_value(Json::Object(arguments)).map_err(|error| {
        let fix = "`tools/list` has the schema of every tool, with what each argument means";
        Reply::refused(format!("the arguments do not fit: {error}"), fix)
    })
}

impl Asked<'_> {
    /// A specification without errors.
    fn open(&self, file: &Path) -> Result<Context, Reply> {
        interplay_workbench::open(file, self.world).map_err(refused)
    }

    /// Keeps the whole document; where. An answer is not lost because the disk is full.
    fn keep(&self, tool: &str, file: &Path, document: &impl Serialize) -> (Option<String>, Vec<String>) {
        let text = serde_json::to_string_pretty(document).expect("a document has names as keys") + "\n";
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        match self.world.artifact(&format!("{tool}-{stem}"), &text) {
            Ok(path) => (Some(path), Vec::new()),
            Err(error) => (
                None,
                vec![format!(
                    "the artifact could not be written: {error}; name another folder with `interplay mcp --artifacts`"
                )],
            ),
        }
    }
}

/// What was refused, and what to do: the diagnostics of a text with mistakes, with their help.
fn refused(refusal: Refusal) -> Reply {
    match refusal {
        Refusal::Request { problem, help } => {
            let fix = help.unwrap_or_else(|| "name a file that exists, relative to the folder of the server".into());
            Reply::refused(problem, fix)
        }
        Refusal::Specification { sources, diagnostics } => {
            let summary = diagnostics_text(&sources, &diagnostics);
            let next = helps(&diagnostics);
            Reply { summary, next, ..Reply::refused("", "") }
        }
    }
}

fn diagnostics_text(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    interplay_report::text(&interplay_answers::Findings::new(sources, diagnostics), Colour::Never)
}

/// What the first diagnostics say is to be done; a code that has no help has a page.
fn helps(diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut next: Vec<String> = Vec::new();
    for each in diagnostics.iter().take(5) {
        let help =
            each.help.clone().unwrap_or_else(|| format!("call `explain` with {{\"code\": \"{}\"}}", each.code.name()));
        if !next.contains(&help) {
            next.push(help);
        }
    }
    next
}

/// Names of properties: none stands for all.
fn named(properties: Vec<String>) -> Option<Vec<String>> {
    (!properties.is_empty()).then_some(properties)
}
