//! Tests a Rust type against its specification, under plain `cargo test`.
//!
//! A specification says what a system may do. [`check`] drives the type through conversations that the specification allows, judges every
//! answer, and shrinks what fails: the test panics with the shortest failing conversation as a chart, what was expected instead, and the
//! state of the model.
//!
//! ```
//! use interplay::{check, system, Spec};
//!
//! struct Counter(i64);
//!
//! #[system]
//! impl Counter {
//!     fn add(&mut self, n: i64) { self.0 += n }
//!     fn total(&self) -> i64 { self.0 }
//! }
//!
//! let text = "
//!     system Counter
//!     var sum: Int = 0
//!     input add(n: 1..3) { sum += n }
//!     input total() -> Int { return sum }
//! ";
//! check(Spec::text(text), || Counter(0));      // inside a #[test]: check(spec!("counter.play"), || Counter(0))
//! ```
//!
//! [`Test`] has a say in how the type is driven, and gives a typed [`Report`] or [`Failure`]. What a system does on its own, it tells by an
//! [`Emitter`]. A panic or a hang of the type is a failure like any other. Failures are kept beside the test and tried first
//! the next time, as proptest does it ([`Test::regressions`]). The model may be a Rust type of yours as well: see [`Model`].
//!
//! # Features
//!
//! | feature | what it brings |
//! |---|---|
//! | `test` (default) | everything named here; no compiler, no solver, no layout of graphs |
//! | `html` | [`Test::html`]: a report for a browser |
//! | `explore` | the module `explore`: all states of a model, with the compiled engine |
//! | `services` | the module `services`: services whose inputs come in any order |
//!
//! # Speed of debug builds
//!
//! Dependencies are built without optimisation in the dev profile, which makes tests several times slower than they need be. In your
//! `Cargo.toml`: `[profile.dev.package."*"]` with `opt-level = 1`.

#![warn(missing_docs)]

// What the macros write names this crate, also in its own tests.
extern crate self as interplay;

#[cfg(feature = "test")]
mod test;
#[cfg(feature = "test")]
pub use test::*;

/// All states of a model: search, visited sets, findings, graphs.
#[cfg(feature = "explore")]
pub mod explore {
    pub use interplay_explore::*;
}

/// Services whose inputs come in any order: graphs in Rust, drivers, and the systematic search of all their behaviours.
#[cfg(feature = "services")]
pub mod services {
    pub use interplay_services::*;
}
