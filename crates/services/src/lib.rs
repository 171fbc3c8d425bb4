//! Inputs in any order: the systematic search through all behaviours of a service, and services built in Rust.
