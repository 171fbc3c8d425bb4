//! A setup that leaves nothing to do: whoever drives the system by it says so in the same words, instead of an answer that rests on no
//! step at all.

use crate::Refusal;
use interplay_model::{Direction, Type};
use interplay_semantics::Instance;

/// Inputs with more values are not listed only to see whether there is one.
const MOST: i64 = 10_000;

/// Refused if the system could do something in its initial states, and nothing of that is left.
pub(crate) fn leaves_a_step(instance: &Instance) -> Result<(), Refusal> {
    let Some(setup) = instance.setup().filter(|_| instance.is_driven() && !has_wide_inputs(instance)) else {
        return Ok(());
    };
    let Ok(initial) = instance.initial() else { return Ok(()) };
    let removed = initial.iter().all(|state| instance.transitions(state).is_empty());
    if removed && initial.iter().any(|state| !instance.is_stuck(state)) {
        let help = "allow an input: `without`, `limit` or `domain` removes all of them";
        let problem = format!("nothing can happen under the setup `{}`: it removes every step", setup.name);
        return Err(Refusal::request(problem, help));
    }
    Ok(())
}

fn has_wide_inputs(instance: &Instance) -> bool {
    let model = instance.model();
    let inputs = model.actions.iter().filter(|action| action.direction == Direction::Input);
    inputs.flat_map(|action| &action.params).any(|param| match model.types.strip(&param.ty) {
        Type::Range(id) => instance.range(*id).is_ok_and(|(low, high)| high.saturating_sub(low) > MOST),
        _ => false,
    })
}
