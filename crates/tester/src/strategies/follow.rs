//! Does what a plan says, as far as it can be done: what is not offered where it stands is left out, unless an output may still
//! come that was faster last time, and what was heard already is not waited for again. A plan is therefore followed by meaning, not by position. Then it stops.

use crate::choices::Choices;
use crate::conversation::{Act, Plan};
use crate::strategy::{Move, Strategy, View};
use std::collections::VecDeque;

pub struct Follow {
    plan: Plan,
    left: VecDeque<Act>,
    /// Heard without having been waited for.
    early: usize,
    listening: bool,
    /// Waited for something without which the next input cannot be given.
    awaited: bool,
}

impl Follow {
    pub fn new(plan: Plan) -> Follow {
        Follow { left: plan.iter().cloned().collect(), plan, early: 0, listening: false, awaited: false }
    }

    /// Everything was done or left out.
    pub(super) fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// The next part of the plan that can be done here.
    pub(super) fn next(&mut self, view: &View<'_>) -> Option<Move> {
        self.listening = false;
        while let Some(act) = self.left.pop_front() {
            match act {
                Act::Listen if self.early > 0 => self.early -= 1,
                Act::Listen if view.may_listen => {
                    self.listening = true;
                    return Some(Move::Listen);
                }
                Act::Listen => {}
                Act::Give(label) => {
                    if let Some(offer) = view.offers.iter().position(|offer| *view.table.label(*offer) == label) {
                        self.awaited = false;
                        return Some(Move::Give(offer));
                    }
                    if view.may_come && !self.awaited {
                        self.left.push_front(Act::Give(label));
                        (self.awaited, self.listening) = (true, true);
                        return Some(Move::Await);
                    }
                }
            }
        }
        None
    }
}

impl Strategy for Follow {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn begin(&mut self) {
        self.left = self.plan.iter().cloned().collect();
        (self.early, self.listening, self.awaited) = (0, false, false);
    }

    fn choose(&mut self, view: View<'_>, _: &mut Choices) -> Move {
        self.next(&view).unwrap_or(Move::Stop)
    }

    fn insists(&self) -> bool {
        true
    }

    fn heard(&mut self) {
        self.awaited = false;
        if !std::mem::take(&mut self.listening) {
            self.early += 1;
        }
    }
}
