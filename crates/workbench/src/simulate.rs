//! Stepping through a specification by hand, and playing scenarios on it.

mod conversation;
mod dice;
mod menu;
mod objects;
mod play;
mod session;
mod typed;

pub(crate) use conversation::scenario_lines;
pub use dice::Dice;
pub use menu::{Choice, Group, Menu, Problem};
pub use play::{PlayVerdict, Played, play};
pub use session::Session;
pub use typed::Typed;
pub(crate) use typed::literal;
