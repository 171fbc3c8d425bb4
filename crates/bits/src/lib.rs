//! Can a circuit ever be bad? Circuits of and-gates and inverters, bounded checking, and IC3.
//!
//! A [`Circuit`] has inputs, latches with initial values, and one bit that is bad. [`ic3`] finds clauses over the latches that
//! every reachable state satisfies and that exclude what is bad, or says that there is a way; [`bounded`] finds a shortest way. Whoever wants
//! to be sure looks at the clauses again ([`is_invariant`]), or lets somebody else do so: nothing here is believed elsewhere.
//!
//! ```
//! use interplay_bits::{Answer, Circuit, ic3};
//! // A bit that goes on once and stays, and a second one that follows it.
//! let mut circuit = Circuit::default();
//! let (first, second) = (circuit.latch(false), circuit.latch(false));
//! let button = circuit.input();
//! let on = circuit.or(first, button);
//! circuit.set_next(first, on);
//! circuit.set_next(second, first);
//! let bad = circuit.and(second, !first);
//! circuit.set_bad(bad);
//! assert!(matches!(ic3(&circuit, &|| false), Answer::Never(_)));
//! ```

mod bounded;
mod circuit;
mod frames;
mod ic3;
mod sat;

pub use bounded::{Trace, bounded};
pub use circuit::{Bit, Circuit};
pub use ic3::{Answer, ic3, is_invariant};

/// Latches with values; as an answer of [`ic3`], values that no reachable state has together.
pub type Cube = Vec<(usize, bool)>;

/// Somebody said stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;
