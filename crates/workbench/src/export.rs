//! A specification for other tools: its transition system with one property.

use crate::{Context, Host, Refusal};
use interplay_formats::{horn, vmt};
use interplay_prove::{Config, Engine, Symbolic, never_wrong, properties, solver};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time for what the solver is asked while a system is written down; most need no question at all.
const BUDGET: Duration = Duration::from_secs(30);

/// What to write for another tool.
#[derive(Clone, Debug)]
pub struct Request {
    /// Without it no input is restricted, and constants without a value are symbolic.
    pub setup: Option<String>,
    /// Otherwise whether the model can go wrong.
    pub property: Option<String>,
    pub language: Exported,
}

/// The text for the other tool.
pub type Answer = String;

/// Writes the transition system with its property.
pub fn run(context: &Context, request: &Request, _: &dyn Host) -> Result<Answer, Refusal> {
    let chosen: Vec<String> = request.property.iter().cloned().collect();
    let (instance, _) = context.under(request.setup.as_deref(), Some(&chosen))?;
    let asked = properties(&Arc::new(instance.clone()), Some(&chosen)).into_iter().next();
    let property = asked.unwrap_or_else(never_wrong);
    let config = Config {
        budget: BUDGET,
        engines: Engine::ALL.to_vec(),
        // Without a solver a quantifier cannot be removed, which few models need.
        program: solver().unwrap_or_else(|_| PathBuf::from("z3")),
        stop: Arc::default(),
        interrupted: Arc::default(),
    };
    let system = Symbolic::new(&instance, &property, &config).map_err(|unsupported| {
        let place = context.sources.locate(unsupported.span);
        Refusal::from(format!("{place}: {}", unsupported.message))
    })?;
    Ok(match request.language {
        Exported::Horn => horn::write(&system),
        Exported::Vmt => vmt::write(&system),
    })
}

/// The languages that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// SMT-LIB Horn clauses: satisfiable if what is looked for never happens.
    Horn,
    /// VMT: `:init`, `:trans` and one `:invar-property`.
    Vmt,
}
