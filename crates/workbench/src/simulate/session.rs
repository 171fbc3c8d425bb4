//! A walk through the states of a system: forwards by choices, back and forth between the places that it came by.
//!
//! A position is a *set* of states, because one event may lead to several. Going back forgets nothing until another way
//! is taken, so `goto` leads forwards again, too.

use super::menu::{self, Choice, Menu};
use crate::{ChosenSetup, Context, Refusal};
use interplay_model::Model;
use interplay_semantics::{Instance, Label, State, scenario_lines, show_difference, show_label, show_name, show_state};
use std::collections::BTreeSet;

/// A run that is stepped through by hand: every step can be taken back.
pub struct Session {
    pub(super) instance: Instance,
    path: Vec<Position>,
    now: usize,
}

/// A place on the way.
struct Position {
    /// The step that led here; nothing led to the start.
    label: Option<Label>,
    /// Where the system may be. Never empty.
    states: BTreeSet<State>,
}

impl Session {
    /// The way from the start to here, as a scenario.
    pub fn scenario(&self, name: &str) -> String {
        let lines = scenario_lines(self.model(), self.labels());
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("scenario {} {{\n{lines}}}\n", show_name(name))
    }

    /// At the initial states, under a setup that exists.
    pub fn start(context: &Context, setup: &ChosenSetup) -> Result<Session, Refusal> {
        let instance = context.instance(setup)?;
        let states = instance.initial().map_err(|error| context.broken(error))?.into_iter().collect();
        Ok(Session { instance, path: vec![Position { label: None, states }], now: 0 })
    }

    pub(super) fn model(&self) -> &Model {
        self.instance.model()
    }

    /// The seed that the setup asks for.
    pub fn seed(&self) -> Option<u64> {
        self.instance.setup().and_then(|setup| setup.seed)
    }

    /// The name of the system.
    pub fn system(&self) -> &str {
        &self.model().name
    }

    /// How many steps lead here.
    pub fn depth(&self) -> usize {
        self.now
    }

    /// The number of the last position that `goto` can reach.
    pub fn last(&self) -> usize {
        self.path.len() - 1
    }

    pub(super) fn states(&self) -> &BTreeSet<State> {
        &self.path[self.now].states
    }

    fn path(&self) -> &[Position] {
        &self.path[..=self.now]
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &Label> {
        self.path().iter().filter_map(|position| position.label.as_ref())
    }

    /// The steps that led here, in specification syntax.
    pub fn steps_so_far(&self) -> Vec<String> {
        self.labels().map(|label| show_label(self.model(), label)).collect()
    }

    /// What can happen next, and what the model gets wrong there.
    pub fn menu(&self) -> Menu {
        menu::menu(&self.instance, self.states())
    }

    /// Takes a step; another future than before is forgotten.
    pub fn forward(&mut self, choice: &Choice) {
        self.path.truncate(self.now + 1);
        self.path.push(Position { label: Some(choice.label.clone()), states: choice.targets.clone() });
        self.now += 1;
    }

    /// Goes back by some steps, at most to the start.
    pub fn back(&mut self, steps: usize) {
        self.now = self.now.saturating_sub(steps);
    }

    /// Goes to a position of the way, counted from the start; says whether there is one.
    pub fn goto(&mut self, position: usize) -> bool {
        let exists = position < self.path.len();
        if exists {
            self.now = position;
        }
        exists
    }

    /// What the last step changed; nothing can be said if the state is not certain.
    pub fn difference(&self) -> Vec<String> {
        let [.., before, after] = self.path() else { return Vec::new() };
        let model = self.model();
        match (single(&before.states), single(&after.states)) {
            (_, None) => vec![format!("{} states are possible", after.states.len())],
            (None, Some(_)) => vec!["one state is possible again".into()],
            (Some(before), Some(after)) => show_difference(model, before, after),
        }
    }

    /// Every state in which the system may be, as lines.
    pub fn show_states(&self) -> Vec<Vec<String>> {
        self.states().iter().map(|state| show_state(self.model(), state)).collect()
    }
}

fn single(states: &BTreeSet<State>) -> Option<&State> {
    if states.len() == 1 { states.first() } else { None }
}
