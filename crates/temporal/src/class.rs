//! What decides a formula: the first steps of a run, or only the whole of it. Told by its automaton, never by its spelling.

/// The class of a formula (Alpern and Schneider; Manna and Pnueli).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Whoever breaks it does so in finite time.
    Safety,
    /// Whoever keeps it does so in finite time.
    Guarantee,
    /// No finite time breaks it, and none is sure to keep it.
    Liveness,
    /// Some runs break it in finite time, others only in endless time.
    Mixed,
}

impl Class {
    pub(crate) fn of(is_safety: bool, is_guarantee: bool, never_breaks: bool) -> Class {
        match () {
            () if is_safety => Class::Safety,
            () if is_guarantee => Class::Guarantee,
            () if never_breaks => Class::Liveness,
            () => Class::Mixed,
        }
    }

    /// Of both together.
    pub fn and(self, other: Class) -> Class {
        match (self, other) {
            (one, other) if one == other => one,
            // A prefix breaks the safe part; of the rest nothing more is claimed.
            (Class::Guarantee, Class::Liveness) | (Class::Liveness, Class::Guarantee) => Class::Liveness,
            _ => Class::Mixed,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Liveness => "liveness",
            Class::Mixed => "mixed",
        }
    }
}
