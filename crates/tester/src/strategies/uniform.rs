//! Every action that may be given, and listening, equally likely, and then its values: the generator of the papers, and the one to beat.

use crate::choices::Choices;
use crate::strategy::{Move, Strategy, View};

#[derive(Default)]
pub struct Uniform;

impl Strategy for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        view.anything(choices)
    }
}
