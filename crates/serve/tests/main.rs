//! All tests of this crate in one program: it is linked once.

mod browser;
mod built;
mod common;
mod http;
