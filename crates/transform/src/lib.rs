//! What does another specification of it look like? Operations on specifications: each makes a [`Machine`] of another, and [`write`] tells the result as a specification again.
//!
//! [`suspend`] makes silence visible, [`hide`] removes what happens inside, [`determinise`] leaves one way for what can be seen,
//! [`complete`] adds what is not allowed, [`watch`] adds observers, [`join`] another specification, and [`select`] leaves what can still reach a verdict.
//! One after the other they are the derivation of a symbolic test case. The definitions are those of the theory page, with its
//! corrections. [`derive`] unfolds such a test case, [`suite`] writes a test for everything that a specification can do, and
//! [`traces`] compares two specifications by brute force.

mod alike;
mod complete;
mod derive;
mod determinise;
mod entering;
mod hazards;
mod hide;
mod inputs;
mod inside;
mod invariants;
mod join;
mod logic;
mod machine;
mod select;
mod setups;
mod suite;
mod suspend;
pub mod traces;
mod tracker;
mod unfolded;
mod update;
mod watch;
mod words;
mod write;

pub use complete::{complete, complete_inputs, unspecified};
pub use derive::{
    Derivation, Derived, NoTest, NodeKind, Relation, Stop, Target, TestEdge, TestGraph, TestNode, TestVerdict, derive,
};
pub use determinise::determinise;
pub use hide::hide;
pub use inputs::{Toss, expects, inputs};
pub use join::join;
pub use machine::{Machine, Place, SILENCE, Step};
pub use select::{hope, select};
pub use suite::{Covering, Goal, Suite, SuiteTest, suite};
pub use suspend::suspend;
pub use tracker::{Position, Tracker};
pub use unfolded::unfolded;
pub use watch::{INCONCLUSIVE, place_verdict, watch};
pub use write::{LeftOut, left_out, show_step, write};

use interplay_diagnostics::Span;

/// Why an operation is not possible, and where in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub message: String,
    pub span: Option<Span>,
}

impl Refused {
    fn plain(message: impl Into<String>) -> Refused {
        Refused { message: message.into(), span: None }
    }
}

fn refused<T>(span: Span, message: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { message: message.into(), span: Some(span) })
}
