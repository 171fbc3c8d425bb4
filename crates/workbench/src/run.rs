//! A specification as a service that people use: its logic, ready for as many conversations as wanted.

use crate::{ChosenSetup, Context, Refusal, choose_setup};
use interplay_diagnostics::Span;
use interplay_services::{Logic, Played, Problem};
use std::collections::HashMap;

/// A service ready to be run; [`Runnable::logic`] gives one more copy of its logic.
pub struct Runnable {
    pub setup: ChosenSetup,
    played: Played,
}

impl Runnable {
    pub fn logic(&self) -> Box<dyn Logic> {
        Box::new(self.played.clone())
    }
}

/// Under the named setup, or the only one. What the specification leaves open is decided by dice from the seed, in the same way in
/// every conversation.
pub fn runnable(context: &Context, setup: Option<&str>, seed: u64) -> Result<Runnable, Refusal> {
    let model = &context.model;
    let setup = choose_setup(model, setup)?;
    let id = setup.id(model);
    let checks = model.nodes.iter().flat_map(|node| &node.checks).map(|check| check.condition.expr.span);
    let texts: HashMap<Span, String> = checks.map(|span| (span, context.sources.text(span).to_string())).collect();
    let played = Played::new(model, id, seed, move |span| texts.get(&span).cloned().unwrap_or_default());
    let played = played.map_err(|problem| match problem {
        Problem::Model(error) => context.broken(error),
        problem => problem.to_string().into(),
    })?;
    Ok(Runnable { setup, played })
}
