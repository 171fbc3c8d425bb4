//! How do I get there?

use super::{Asked, Tool, refused, request, schema};
use crate::{Reply, Word};
use interplay_report::sought_text;
use interplay_workbench::scenario;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::PathBuf;

pub(super) const TOOL: Tool = Tool {
    name: "find",
    about: "Find a shortest conversation that reaches a state, or prove that there is none. Use it to see whether a specification \
            allows what you mean it to. pass: every goal has an answer, which may be that nothing leads there.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
    /// Names of goals, or conditions such as `open and tries > 2`; by default all goals of the specification.
    #[serde(default)]
    goals: Vec<String>,
    /// A setup of the specification; by default the only one; `none` uses none.
    #[serde(default)]
    setup: Option<String>,
}

/// Of memory, where the machine does not say what it has.
const MEMORY: u64 = 2 << 30;

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let wanted: Request = request(arguments)?;
    let mut context = asked.open(&wanted.file)?;
    let questions = match wanted.goals.len() {
        0 => context.model.goals.len().max(1),
        named => named,
    };
    let seeking = scenario::Request {
        goals: wanted.goals,
        setup: wanted.setup,
        timeout: asked.budget.work().div_f64(questions as f64),
        memory: asked.world.memory().unwrap_or(MEMORY),
        methods: Vec::new(),
        library: None,
    };
    let sought = scenario::run(&mut context, &seeking, asked.world).map_err(refused)?;
    let (artifact, trouble) = asked.keep("find", &wanted.file, &sought.document(&context.sources));
    let verdict = Word::from(sought.verdict());
    let mut assurances: Vec<&str> = sought.goals.iter().filter_map(|goal| goal.answer.assurance()).collect();
    assurances.dedup();
    let mut next = match verdict {
        Word::Pass => vec!["put the scenarios of the artifact into the specification: they are played as tests".into()],
        Word::Fail => vec!["the model itself goes wrong on the way: mend that first".to_string()],
        _ => vec!["ask for one goal with more `seconds`, or with a setup of smaller domains".into()],
    };
    next.extend(trouble);
    Ok(Reply {
        verdict: Some(verdict),
        assurance: (!assurances.is_empty()).then(|| assurances.join("; ")),
        summary: sought_text(&context.sources, &sought, true),
        next,
        artifact,
    })
}
