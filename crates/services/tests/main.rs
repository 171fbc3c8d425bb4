//! All tests of this crate in one program: it is linked once.

mod common;
#[path = "common/tables.rs"]
mod tables;

mod conversations;
mod counterexamples;
mod external;
mod library;
mod random;
mod teller;
mod throughput;
