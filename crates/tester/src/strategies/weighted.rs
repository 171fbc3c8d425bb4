//! By the weights of the setup: per state, or drawn from a bag. First the state's time of listening passes, then an action
//! is chosen by its weight, then its arguments. An action without a weight has one; if all weights are zero the test ends.

use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};
use interplay_model::{ActionId, Weight};

#[derive(Default)]
pub struct Weighted;

impl Strategy for Weighted {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        if view.may_listen {
            return Move::Listen;
        }
        let mut actions: Vec<Option<ActionId>> = (0..view.offers.len()).map(|offer| view.action(offer)).collect();
        actions.dedup();
        let weights: Vec<u64> = actions.iter().map(|action| weight(&view, *action)).collect();
        let Some(chosen) = choices.weighted(&weights) else { return Move::Stop };
        let offers: Vec<usize> =
            (0..view.offers.len()).filter(|offer| view.action(*offer) == actions[chosen]).collect();
        Move::Give(offers[choices.below(offers.len())])
    }
}

fn weight(view: &View<'_>, action: Option<ActionId>) -> u64 {
    let instance = view.table.instance();
    let weights = instance.setup().map_or(&[] as &[Weight], |setup| &setup.weights);
    let Some(action) = action else { return 1 };
    let Some(declared) = weights.iter().rfind(|weight| weight.action == action) else { return 1 };
    let members = view.table.members(view.set);
    let Some(member) = members.first() else { return 1 };
    // A weight that cannot be computed here is no reason to end a test.
    let value = instance.evaluate(&declared.weight, &member.state).map_or(1, |value| value.as_int().max(0) as u64);
    if declared.bag { value.saturating_sub(view.given[action.0]) } else { value }
}
