//! Does an implementation keep to its specification?

use super::{Asked, Tool, named, refused, request, schema};
use crate::{Reply, Word};
use interplay_answers::{TestStop, Tested};
use interplay_report::{Colour, tested_text};
use interplay_workbench::test;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};

pub(super) const TOOL: Tool = Tool {
    name: "test",
    about: "Drive an implementation and judge what it does. STARTS the command `sut`. fail: a conversation, shrunk and explained, \
            kept beside the specification and tried first next time. pass: all runs that were asked for ended and nothing was \
            wrong. inconclusive: the implementation could not be run, or the time was over.",
    reads_only: false,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
    /// The implementation: a command that speaks the adapter protocol, tcp://HOST:PORT, http://..., or model:FILE, another
    /// specification that plays it.
    sut: String,
    /// A setup of the specification; by default the only one; `none` uses none.
    #[serde(default)]
    setup: Option<String>,
    /// Only these properties; by default all.
    #[serde(default)]
    properties: Vec<String>,
    /// How many conversations; by default as the setup says, or 100.
    #[serde(default)]
    runs: Option<u64>,
    /// Steps per conversation; by default as the setup says, or 50.
    #[serde(default)]
    steps: Option<u64>,
    /// Repeats all choices; by default that of the setup, or a new one, which the artifact tells.
    #[serde(default)]
    seed: Option<u64>,
}

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let wanted: Request = request(arguments)?;
    let context = asked.open(&wanted.file)?;
    let setup = interplay_workbench::choose_setup(&context.model, wanted.setup.as_deref())
        .map_err(|why| refused(why.into()))?;
    let of_setup = setup.id(&context.model).and_then(|id| context.model.setups[id.0].seed);
    let (stored, unreadable) = asked.world.kept(&wanted.file);
    let testing = test::Request {
        file: wanted.file.clone(),
        sut: wanted.sut,
        setup: wanted.setup,
        properties: named(wanted.properties),
        seed: wanted.seed.or(of_setup).unwrap_or_else(|| asked.world.seed()),
        runs: wanted.runs,
        steps: wanted.steps,
        threads: 1,
        stored,
        // Half of what there is: a failure that is told long beats one that is not told.
        shrink: Some(asked.budget.work() / 2),
        ..test::Request::default()
    };
    let mut tested = test::run(&context, &testing, asked.world).map_err(refused)?.tested;
    tested.remarks.extend(unreadable);
    let (artifact, trouble) = asked.keep("test", &wanted.file, &tested.document(&context.sources));
    let mut reply = Reply {
        verdict: Some(tested.verdict().into()),
        assurance: tested.assurance(),
        summary: tested_text(&context.sources, &tested, Colour::Never),
        next: Vec::new(),
        artifact,
    };
    if tested.stop == TestStop::Time {
        reply.limited("the time was over before all runs were made");
    }
    reply.next = next(&reply, &tested, &wanted.file);
    reply.next.extend(trouble);
    Ok(reply)
}

fn next(reply: &Reply, tested: &Tested, file: &Path) -> Vec<String> {
    let file = file.display();
    match (reply.verdict, tested.failures.first()) {
        (Some(Word::Fail), Some(failure)) => {
            let replay = match &failure.file {
                Some(kept) => format!("it is kept as {kept}; the same call tries it first"),
                None => "the artifact has the conversation as a scenario".into(),
            };
            vec![
                "decide who is wrong: the line under *expected* is what the specification allows".into(),
                "mend the implementation, or the rule that the explanation names".into(),
                replay,
            ]
        }
        (Some(Word::Pass), _) => match tested.coverage.missed.is_empty() {
            true => vec!["a larger `runs` or another `seed` looks farther".into()],
            false => vec!["rules that never fired are named in the summary: widen the setup, or more `runs`".into()],
        },
        _ => vec![
            format!(
                "see that the implementation starts and speaks the protocol: `interplay adapter check {file} --sut ...`"
            ),
            "ask for more `seconds`, or fewer `runs`".into(),
        ],
    }
}
