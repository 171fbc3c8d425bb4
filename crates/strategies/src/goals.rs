//! All goals of the specification, one for each run: first those that were not reached yet.

use super::Goal;
use crate::strategy::{Move, Strategy, View};
use interplay_judge::Choices;
use interplay_model::GoalId;
use interplay_semantics::Instance;

pub(crate) struct Goals {
    goals: Vec<Goal>,
    now: usize,
}

impl Goals {
    pub(crate) fn new(instance: &Instance) -> Goals {
        Goals { goals: (0..instance.model().goals.len()).map(|goal| Goal::new(GoalId(goal))).collect(), now: 0 }
    }
}

impl Strategy for Goals {
    fn name(&self) -> &'static str {
        "goals"
    }

    fn plan_run(&mut self, choices: &mut Choices) {
        let open: Vec<usize> = (0..self.goals.len()).filter(|at| !self.goals[*at].was_reached()).collect();
        self.now = match open.is_empty() {
            true => choices.below(self.goals.len()),
            false => open[choices.below(open.len())],
        };
    }

    fn begin(&mut self) {
        self.goals[self.now].begin();
    }

    fn choose(&mut self, view: View<'_>, choices: &mut Choices) -> Move {
        self.goals[self.now].choose(view, choices)
    }

    fn heard(&mut self) {
        self.goals[self.now].heard();
    }

    fn forget(&mut self) {
        self.goals.iter_mut().for_each(Goal::forget);
    }
}
