//! The same moves as the reference interpreter, compiled: states are flat rows of machine words, rules are native code.
//!
//! [`Program::compile`] takes an instance (a model under a setup) and gives a [`Program`] that writes all successors of a row
//! into a buffer. Structured values are interned once ([`store`]), small ones are bits of the row ([`kind`], [`layout`]).
//! What the compiler does not understand is [`Unsupported`], with the reason; the caller then uses the interpreter, which
//! is also the oracle: `tests/` compare both on every example and on generated models.
//!
//! This crate knows nothing of search order and does no IO. Its `unsafe` code stands in three files: the call
//! of compiled functions, the pointers that they share with [`runtime`], and the memory of [`store`].

mod compile;
mod kind;
mod layout;
mod masks;
mod program;
mod runtime;
mod store;
mod watch;

pub use program::{Expansion, Program, Worker};
use store::Store;
pub use watch::Judge;

/// Why a model is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub why: String,
    /// The place in the text, if there is one.
    pub span: Option<interplay_diagnostics::Span>,
}

impl Unsupported {
    pub(crate) fn new(why: impl Into<String>) -> Unsupported {
        Unsupported { why: why.into(), span: None }
    }

    pub(crate) fn at(why: impl Into<String>, span: interplay_diagnostics::Span) -> Unsupported {
        Unsupported { why: why.into(), span: Some(span) }
    }
}
