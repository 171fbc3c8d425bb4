//! The symbolic test case for a target; where there is none, the unfolded one.

use super::{changed, refusal};
use crate::Context;
use crate::explore::Refusal;
use interplay_prove::operations::{Machine, Refused, complete, determinise, hide, select, suspend, unfolded, watch};
use interplay_prove::{Derivation, Derived, Relation};
use interplay_report::Changed;

/// The case, and why it is not symbolic, if it is not.
pub(crate) fn case_of(
    context: &Context,
    derivation: &Derivation,
    derived: &Derived,
    target: &str,
    lookahead: usize,
) -> Result<(Changed, Option<String>), Refusal> {
    let about = format!("A test case that aims at {target}, derived from `{}`.", context.model.name);
    let told = |machine: &Machine| changed(machine, vec!["derive".into()], &about);
    let symbolic = match derivation.relation {
        Relation::Uioco => Err(Refused { message: "uioco asks all states that fit, one by one".into(), span: None }),
        Relation::Ioco => symbolic(context, derivation, lookahead).and_then(|machine| told(&machine)),
    };
    match symbolic {
        Ok(case) => Ok((case, None)),
        Err(why) => {
            let machine = unfolded(&context.model, &derived.selected)
                .ok_or_else(|| Refusal::Request("a test case with objects cannot be written".into()))?;
            Ok((told(&machine).map_err(refusal)?, Some(why.message)))
        }
    }
}

fn symbolic(context: &Context, derivation: &Derivation, lookahead: usize) -> Result<Machine, Refused> {
    let observers: Vec<_> = [derivation.possible, derivation.never].into_iter().flatten().collect();
    let seen = hide(suspend(Machine::new(&context.model)?)?)?;
    let tester = complete(determinise(seen, lookahead)?)?;
    select(&watch(&tester, &observers)?, derivation.target)
}
