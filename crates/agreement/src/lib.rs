//! Do all who answer the same question answer the same? Specifications are generated over the whole language, each is put to
//! everybody who can say something about it, and the answers are compared, pair by pair.
//!
//! A [`Pair`] is one such comparison: a name, and a function that asks a [`Subject`] and notes in a [`Tally`] what agreed, what
//! nobody could decide and why, and what was contradictory. The [`machine`] runs all pairs over a range of seeds, each in a thread
//! of its own, so that a panic or a question that does not end is a finding too; what disagrees is made smaller ([`shrink`])
//! until nothing can be left out.
//!
//! ```
//! use interplay_agreement::{Plan, run};
//! let plan = Plan { seeds: 2, only: Some("threads".into()), ..Plan::default() };
//! let summary = run(&plan, &|_| {});
//! assert!(summary.disagreements.is_empty());
//! ```

mod clock;
mod graph;
mod guard;
mod machine;
mod memory;
mod pairs;
mod reachable;
mod shrink;
mod subject;
mod summary;
mod tally;

pub use guard::note_panics;
pub use machine::{Event, Plan, run};
pub use pairs::{PAIRS, Pair};
pub use subject::Subject;
pub use summary::{Counted, Found, Summary};
pub use tally::{Disagreement, Tally};
