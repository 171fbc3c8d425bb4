//! What `verify --json` prints: one document. Its `schema` is raised when a field changes its meaning or goes away; new
//! fields may come at any time.

use crate::explored_json::{place, rounded, trace};
use crate::{Attempt, Evidence, Findings, Proved, Verified, json};
use interplay_diagnostics::Sources;
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

pub fn verified_json(sources: &Sources, verified: &Verified) -> Value {
    value!({
        "schema": SCHEMA,
        "system": verified.system,
        "setup": verified.setup,
        "verdict": verified.verdict().word(),
        "symbolic": verified.symbolic,
        "properties": verified.properties.iter().map(|each| property(sources, each)).collect::<Vec<_>>(),
        "missing": verified.missing,
        "seconds": rounded(verified.seconds, 1e6),
    })
}

fn property(sources: &Sources, proved: &Proved) -> Value {
    let mut document = value!({
        "name": proved.name,
        "verdict": proved.verdict.word(),
        "answer": proved.answer.word(),
        "assurance": proved.evidence.assurance(),
        "engine": proved.engine,
        "seconds": rounded(proved.seconds, 1e6),
        "progress": proved.progress.iter().map(|each| attempt(sources, each)).collect::<Vec<_>>(),
    });
    if let Some(condition) = proved.condition {
        document["condition"] = value!(condition);
    }
    match &proved.evidence {
        Evidence::None => {}
        Evidence::Trace { walk, constants, error } => {
            document["trace"] = trace(walk);
            document["constants"] = value!(constants);
            if let Some(error) = error {
                let findings = Findings::new(sources, std::slice::from_ref(&**error));
                document["diagnostic"] = json(&findings)["diagnostics"][0].clone();
            }
        }
        Evidence::Invariant { conjuncts, steps, solvers } => {
            document["invariant"] = value!({
                "conjuncts": conjuncts,
                "induction_steps": steps,
                "solvers": solvers,
                "confirmed": solvers.len() > 1,
            });
        }
        Evidence::Exhausted { states } => document["states"] = value!(states),
    }
    document
}

fn attempt(sources: &Sources, attempt: &Attempt) -> Value {
    value!({
        "engine": attempt.engine,
        "text": attempt.text,
        "place": attempt.span.map(|span| place(sources, span)),
    })
}
