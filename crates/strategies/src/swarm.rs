//! A random half of the actions with random weights, another one in every run: what one action always undoes (`reset`, `close`) is then
//! sometimes not undone, and what needs many of a kind gets them. Some runs repeat themselves more than others.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::Choices;
use interplay_model::ActionId;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Swarm {
    /// What each action weighs in this run, once it was met; zero for those that are left out.
    weights: FxHashMap<ActionId, u64>,
    /// It listens once in so many times, and repeats what it did last in so many of four.
    manner: Option<(usize, usize)>,
    last: Vec<ActionId>,
}

impl Strategy for Swarm {
    fn name(&self) -> &'static str {
        "swarm"
    }

    fn start(&mut self) {
        *self = Swarm::default();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        let (patience, sticks) = *self.manner.get_or_insert_with(|| (2 << choices.below(3), choices.below(4)));
        if view.may_listen && choices.once_in(patience) {
            return Move::Listen;
        }
        let groups = view.open_groups();
        let mut weights: Vec<u64> = groups.iter().map(|group| self.weight(&view, *group, choices)).collect();
        let last = groups.iter().position(|group| view.groups()[*group].actions == self.last);
        if let Some(last) = last.filter(|_| choices.below(4) < sticks) {
            weights = (0..groups.len()).map(|at| u64::from(at == last)).collect();
        }
        let chosen = view.give_one_of(&groups, &weights, choices);
        if let Some(Move::Give(offer)) = chosen {
            self.last = view.group_of(offer).map_or(Vec::new(), |group| view.groups()[group].actions.clone());
        }
        chosen.unwrap_or_else(|| view.anything(choices))
    }
}

impl Swarm {
    fn weight(&mut self, view: &View<'_>, group: usize, choices: &mut Choices) -> u64 {
        let mut weight = view.weight(group);
        for action in &view.groups()[group].actions {
            let drawn = || if choices.once_in(2) { 0 } else { 1 << choices.below(4) };
            weight = weight.saturating_mul(*self.weights.entry(*action).or_insert_with(drawn));
        }
        weight
    }
}
