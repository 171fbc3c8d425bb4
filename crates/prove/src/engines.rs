//! Ways to an answer, side by side.

mod believe;
mod bits;
mod bounded;
mod candidates;
mod certify;
mod horn;
mod induction;
mod script;

pub(crate) use believe::is_a_way;
pub(crate) use bits::{Told, bits};
pub(crate) use bounded::{Way, bounded};
pub use certify::Obligation;
pub(crate) use certify::{begins, certify, obligations, shrink};
pub(crate) use horn::{Found, clauses, expand, horn};
pub(crate) use induction::induction;
pub(crate) use script::name;
