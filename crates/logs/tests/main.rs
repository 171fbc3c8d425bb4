//! All tests of the crate, as one program.

mod formats;
mod mistakes;
mod shapes;
