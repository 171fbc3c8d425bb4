//! Three truth values: true, false, and not known (yet, or any more).

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    False,
    Unknown,
    True,
}

use Truth::*;

impl Truth {
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    pub fn or(self, other: Truth) -> Truth {
        self.max(other)
    }

    /// The mark in a table of truth values.
    pub fn mark(self) -> char {
        match self {
            False => '-',
            Unknown => '?',
            True => '+',
        }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            False => True,
            Unknown => Unknown,
            True => False,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Truth {
        if value { True } else { False }
    }
}
