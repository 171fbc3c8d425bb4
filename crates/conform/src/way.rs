//! A way to a difference, in the words of the specification where it has such words, otherwise in those of the implementation.

use interplay_semantics::{Event, Label};

/// What is seen of a system, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Step(Label),
    Silence,
    /// These inputs were not taken.
    Refused(Vec<Event>),
}

/// What is seen, in the words of both.
#[derive(Clone, Debug)]
pub struct Observed {
    /// Of the one that does it.
    pub own: Seen,
    /// Of the other one; `None` if it has no such words.
    pub other: Option<Seen>,
    /// An output of the reaction that the step before began.
    pub continues: bool,
}

/// The shortest observations that one system makes and the other one does not.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The implementation does it; otherwise, where both directions count, the specification.
    pub by_implementation: bool,
    /// The last one is the difference.
    pub way: Vec<Observed>,
    /// What the other one could have done instead of the last, in its words.
    pub allowed: Vec<Label>,
    /// The difference lies in the middle of a reaction.
    pub inside: bool,
}
