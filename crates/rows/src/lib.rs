//! How does a state lie in machine words? A *row* is a fixed number of 64-bit words: bit fields for what is small, handles of interned
//! lists for what is not.
//!
//! [`Kind`] says how a value becomes a word, [`Layout`] where in the row each part of a state stands, [`Store`] holds what has no bits
//! of its own, and [`Watch`] gives formulas and observers their places in the same row. Equal states have equal rows, so whoever searches
//! compares words. This crate compiles nothing and knows no search; its only `unsafe` code is the memory of the store.

mod kind;
mod layout;
mod masks;
mod store;
mod watch;

pub use kind::{Handle, Kind, Kinds, Small, View};
pub use layout::{Field, Layout, Scalar, Slot, Widths};
pub use store::{PAGE, Store};
pub use watch::{Judge, Test, Watch, Watched, Watcher, deciding, forgetful, walk};

/// Why a model is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub why: String,
    /// The place in the text, if there is one.
    pub span: Option<interplay_diagnostics::Span>,
}

impl Unsupported {
    pub fn new(why: impl Into<String>) -> Unsupported {
        Unsupported { why: why.into(), span: None }
    }

    pub fn at(why: impl Into<String>, span: interplay_diagnostics::Span) -> Unsupported {
        Unsupported { why: why.into(), span: Some(span) }
    }
}
