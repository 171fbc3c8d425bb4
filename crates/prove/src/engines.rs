//! Ways to an answer, side by side.

mod bounded;
mod candidates;
mod certify;
mod horn;
mod induction;
mod script;

pub(crate) use bounded::{Way, bounded};
pub(crate) use certify::{certify, shrink};
pub(crate) use horn::{Found, clauses, expand, horn};
pub(crate) use induction::induction;
pub(crate) use script::name;
