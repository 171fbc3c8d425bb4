//! Every input that may be given, and listening, equally likely: the generator of the papers, and the one to beat.

use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};

#[derive(Default)]
pub struct Uniform;

impl Strategy for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        let chosen = choices.below(view.offers.len() + usize::from(view.may_listen));
        if chosen < view.offers.len() { Move::Give(chosen) } else { Move::Listen }
    }
}
