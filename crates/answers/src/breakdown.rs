//! Why nobody could go on: the implementation or its adapter cannot be talked to, or a specification goes wrong, the judging one or
//! one that is played. Whoever reports it keeps the code, because a specification that goes wrong is a finding in every command.

use interplay_diagnostics::Code;

/// No verdict can be given any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// In words.
    pub message: String,
    /// What a specification gets wrong, if it is that.
    pub code: Option<Code>,
}
