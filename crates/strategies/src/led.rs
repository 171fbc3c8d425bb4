//! Another strategy, shown the way to where it did not come by itself: the run begins with a plan, which is given up as soon as
//! one of its inputs cannot be given, and goes on as the other strategy likes. Without a plan it is the other strategy.

use super::Follow;
use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Choices, Plan};

pub struct Led<'l> {
    follow: Follow,
    then: &'l mut dyn Strategy,
}

impl<'l> Led<'l> {
    pub fn new(plan: Plan, then: &'l mut dyn Strategy) -> Led<'l> {
        Led { follow: Follow::strictly(plan), then }
    }
}

impl Strategy for Led<'_> {
    fn name(&self) -> &'static str {
        self.then.name()
    }

    fn start(&mut self) {
        self.then.start();
    }

    /// The plan is for the first start only: nobody begins again before it is done.
    fn begin(&mut self) {
        self.then.begin();
    }

    fn choose(&mut self, mut view: View<'_>, choices: &mut Choices) -> Move {
        self.follow.next(&mut view).unwrap_or_else(|| self.then.choose(view, choices))
    }

    fn insists(&self) -> bool {
        self.then.insists()
    }

    fn heard(&mut self) {
        self.follow.heard();
        self.then.heard();
    }

    fn forget(&mut self) {
        self.then.forget();
    }
}
