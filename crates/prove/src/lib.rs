//! Can it ever fail, at any depth? The only crate with a solver.
