//! Help from somebody who can solve: data for a narrow guard, and whether a rule that was not covered can ever
//! fire. The tester knows no solver; without a plug it asks nobody.

use interplay_model::{ActionId, RuleId};
use interplay_semantics::{Event, State};

pub trait Plug: Send + Sync {
    /// Events of an input whose values no domain gives, with which it is enabled in this state; none if nothing was found.
    fn data(&self, state: &State, input: ActionId) -> Vec<Event>;

    /// No run can do it, so it need not be covered.
    fn never_fires(&self, rule: RuleId) -> bool;
}
