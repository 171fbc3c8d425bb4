//! All tests of this crate in one program: it is linked once.

mod formats;
mod graphs;
mod pages;
