//! How often a place of the specification was used: what a listing shows in its margin.

use interplay_diagnostics::Span;

/// A part of the text, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Of the rule, or the part of it.
    pub span: Span,
    /// How often it happened; `None` if it did, and nobody counted.
    pub count: Option<u64>,
    /// In words, if there is more to say than the count: why it never happened, or what it excluded.
    pub why: Option<String>,
    /// It is the part that a failure is about.
    pub blamed: bool,
}
