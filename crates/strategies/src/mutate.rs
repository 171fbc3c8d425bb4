//! What failed or passed before, a little different: follows a plan in which something was left out, doubled, exchanged or
//! added, and goes on as the default strategy does.

use super::{Coverage, Follow};
use crate::strategy::{Brought, Move, Strategy, View};
use interplay_judge::{Choices, Plan};

pub struct Mutate {
    plans: Vec<Plan>,
    /// The plan of this run; made at the first choice, which has the dice.
    follow: Option<Follow>,
    then: Coverage,
}

/// So many plans are kept.
const KEPT: usize = 32;
/// Changes of one plan.
const MOST: usize = 3;

impl Mutate {
    /// At least one plan is needed to be of use; without one it is the default strategy.
    pub fn new(plans: Vec<Plan>) -> Mutate {
        Mutate { plans, follow: None, then: Coverage::default() }
    }

    fn changed(&self, choices: &mut Choices) -> Plan {
        let mut plan = self.plans[choices.below(self.plans.len())].clone();
        for _ in 0..=choices.below(MOST) {
            if plan.is_empty() {
                break;
            }
            let (at, other) = (choices.below(plan.len()), choices.below(plan.len()));
            match choices.below(4) {
                0 => drop(plan.remove(at)),
                1 => plan.insert(at, plan[at].clone()),
                2 => plan.swap(at, other),
                _ => {
                    let act = self.plans[choices.below(self.plans.len())].first().cloned();
                    plan.splice(at..at, act);
                }
            }
        }
        plan
    }
}

impl Strategy for Mutate {
    fn name(&self) -> &'static str {
        "mutate"
    }

    fn begin(&mut self) {
        self.follow = None;
        self.then.begin();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        if self.plans.is_empty() {
            return self.then.choose(view, choices);
        }
        if self.follow.is_none() {
            let plan = self.changed(choices);
            self.follow = Some(Follow::new(plan));
        }
        match &mut self.follow {
            Some(follow) if !follow.is_done() => match follow.next(&mut view) {
                Some(chosen) => chosen,
                None => self.then.choose(view, choices),
            },
            _ => self.then.choose(view, choices),
        }
    }

    /// What brought something new is worth changing; the oldest such plan makes room.
    fn learn(&mut self, brought: &Brought<'_>) {
        if brought.news > 0 {
            if self.plans.len() >= KEPT {
                self.plans.remove(0);
            }
            self.plans.push((brought.plan)());
        }
    }

    fn heard(&mut self) {
        if let Some(follow) = &mut self.follow {
            follow.heard();
        }
    }

    fn forget(&mut self) {
        self.then.forget();
    }
}
