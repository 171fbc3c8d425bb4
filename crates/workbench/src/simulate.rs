//! Stepping through a specification by hand, and playing scenarios on it.

mod dice;
mod menu;
mod play;
mod session;
mod typed;

pub use dice::Dice;
pub(crate) use interplay_semantics::scenario_lines;
pub use menu::{Choice, Group, Menu, Problem};
pub use play::play;
pub use session::Session;
pub use typed::Typed;
pub(crate) use typed::literal;
