//! The solver: where it is, how to talk to it, and what the talk is made of. Nothing here knows specifications.

mod ground;
mod locate;
mod read;
mod solver;
mod term;

pub use ground::{Ground, Known, ground};
pub use locate::{INSTALL, Missing};
pub use locate::{folders, locate};
pub use solver::{Answer, Interrupt, Listener, Problem, Solver};
pub use term::{Term, quoted};
