//! Which states can happen, and do the properties hold in all of them?

use super::{Asked, Tool, named, refused, request, schema};
use crate::{Reply, Word};
use interplay_answers::{Explored, Stop};
use interplay_report::{Colour, explored_text};
use interplay_workbench::explore;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};

pub(super) const TOOL: Tool = Tool {
    name: "explore",
    about: "Visit all reachable states and check the properties in each. fail: a shortest counterexample, as a scenario that \
            can be replayed. pass: all states were visited. A limit that is reached (depth, states, time, memory) gives \
            inconclusive.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
    /// A setup of the specification; by default the only one; `none` uses none.
    #[serde(default)]
    setup: Option<String>,
    /// Only these properties; by default all.
    #[serde(default)]
    properties: Vec<String>,
    /// Explore at most so many steps from the start.
    #[serde(default)]
    depth: Option<u64>,
    /// Stop after so many states.
    #[serde(default)]
    states: Option<u64>,
    /// Report states from which nothing leads on.
    #[serde(default)]
    deadlocks: bool,
    /// Go on after the first finding.
    #[serde(default)]
    all_findings: bool,
}

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let wanted: Request = request(arguments)?;
    let context = asked.open(&wanted.file)?;
    let exploration = explore::Request {
        setup: wanted.setup,
        properties: named(wanted.properties),
        threads: 1,
        depth: wanted.depth,
        states: wanted.states,
        memory: asked.world.memory(),
        deadlocks: wanted.deadlocks,
        go_on: wanted.all_findings,
        ..explore::Request::default()
    };
    let explored = explore::run(&context, &exploration, asked.world).map_err(refused)?.explored;
    let (artifact, trouble) = asked.keep("explore", &wanted.file, &explored.document(&context.sources));
    let mut reply = Reply {
        verdict: Some(explored.verdict().into()),
        assurance: assurance(&explored),
        summary: explored_text(&context.sources, &explored, Colour::Never),
        next: Vec::new(),
        artifact,
    };
    if !matches!(explored.stop, Stop::Exhausted | Stop::FirstFinding) {
        reply.limited(&format!("the search stopped at a limit ({})", explored.stop.word()));
    }
    reply.next = next(&reply, &explored, &wanted.file);
    reply.next.extend(trouble);
    Ok(reply)
}

fn assurance(explored: &Explored) -> Option<String> {
    match (explored.stop, explored.bounded) {
        (Stop::Exhausted, _) => Some(explored.whole.to_string()),
        (Stop::FirstFinding, _) => Some("proved".into()),
        (_, bounded) => bounded.map(|steps| format!("bounded({steps})")),
    }
}

fn next(reply: &Reply, explored: &Explored, file: &Path) -> Vec<String> {
    let file = file.display();
    match reply.verdict {
        Some(Word::Fail) => vec![
            "read the last step of the counterexample: either the rule that fires there lacks a condition, or the property asks too much".into(),
            format!("keep the counterexample: put the scenario of the artifact into {file}, and expect there what is right"),
            "after the change: `check`, then `explore` again".into(),
        ],
        Some(Word::Pass) => vec!["`verify` proves the same for all values, without a setup; `test` asks an implementation".into()],
        _ => {
            let growth = explored.growth.as_ref().map(|grows| {
                format!("{} seems to grow without end; bound it in the setup: {}", grows.measure, grows.proposal)
            });
            growth
                .into_iter()
                .chain(["ask for more (`seconds`, `states`, `depth`), or make domains smaller in a setup".into()])
                .chain(["`verify` may prove it without visiting the states".into()])
                .collect()
        }
    }
}
