//! All tests of this crate in one program: it is linked once.

mod common;

mod api;
mod browser;
mod terminal;
