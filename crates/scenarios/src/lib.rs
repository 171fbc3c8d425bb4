//! How do I get there? Finds a conversation after which a goal holds, or says why there is none.
//!
//! Several methods share one budget of time ([`find`]): a look at the goal itself ([`Contradiction`]), a search that prefers states
//! in which more of the goal holds, and a visit of all states in order of distance. A way that was found is made as
//! short as possible, played by the reference interpreter, and told with what each of its events achieves.

mod asked;
mod conflicts;
mod contradiction;
mod cover;
mod exhaust;
mod find;
mod generalise;
mod history;
mod judged;
mod memory;
mod protect;
mod prover;
mod question;
mod relevant;
mod search;
mod slice;
mod way;
mod would;

pub use conflicts::{Contrast, Interaction, Kind, Looking, Pair, compare, features};
pub use contradiction::Contradiction;
pub use cover::{Item, Measured, measure, reach};
pub use find::{Answer, Budget, Found, Method, Place, find};
pub use generalise::{General, LeftOut, Library, Near, generalised, pieces, show_condition, show_general};
pub use history::{as_written, wanted};
pub use prover::{Decision, Prover};
pub use question::Wanted;
pub use way::{Achieved, Way, Wrong};
