//! All tests of this crate in one program: it is linked once.

mod support;

mod agreement;
mod bad_solvers;
mod bits;
mod choose;
mod figures;
mod strings;
mod synchronous;
