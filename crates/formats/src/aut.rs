//! Aldebaran (`.aut`): labelled transition systems, one line per arc.

mod read;
mod write;

pub use read::read;
pub use write::write;
