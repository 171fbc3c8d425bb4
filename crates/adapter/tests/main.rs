//! All tests of this crate in one program: it is linked once.

mod common;

mod check;
mod conversation;
mod faults;
mod http;
mod leftovers;
mod model;
mod protocol;
