//! What a monitor says about the run so far.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing that may come makes it good again. For a `possible` property: never said of one run.
    Violated,
    /// Nothing that may come breaks it. For a `possible` property: it happened.
    Satisfied,
    Open,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Violated => "violated",
            Verdict::Satisfied => "satisfied",
            Verdict::Open => "open",
        }
    }
}
