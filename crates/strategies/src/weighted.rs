//! By the weights of the setup: per state, or drawn from a bag. First the state's time of listening passes, then an action
//! is chosen by its weight, then its arguments. In a synchronous system a set of inputs is chosen, whose weight is the product of
//! the weights of its signals. An action without a weight has one, and so has the empty set; if all weights are zero the test ends.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Choices, SetId, Table};
use interplay_model::ActionId;

#[derive(Default)]
pub struct Weighted;

impl Strategy for Weighted {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        if view.may_listen {
            return Move::Listen;
        }
        let groups = view.open_groups();
        let weights: Vec<u64> = groups.iter().map(|group| view.weight(*group)).collect();
        view.give_one_of(&groups, &weights, choices).unwrap_or(Move::Stop)
    }
}

/// The weight that the setup gives to an input here, after so many of each were given.
pub fn weight_in(table: &Table, set: SetId, given: &[u64], action: ActionId) -> u64 {
    let instance = table.instance();
    let Some(declared) = instance.weights().iter().rfind(|weight| weight.action == action) else { return 1 };
    let members = table.members(set);
    let Some(member) = members.first() else { return 1 };
    // One that goes wrong ended the test when the input was offered.
    let value = instance.evaluate(&declared.weight, &member.state).map_or(1, |value| value.as_int().max(0) as u64);
    if declared.bag { value.saturating_sub(given[action.0]) } else { value }
}
