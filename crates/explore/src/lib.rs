//! Which states can happen? Strategies, reductions, visited sets, graphs.
//!
//! [`explore`] visits the states of a [`System`] and says what it found, why it ended and what that is worth. A system is the
//! reference interpreter ([`Interpreted`]), the compiled engine, or a Rust type ([`RustModel`]); [`Grouped`] and [`Symmetry`]
//! make it smaller. This crate does no IO and reads no clock: deadlines, signals and progress are functions of the [`Config`].

mod checkpoint;
mod compiled;
mod config;
mod coverage;
mod endless;
mod fold;
mod found;
mod graph;
mod group;
mod growth;
mod intern;
mod interpreted;
mod judge;
mod outcome;
mod portable;
mod reduce;
mod rust_model;
mod search;
mod strategy;
mod symmetry;
mod system;
mod timeouts;
mod trace;

pub use checkpoint::{Keep, kept_notes};
pub use compiled::Compiled;
pub use config::{Config, Findings, Layers, Progress, Strategy};
pub use coverage::{Coverage, Unfired};
pub use endless::{Endless, Endlessly, Limits, Repeated, endless};
pub use graph::{Arc, ArcKind, Graph, Node, graph};
pub use group::{Arcs, Grouped};
pub use growth::{Growth, measures};
pub use interplay_engine::Unsupported;
pub use interplay_visited::{Assurance, Disk, Memory, Rows};
pub use interpreted::{Interpreted, direction, ending};
pub use judge::{Judge, Judges, MOST_PROPERTIES, formulas, judges, separately};
pub use outcome::{Finding, FindingKind, Outcome, Stop, Trace, Verdict};
pub use rust_model::{RustLabel, RustModel, RustProperty, RustSystem};
pub use search::explore;
pub use symmetry::{Renamings, Symmetry};
pub use system::{Aim, Ending, Expanded, Measure, Property, Specified, Step, StepKind, System};
pub use timeouts::{add_timeouts, with_timeouts};
