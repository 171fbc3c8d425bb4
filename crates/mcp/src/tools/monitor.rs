//! Does this log keep to the rules and the properties?

use super::{Asked, Tool, named, refused, request, schema};
use crate::{Reply, Word};
use interplay_answers::LogNote;
use interplay_report::{log_note_text, monitored_text};
use interplay_workbench::{Monitoring, Watch};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;

pub(super) const TOOL: Tool = Tool {
    name: "monitor",
    about: "Check a log against the rules and properties of a specification: one JSON object per line, such as \
            {\"action\": \"press\", \"args\": {\"floor\": 3}}, or an ordinary log with a file of patterns. pass: every step is \
            allowed, no property is violated, and every line was read and judged.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
    /// The log.
    log: PathBuf,
    /// A file with patterns, for an ordinary log.
    #[serde(default)]
    patterns: Option<PathBuf>,
    /// A setup of the specification; by default the only one; `none` uses none.
    #[serde(default)]
    setup: Option<String>,
    /// Only these properties; by default all.
    #[serde(default)]
    properties: Vec<String>,
    /// Actions that the log does not show.
    #[serde(default)]
    unlogged: Vec<String>,
    /// The log starts in the middle of a run.
    #[serde(default)]
    from_middle: bool,
}

/// Of a log without end the artifact tells the beginning.
const KEPT: usize = 1000;

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let wanted: Request = request(arguments)?;
    let context = asked.open(&wanted.file)?;
    let patterns = wanted.patterns.as_deref().map(|path| interplay_workbench::read_text(path, asked.world));
    let monitoring = Monitoring {
        setup: wanted.setup,
        properties: named(wanted.properties),
        from_the_middle: wanted.from_middle,
        unlogged: wanted.unlogged,
        patterns: patterns.transpose().map_err(refused)?,
        ..Monitoring::default()
    };
    let mut watch = Watch::new(&context, &monitoring).map_err(refused)?;
    let mut lines = asked.world.lines(&wanted.log).map_err(|error| {
        Reply::refused(format!("cannot read {}: {error}", wanted.log.display()), "name a log that exists")
    })?;
    let mut notes: Vec<LogNote> = Vec::new();
    let mut is_cut = false;
    while let Some(line) = lines.next() {
        let more = match line {
            Ok(text) => watch.feed(&text, false),
            Err(problem) => watch.skip_line(problem),
        };
        notes.extend(more.into_iter().take(KEPT - notes.len().min(KEPT)));
        if asked.world.is_stopped() {
            is_cut = lines.next().is_some();
            break;
        }
    }
    notes.extend(watch.end().into_iter().take(KEPT - notes.len().min(KEPT)));
    let summary = watch.summary();
    let told: Vec<_> = notes.iter().map(LogNote::document).collect();
    let (artifact, trouble) =
        asked.keep("monitor", &wanted.file, &json!({ "notes": told, "summary": summary.document() }));
    let text: String = notes.iter().map(log_note_text).collect();
    let mut reply = Reply {
        verdict: Some(summary.verdict().into()),
        assurance: Some("observed".into()),
        summary: monitored_text(&summary) + &text,
        next: Vec::new(),
        artifact,
    };
    if is_cut {
        reply.limited(&format!("the time was over after {} lines", summary.lines));
    }
    reply.next = match reply.verdict {
        Some(Word::Fail) => {
            vec![
                "the first note tells what was possible instead: mend the program that wrote the log, or the rule"
                    .into(),
            ]
        }
        Some(Word::Pass) => {
            vec!["nothing that the log does not show was judged; `test` drives the implementation".into()]
        }
        _ => vec![
            "lines that were not read are named: mend `patterns`, or name actions that are not logged in `unlogged`"
                .into(),
        ],
    };
    reply.next.extend(trouble);
    Ok(reply)
}
