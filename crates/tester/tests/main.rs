//! All tests of this crate in one program: it is linked once.

mod common;

mod aps;
mod chat;
mod deadlines;
mod efforts;
mod elevator;
mod live;
mod reflexive;
mod relations;
mod shrinking;
mod silence;
mod start;
mod strategies;
mod ways;
