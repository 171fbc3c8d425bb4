//! Plain chance: every action that may be given, and listening, equally likely, and then its values ([`Uniform`], the generator of the
//! papers, and the one to beat); or by turns every action and every input ([`Chance`]), which finds more where one action has many cases.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::Choices;

#[derive(Default)]
pub struct Uniform;

#[derive(Default)]
pub struct Chance;

impl Strategy for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        view.any(true, choices)
    }
}

impl Strategy for Chance {
    fn name(&self) -> &'static str {
        "chance"
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        view.anything(choices)
    }
}
