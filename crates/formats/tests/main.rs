//! All tests of this crate in one program: it is linked once.

mod hoa;
mod interchange;
mod runs;
