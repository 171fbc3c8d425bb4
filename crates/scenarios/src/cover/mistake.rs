//! What goes wrong in a rule that no scenario uses, where something else in the model goes wrong sooner.

use crate::{Answer, Budget, Method, Place, Wanted, Wrong, find};
use interplay_diagnostics::Span;
use interplay_model::{Model, RuleId};
use interplay_semantics::{Instance, Result, Transition};
use std::sync::Arc;

/// The place lies in the text of the rule.
pub(super) fn inside(model: &Model, rule: RuleId, place: Option<Span>) -> bool {
    let whole = model.rules[rule.0].span;
    place.is_some_and(|span| whole.file == span.file && whole.start <= span.start && span.end <= whole.end)
}

/// Another part of the model goes wrong, too. Whether this rule is reached and goes wrong itself is asked of a model in which it
/// does nothing; the way to it is played by the model as it is.
pub(super) fn own_mistake(
    model: &Model,
    rule: RuleId,
    wanted: &Wanted,
    places: &[Place],
    methods: &[Method],
    budget: &Budget<'_>,
) -> Result<Option<(Place, Wrong)>> {
    let mut idle = model.clone();
    // Only the mark is left.
    idle.rules[rule.0].body.truncate(1);
    idle.rules[rule.0].ensures.clear();
    let found = find(&Arc::new(idle), wanted, places, methods, budget)?;
    let (Answer::Reached(way), [place]) = (found.answer, &found.places[..]) else { return Ok(None) };
    let instance = Instance::new(Arc::new(model.clone()), *place)?;
    let before = &way.steps[..way.steps.len().saturating_sub(1)];
    let mut state = &way.start;
    for (label, target) in before {
        let goes =
            |step: &Result<Transition>| step.as_ref().is_ok_and(|step| step.label == *label && step.target == *target);
        if !instance.transitions(state).iter().any(goes) {
            return Ok(None);
        }
        state = target;
    }
    let errors = instance.transitions(state).into_iter().filter_map(Result::err);
    let own = errors.into_iter().find(|error| inside(model, rule, error.span));
    let wrong = |error| Wrong { start: Some(way.start.clone()), steps: before.to_vec(), error };
    Ok(own.map(|error| (*place, wrong(error))))
}
