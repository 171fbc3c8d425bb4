//! The solver: where it is, how to talk to it, and what the talk is made of. Nothing here knows specifications.

mod ground;
mod locate;
mod read;
mod solver;
mod term;

pub(crate) use ground::{Ground, Known, ground};
pub use locate::{INSTALL, Missing};
pub(crate) use locate::{folders, locate};
#[cfg(test)]
pub(crate) use read::read;
pub(crate) use solver::{Answer, Interrupt, Listener, Problem, Solver};
pub(crate) use term::{Term, quoted};
