//! How do I get there? Finds a conversation after which a goal holds, or says why there is none.
//!
//! Several methods share one budget of time ([`find`]): a look at the goal itself ([`Contradiction`]), a search that prefers states
//! in which more of the goal holds, and a visit of all states in order of distance. A way that was found is made as
//! short as possible, played by the reference interpreter, and told with what each of its events achieves.

mod contradiction;
mod exhaust;
mod find;
mod question;
mod relevant;
mod search;
mod way;

pub use contradiction::Contradiction;
pub use find::{Answer, Budget, Found, Method, Place, find};
pub use question::Wanted;
pub use way::{Achieved, Way};
