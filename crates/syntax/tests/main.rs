//! All tests of this crate in one program: it is linked once.

mod common;

mod format;
mod mistakes;
mod robust;
mod samples;
mod suggestions;
mod trees;
