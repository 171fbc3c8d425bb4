//! By the weights of the setup: per state, or drawn from a bag. First the state's time of listening passes, then an action
//! is chosen by its weight, then its arguments. In a synchronous system a set of inputs is chosen, whose weight is the product of
//! the weights of its signals. An action without a weight has one, and so has the empty set; if all weights are zero the test ends.

use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};
use interplay_model::{ActionId, Discipline};
use interplay_semantics::Label;

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
        let chosen = match view.table.instance().model().discipline {
            Discipline::Synchronous => set_of_inputs(&view, choices),
            Discipline::Asynchronous | Discipline::Reactive => input(&view, choices),
        };
        chosen.map_or(Move::Stop, Move::Give)
    }
}

fn set_of_inputs(view: &View<'_>, choices: &mut Choices) -> Option<usize> {
    let product = |offer: &_| match view.table.label(*offer) {
        Label::Step { inputs, .. } => {
            inputs.iter().map(|event| weight(view, event.action)).fold(1, u64::saturating_mul)
        }
        _ => 0,
    };
    choices.weighted(&view.offers.iter().map(product).collect::<Vec<u64>>())
}

fn input(view: &View<'_>, choices: &mut Choices) -> Option<usize> {
    let mut actions: Vec<ActionId> = (0..view.offers.len()).filter_map(|offer| view.action(offer)).collect();
    actions.dedup();
    let weights: Vec<u64> = actions.iter().map(|action| weight(view, *action)).collect();
    let action = actions[choices.weighted(&weights)?];
    let offers: Vec<usize> = (0..view.offers.len()).filter(|offer| view.action(*offer) == Some(action)).collect();
    Some(offers[choices.below(offers.len())])
}

fn weight(view: &View<'_>, action: ActionId) -> u64 {
    let instance = view.table.instance();
    let Some(declared) = instance.weights().iter().rfind(|weight| weight.action == action) else { return 1 };
    let members = view.table.members(view.set);
    let Some(member) = members.first() else { return 1 };
    // A weight that cannot be computed here is no reason to end a test.
    let value = instance.evaluate(&declared.weight, &member.state).map_or(1, |value| value.as_int().max(0) as u64);
    if declared.bag { value.saturating_sub(view.given[action.0]) } else { value }
}
