//! What does a specification say, once its words are understood? The [`Model`] is the narrow waist of the house: names are ids, expressions
//! are typed, blocks are written out. Whoever reads it needs no tree; who makes it from one is `interplay-lower`.
//!
//! The [`Index`] leads from each name in the text to its declaration, for those who ask about a text.

mod expr;
mod index;
mod model;
mod setup;
mod shared;
mod types;

pub use expr::*;
pub use index::*;
pub use model::*;
pub use setup::*;
pub use shared::*;
pub use types::*;
