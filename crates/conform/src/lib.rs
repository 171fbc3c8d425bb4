//! Does one specification, taken as an implementation, conform to another one, in every run?
//!
//! Both are turned into sets of possible states while they are walked through together, breadth first; so the first difference is one of
//! the shortest. What an observation means, and which states are possible after it, is the tester's ([`side`] is all that is taken from
//! it): what a test against `model:FILE` could ever find is what is found here, and nothing else. Events are paired by name; one that the
//! other side does not name is something that it never does.
//!
//! The price of sets: there may be exponentially many of them, and where data has no end there is no end either. Limits end the walk,
//! and then the answer says which.

mod judging;
mod side;
mod walk;
mod way;

pub use judging::{Judging, Relation};
pub use walk::{Compared, Left, Limits, Stopped, Undone, compare};
pub use way::{Difference, Observed, Seen};
