//! All tests of this crate in one program: it is linked once.

mod agreement;
mod hygiene;
mod instances;
mod lassos;
mod sizes;
