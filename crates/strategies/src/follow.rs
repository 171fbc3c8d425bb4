//! Does what a plan says, as far as it can be done: what is not offered where it stands is left out, unless an output may still
//! come that was faster last time, and what was heard already is not waited for again. A plan is therefore followed by meaning, not by position. Then it stops.

use crate::strategy::{Move, Strategy, View};
use interplay_judge::{Act, Choices, Plan};
use std::collections::VecDeque;

pub struct Follow {
    plan: Plan,
    left: VecDeque<Act>,
    /// Heard without having been waited for.
    early: usize,
    listening: bool,
    /// Waited for something without which the next input cannot be given.
    awaited: bool,
    /// All of it or nothing: what cannot be done ends it.
    strict: bool,
}

impl Follow {
    pub fn new(plan: Plan) -> Follow {
        let left = plan.iter().cloned().collect();
        Follow { left, plan, early: 0, listening: false, awaited: false, strict: false }
    }

    /// The rest of the plan is worth nothing without an input that cannot be given.
    pub(super) fn strictly(plan: Plan) -> Follow {
        Follow { strict: true, ..Follow::new(plan) }
    }

    /// Everything was done or left out.
    pub(super) fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// The next part of the plan that can be done here.
    pub(super) fn next(&mut self, view: &mut View<'_>) -> Option<Move> {
        self.listening = false;
        while let Some(act) = self.left.pop_front() {
            match act {
                Act::Listen if self.early > 0 => self.early -= 1,
                Act::Listen if view.may_listen => {
                    self.listening = true;
                    return Some(if self.strict { Move::Await } else { Move::Listen });
                }
                Act::Listen => {}
                Act::Give(label) => {
                    let known = view.offers.iter().position(|offer| *view.table.label(*offer) == label);
                    if let Some(offer) = known.or_else(|| view.table.suggest(view.set, &label)) {
                        self.awaited = false;
                        return Some(Move::Give(offer));
                    }
                    if view.may_come && !self.awaited {
                        self.left.push_front(Act::Give(label));
                        (self.awaited, self.listening) = (true, true);
                        return Some(Move::Await);
                    }
                    if self.strict {
                        self.left.clear();
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

    fn choose(&mut self, mut view: View<'_>, _: &mut Choices) -> Move {
        self.next(&mut view).unwrap_or(Move::Stop)
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
