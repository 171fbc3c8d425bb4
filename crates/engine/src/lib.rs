//! The same moves as the reference interpreter, compiled: states are flat rows of machine words, rules are native code.
//!
//! [`Program::compile`] takes an instance (a model under a setup) and gives a [`Program`] that writes all successors of a row
//! into a buffer. How a row is laid out is `interplay_rows`' affair.
//! What the compiler does not understand is [`Unsupported`], with the reason; the caller then uses the interpreter, which
//! is also the oracle: `tests/` compare both on every example and on generated models.
//!
//! This crate knows nothing of search order and does no IO. Its `unsafe` code stands in two files: the call
//! of compiled functions, and the pointers that they share with [`runtime`].

mod compile;
mod program;
mod runtime;

pub use interplay_rows::{Judge, Unsupported};
pub use program::{Expansion, Program, Worker};
