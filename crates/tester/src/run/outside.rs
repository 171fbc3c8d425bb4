//! Outside the instance: only what a value could explain that the domains of the setup leave out is no failure.
//!
//! The conversation is followed again in the system that is left if nothing is known of such values ([`Relaxed`]). What is wrong there
//! is wrong with every value.

use super::Run;
use interplay_judge::{Said, Wrong, explains};
use interplay_semantics::{Relaxed, Result, State};
use std::collections::BTreeSet;

/// More states are not followed: then anything may be explained.
const MOST: usize = 10_000;

impl Run<'_, '_> {
    /// Some value that the instance leaves out may explain what came; also if nobody can tell.
    pub(super) fn may_be_explained(&mut self, wrong: &Wrong) -> bool {
        let Some(relaxed) = self.tester.table.relaxed() else { return true };
        let label = wrong.label.map(|label| self.tester.table.label(label));
        self.ways(&relaxed).and_then(|states| explains(&relaxed, &states, wrong, label)).unwrap_or(true)
    }

    /// Where the system may be before the last step, whatever the values are. Refusals and silences exclude nothing here.
    fn ways(&self, relaxed: &Relaxed) -> Result<BTreeSet<State>> {
        let mut states = relaxed.start()?;
        for turn in &self.turns {
            if let Said::Given(label) | Said::Heard(label) = turn.said {
                states = relaxed.after(&states, self.tester.table.label(label))?;
            }
            if states.len() > MOST {
                return Ok(BTreeSet::new());
            }
        }
        Ok(states)
    }
}
