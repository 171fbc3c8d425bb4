//! The same action many times, then another one: so that capacities fill, queues grow and counters run over.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::Choices;
use interplay_model::ActionId;

#[derive(Default)]
pub struct Burst {
    actions: Vec<ActionId>,
    left: usize,
}

/// The shortest burst; each of the next four is twice as long, and half as frequent.
const SHORT: usize = 2;
const LENGTHS: [u64; 5] = [16, 8, 4, 2, 1];
/// Once in so many times it listens instead.
const LISTENS: usize = 6;

impl Strategy for Burst {
    fn name(&self) -> &'static str {
        "burst"
    }

    fn start(&mut self) {
        *self = Burst::default();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        if view.may_listen && choices.once_in(LISTENS) {
            return Move::Listen;
        }
        let groups = view.open_groups();
        if self.left == 0 {
            self.left = SHORT << choices.weighted(&LENGTHS).unwrap_or(0);
            self.actions = match groups.is_empty() {
                true => Vec::new(),
                false => view.groups()[groups[choices.below(groups.len())]].actions.clone(),
            };
        }
        self.left -= 1;
        let again: Vec<usize> =
            groups.into_iter().filter(|group| view.groups()[*group].actions == self.actions).collect();
        match view.give_one_of(&again, &vec![1; again.len()], choices) {
            Some(chosen) => chosen,
            // It cannot be given here: something else first, or what comes.
            None if view.may_listen && choices.once_in(2) => Move::Listen,
            None => view.anything(choices),
        }
    }
}
