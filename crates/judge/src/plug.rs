//! Help from somebody who can solve: data for a narrow guard. The tester knows no solver; without a plug it asks nobody.

use interplay_model::ActionId;
use interplay_semantics::{Event, State};

pub trait Plug: Send + Sync {
    /// Events of an input whose values no domain gives, with which it is enabled in this state; none if nothing was found.
    fn data(&self, state: &State, input: ActionId) -> Vec<Event>;
}
