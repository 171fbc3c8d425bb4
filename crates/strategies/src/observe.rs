//! Changes something, then asks: after every step that led to another set of states it prefers actions that were seen to change nothing,
//! because what they return says whether the change was right.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::Choices;
use interplay_model::ActionId;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Observe {
    /// How often an action changed nothing, and how often it was seen.
    seen: FxHashMap<ActionId, (u64, u64)>,
    /// Questions since the last change.
    asked: usize,
}

/// After so many questions something is changed again.
const MOST: usize = 2;

impl Strategy for Observe {
    fn name(&self) -> &'static str {
        "observe"
    }

    fn begin(&mut self) {
        self.asked = 0;
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        let changed = self.learn_last(&view);
        self.asked = if changed { 0 } else { self.asked + 1 };
        if view.may_listen && choices.once_in(3) {
            return Move::Listen;
        }
        let asks = |action: &ActionId| self.seen.get(action).is_some_and(|(same, all)| 4 * same >= 3 * all);
        let is_question = |group: &usize| view.groups()[*group].actions.iter().all(asks);
        let (questions, changes): (Vec<usize>, Vec<usize>) = view.open_groups().into_iter().partition(is_question);
        let groups = if self.asked < MOST && !questions.is_empty() { questions } else { changes };
        let weights = vec![1; groups.len()];
        view.give_one_of(&groups, &weights, choices).unwrap_or_else(|| view.anything(choices))
    }
}

impl Observe {
    /// Whether the last step led elsewhere.
    fn learn_last(&mut self, view: &View<'_>) -> bool {
        let Some(last) = view.table.last() else { return true };
        let same = last.target == Some(last.from);
        if let Some(offer) = last.offer {
            for event in view.table.label(offer).events() {
                let (stays, all) = self.seen.entry(event.action).or_default();
                (*stays, *all) = (*stays + u64::from(same), *all + 1);
            }
        }
        !same
    }
}
