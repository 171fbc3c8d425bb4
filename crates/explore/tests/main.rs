//! All tests of this crate in one program: it is linked once.

mod behaviour;
mod support;

mod endless;
mod figures;
mod fold;
mod reduce;
mod search;
mod spill;
mod symmetry;
mod watched;
