//! What does it mean? Names, types and well-formedness turn the tree of a specification into a [`Model`].

mod expr;
mod index;
mod library;
mod lints;
mod lower;
mod model;
mod setup;
mod shared;
mod types;

pub use expr::*;
pub use index::*;
pub use library::*;
pub use lower::{check, check_and_index, offers};
pub use model::*;
pub use setup::*;
pub use shared::*;
pub use types::*;
