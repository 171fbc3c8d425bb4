//! All tests of this crate in one program: it is linked once.

mod after;
mod generalise;
mod symmetry;
mod telephone;
