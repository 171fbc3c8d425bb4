//! Can a property ever fail, at any depth and for all values?

use super::{Asked, Tool, named, refused, request, schema};
use crate::{Reply, Word};
use interplay_answers::Verified;
use interplay_report::{Colour, verified_text};
use interplay_workbench::{Context, Solving, verify};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::PathBuf;

pub(super) const TOOL: Tool = Tool {
    name: "verify",
    about: "Prove properties for all values and all depths, or give a counterexample. Slower than `explore`. With `setup` `none` \
            inputs have all values of their types. pass: every property is proved, and the model cannot go wrong. inconclusive: no engine knew in time.",
    reads_only: true,
    schema: schema::<Request>,
    run,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Request {
    /// A specification.
    file: PathBuf,
    /// A setup of the specification; by default the only one; `none` uses none: all values of all types.
    #[serde(default)]
    setup: Option<String>,
    /// Only these properties; by default all.
    #[serde(default)]
    properties: Vec<String>,
}

fn run(arguments: Map<String, Json>, asked: &Asked<'_>) -> Result<Reply, Reply> {
    let wanted: Request = request(arguments)?;
    let context = asked.open(&wanted.file)?;
    let questions = match wanted.properties.len() {
        0 => promised(&context) + 1,
        named => named + 1,
    };
    let verification = verify::Request {
        setup: wanted.setup,
        properties: named(wanted.properties),
        // A hard property leaves time for the others.
        budget: asked.budget.work().div_f64(questions as f64),
        solving: vec![Solving::Bounded, Solving::Induction, Solving::Horn],
        exploring: true,
    };
    let verified = verify::run(&context, &verification, asked.world).map_err(refused)?;
    let (artifact, trouble) = asked.keep("verify", &wanted.file, &verified.document(&context.sources));
    let verdict = verified.verdict().into();
    let mut next = next(verdict, &verified);
    next.extend(trouble);
    Ok(Reply {
        verdict: Some(verdict),
        assurance: assurance(&verified),
        summary: verified_text(&context.sources, &verified, Colour::Never),
        next,
        artifact,
    })
}

fn promised(context: &Context) -> usize {
    context.model.properties.len() + context.model.observers.len()
}

/// That of all answers, if it is the same.
fn assurance(verified: &Verified) -> Option<String> {
    let mut all: Vec<String> = verified.properties.iter().filter_map(|each| each.evidence.assured()).collect();
    all.dedup();
    (!all.is_empty()).then(|| all.join("; "))
}

fn next(verdict: Word, verified: &Verified) -> Vec<String> {
    match verdict {
        Word::Fail => vec![
            "the counterexample was replayed by the interpreter: mend the rule of its last step, or the property"
                .into(),
            "after the change: `check`, then `verify` again with `properties`: the one that failed".into(),
        ],
        Word::Pass => vec!["`test` asks whether the implementation keeps to it".into()],
        _ => {
            let missing = verified.missing.clone();
            missing
                .into_iter()
                .chain(["ask for one property with more `seconds`".into()])
                .chain(["`explore` with a setup of small domains finds counterexamples sooner".into()])
                .collect()
        }
    }
}
