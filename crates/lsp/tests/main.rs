//! All tests of this crate in one program: it is linked once.

mod client;

mod answers;
mod garbage;
mod sessions;
mod speed;
