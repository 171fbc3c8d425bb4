//! All tests of this crate in one program: it is linked once.

#[path = "../../prove/tests/support/mod.rs"]
mod support;

mod derive;
mod laws;
mod operations;
mod suite;
