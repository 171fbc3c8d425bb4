//! What all components do together on one occasion.
//!
//! A component is concerned if the guard of one of its rules holds; it then takes exactly one of its ways, and one that is
//! not concerned stands still. So the reactions are the product of the ways of the concerned components. A component
//! whose guard cannot be judged has an error instead of a way.

use crate::effect::{Effect, Joint, join};
use crate::rule::Occasion;
use crate::{Instance, LIMIT, ModelError, Result, State};
use interplay_diagnostics::{Code, Span};
use interplay_model::{ComponentId, Trigger};
use std::collections::BTreeSet;

impl Instance {
    /// All joint reactions. An action that concerns nobody has none; a step in which nobody moves is still a step.
    pub(crate) fn react(&self, state: &State, occasion: Occasion) -> Vec<Result<Joint>> {
        let mut found = Vec::new();
        let mut ways = Vec::new();
        for component in 0..self.model().components.len() {
            ways.extend(self.ways(state, ComponentId(component), occasion, &mut found));
        }
        if ways.is_empty() && occasion.trigger != Trigger::Step {
            return found;
        }
        let span = self.span_of(occasion.trigger);
        match combinations(&ways, span) {
            Ok(combinations) => {
                let known = found.len();
                let joined = combinations.iter().map(|effects| join(self, state, effects, span));
                found.extend(joined.filter_map(Result::transpose));
                if found.len() == known && !combinations.is_empty() && occasion.result.is_none() {
                    found.push(Err(self.no_common_result(&combinations[0], span)));
                }
            }
            Err(error) => found.push(Err(error)),
        }
        found
    }

    /// The ways of one component, or `None` if it is not concerned. Errors go straight to the findings.
    fn ways(
        &self,
        state: &State,
        component: ComponentId,
        occasion: Occasion,
        found: &mut Vec<Result<Joint>>,
    ) -> Option<Vec<Effect>> {
        let mut ways: Option<Vec<Effect>> = None;
        let mut looked_at = BTreeSet::new();
        for (id, rule) in self.rules_at(state, occasion.trigger).filter(|(_, rule)| rule.component == component) {
            if self.records {
                looked_at.extend(self.note_guard(state, rule, occasion));
            }
            for frame in self.bindings(state, rule, occasion) {
                let ways = ways.get_or_insert_default();
                let effects =
                    frame.map_or_else(|error| vec![Err(error)], |frame| self.effects(state, rule, frame, occasion));
                for effect in effects {
                    match effect {
                        Ok(effect) => ways.push(effect.of(id)),
                        Err(error) => found.push(Err(error)),
                    }
                }
            }
        }
        for way in ways.iter_mut().flatten() {
            way.used.iter_mut().for_each(|used| used.extend(&looked_at));
        }
        ways
    }

    /// Each component allows results, but no result is allowed by all of them.
    fn no_common_result(&self, effects: &[&Effect], span: Span) -> ModelError {
        let says = effects.iter().filter(|effect| effect.answer.value().is_some());
        let names = says.map(|effect| format!("`{}`", self.model().components[effect.component.0].name));
        let names: Vec<String> = names.collect();
        let message = format!("conflict: {} allow no common result", names.join(" and "));
        ModelError::new(Code::M006, span, message)
            .help("let one component decide the result, or let all allow the same one")
    }

    fn span_of(&self, trigger: Trigger) -> Span {
        match trigger {
            Trigger::Action(action) => self.model().actions[action.0].span,
            Trigger::Step => self.model().components[0].span,
        }
    }
}

/// One way of each concerned component, in all combinations.
fn combinations(ways: &[Vec<Effect>], span: Span) -> Result<Vec<Vec<&Effect>>> {
    let count = ways.iter().try_fold(1usize, |count, ways| count.checked_mul(ways.len()));
    if count.is_none_or(|count| count > LIMIT) {
        let message = format!("more than {LIMIT} combinations of reactions");
        return Err(ModelError::new(Code::M009, span, message).help("reduce the choices of the components"));
    }
    let mut rows = vec![Vec::new()];
    for ways in ways {
        rows = rows.iter().flat_map(|row| ways.iter().map(move |way| [&row[..], &[way]].concat())).collect();
    }
    Ok(rows)
}
