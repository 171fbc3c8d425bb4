//! Is what the solver tells a way of the system that it was told? Worked out by ourselves, so that a solver that lies can be told from
//! a system that was told wrongly.

use super::bounded::Way;
use interplay_encode::System;
use interplay_smt::{Ground, Known, Term, ground};

/// Larger terms are not worked out.
const MOST_SIZE: u64 = 100_000;

/// It starts where the system starts, takes its steps, and ends in what is looked for; `None` if that cannot be worked out.
pub(crate) fn is_a_way(system: &System, way: &Way) -> Option<bool> {
    let mut here: Known = Known::new();
    for (leaf, value) in system.layout.leaves.iter().zip(&way.start) {
        here.insert(leaf.name.clone(), value_of(value, &Known::new())?);
    }
    for taken in &way.steps {
        let step = system.steps.get(taken.step)?;
        let mut known = here.clone();
        for (param, value) in step.params.iter().zip(&taken.params) {
            known.insert(param.name.clone(), value_of(value, &Known::new())?);
        }
        for (param, term) in &step.named {
            known.insert(param.name.clone(), value_of(term, &known)?);
        }
        if !value_of(&step.guard, &known)?.as_bool()? {
            return Some(false);
        }
        for (leaf, next) in system.layout.leaves.iter().zip(&step.next) {
            here.insert(leaf.name.clone(), value_of(next, &known)?);
        }
    }
    value_of(&system.target, &here)?.as_bool()
}

fn value_of(term: &Term, known: &Known) -> Option<Ground> {
    if term.size() > MOST_SIZE {
        return None;
    }
    ground(term, known)
}
