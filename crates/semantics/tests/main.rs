//! All tests of this crate in one program: it is linked once.

mod support;

mod errors;
mod expressions;
mod may_fail;
mod observers;
mod scenarios;
mod steps;
