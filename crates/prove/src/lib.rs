//! Can it ever fail, at any depth? It asks solvers ([`interplay_smt`]) about a specification in formulas
//! ([`interplay_encode`]).
//!
//! [`properties`] says what can be asked about a model, and [`prove`] asks: several engines work side by side, and the first
//! that knows ends the others. An answer is never the solver's word alone: what can happen comes as a [`Trace`] that the
//! reference interpreter has replayed, what cannot as a [`Certificate`], an inductive invariant that further questions to fresh
//! solvers have confirmed, and against which no run of the interpreter speaks; [`confirm`] asks another program, too. Everything else is [`Verdict::Unknown`], with how far each engine came.
//!
//! Constants without a value stay symbolic: an answer is about all their values that the types and `init` allow.

mod choose;
mod confirm;
mod doubt;
mod engines;
pub mod linear;
mod portfolio;
mod show;
mod symbolic;
mod witness;

pub use choose::Chooser;
pub use confirm::{Confirmation, confirm, independent};
pub use engines::Obligation;
pub use interplay_encode::{Aim, Property, Unsupported, ending, fires, never_wrong, properties, rule_name, visits};
pub use interplay_smt::{INSTALL, Missing};
pub use portfolio::{Certificate, Config, Engine, Outcome, Progress, Started, Verdict, prove, solver, starts};
pub use symbolic::{StateLeaf, Symbolic};
pub use witness::Trace;
