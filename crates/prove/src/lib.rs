//! Can it ever fail, at any depth? The only crate with a solver.
//!
//! [`properties`] says what can be asked about a model, and [`prove`] asks: several engines work side by side, and the first
//! that knows ends the others. An answer is never the solver's word alone: what can happen comes as a [`Trace`] that the
//! reference interpreter has replayed, what cannot as a [`Certificate`], an inductive invariant that three further
//! questions to a fresh solver have confirmed. Everything else is [`Verdict::Unknown`], with how far each engine came.
//!
//! Constants without a value stay symbolic: an answer is about all their values that the types and `init` allow.
//! Integers have no end here, while the interpreter knows 64 bits: there are more steps here than in the interpreter, so
//! a proof holds for both, and a trace is replayed.

mod choose;
mod derive;
mod encode;
mod engines;
pub mod interchange;
pub mod operations;
mod portfolio;
mod property;
mod show;
mod smt;
mod suite;
pub mod traces;
mod witness;

pub use choose::Chooser;
pub use derive::{
    Derivation, Derived, NoTest, NodeKind, Relation, Target, TestEdge, TestGraph, TestNode, TestVerdict, derive,
};
pub use encode::Unsupported;
pub use portfolio::{Certificate, Config, Engine, Outcome, Progress, Verdict, prove, solver};
pub use property::{Aim, Property, fires, never_wrong, properties, rule_name, visits};
pub use smt::{INSTALL, Missing};
pub use suite::{Covering, Goal, Suite, SuiteTest, suite};
pub use witness::Trace;
