//! Whether a value that the setup leaves out could explain what is wrong: then it is no failure of the implementation.

use crate::failure::{FailureKind, Wrong};
use interplay_semantics::{Label, Relaxed, Result, State};
use std::collections::BTreeSet;

/// Some value may explain what is wrong after these states; also if there is none, because nobody knows.
pub fn explains(relaxed: &Relaxed, states: &BTreeSet<State>, wrong: &Wrong, label: Option<&Label>) -> Result<bool> {
    if states.is_empty() {
        return Ok(true);
    }
    Ok(match (&wrong.kind, label) {
        (FailureKind::Output | FailureKind::Result | FailureKind::Forbidden, Some(label)) => {
            !relaxed.after(states, label)?.is_empty()
        }
        (FailureKind::Silence | FailureKind::Unfinished, _) => !relaxed.owes(states)?,
        (FailureKind::Refused(_), Some(Label::Step { inputs, .. })) => !relaxed.takes(states, inputs)?,
        _ => true,
    })
}
