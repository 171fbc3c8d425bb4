//! All tests of this crate in one program: it is linked once.

mod common;

mod codes;
mod examples;
mod explored;
mod judged;
mod library;
mod load;
mod mutants;
mod plug;
mod properties;
mod reference;
mod systematic;
mod targeted;
