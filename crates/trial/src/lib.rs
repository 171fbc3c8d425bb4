//! What does a test of an implementation amount to? One test as one question: stored failures first, then new runs, and what was
//! found told in specification syntax.
//!
//! [`run`] drives an implementation through the `tester` and fills in the answer. Whoever calls it says what the implementation is
//! ([`Trial::connect`]) and may lend a solver ([`Trial::plug`], [`Trial::scout`]); nothing here starts one, so that a Rust test needs
//! none. A stored failure is a [`Saved`], as text a file beside the specification or a token.

mod announced;
mod goals;
mod marks;
mod reachable;
mod request;
mod run;
mod saved;
mod told;

pub use marks::{rule_marks, unused_mark};
pub use request::{Moved, Testing};
pub use run::{Around, TestAnswer, Trial, run};
pub use saved::Saved;
pub use told::{label_of, reasons, relation, title};
