//! The solver: where it is, how to talk to it, and what the talk is made of. Nothing here knows specifications.

mod locate;
mod read;
mod solver;
mod term;

pub(crate) use locate::locate;
pub use locate::{INSTALL, Missing};
pub(crate) use solver::{Answer, Interrupt, Problem, Solver};
pub(crate) use term::{Term, quoted};
