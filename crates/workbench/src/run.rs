//! A specification as a service that people use: its logic, ready for as many conversations as wanted.

use crate::{ChosenSetup, Context, Host, Refusal, choose_setup};
use interplay_diagnostics::Span;
use interplay_services::{Logic, Played, Problem};
use std::collections::HashMap;

/// How to run it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The named one, or the only one.
    pub setup: Option<String>,
    /// What the specification leaves open is decided by dice from this seed, in the same way in every conversation.
    pub seed: u64,
}

/// A service ready to be run; [`Answer::logic`] gives one more copy of its logic.
pub struct Answer {
    /// Under which it runs.
    pub setup: ChosenSetup,
    played: Played,
}

impl Answer {
    /// For one more conversation.
    pub fn logic(&self) -> Box<dyn Logic> {
        Box::new(self.played.clone())
    }
}

/// Makes a service of the specification.
pub fn run(context: &Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    let model = &context.model;
    let setup = choose_setup(model, request.setup.as_deref())?;
    let id = setup.id(model);
    let checks = model.nodes.iter().flat_map(|node| &node.checks).map(|check| check.condition.expr.span);
    let texts: HashMap<Span, String> = checks.map(|span| (span, context.sources.text(span).to_string())).collect();
    let played = Played::new(model, id, request.seed, move |span| texts.get(&span).cloned().unwrap_or_default());
    let played = played.map_err(|problem| match problem {
        Problem::Model(error) => context.broken(error),
        problem => problem.to_string().into(),
    })?;
    Ok(Answer { setup, played })
}
