//! One plain-data API for command line, editor and web: what each command does, without a terminal, HTTP or a protocol.
//!
//! A module per command, each with a `Request`, an `Answer` and `run(context, request, host)`, which gives the answer or a [`Refusal`]: a
//! mistake of the request, or diagnostics of the specification. [`open`] makes the [`Context`], once for all commands that ask about it.
//! Files, clock, progress, stop and store are those of the caller's [`Host`]; everything else here is pure.
//!
//! ```
//! use interplay_workbench::check;
//! use std::path::Path;
//! let files = |_: &Path| Ok(b"system Door\nvar open: Bol = false\n".to_vec());
//! let checked = check::run(&["door.play".into()], &files);
//! assert!(checked.has_errors());
//! ```

#![warn(missing_docs)]

pub mod adapter;
mod behind;
pub mod check;
pub mod conform;
pub mod derive;
mod driven;
pub mod explore;
pub mod export;
mod host;
pub mod import;
pub mod library;
pub mod operations;
pub mod oracle;
pub mod run;
pub mod scenario;
mod simulate;
pub mod suite;
pub mod systematic;
pub mod test;
pub mod verify;

pub use adapter::{AdapterCheck, AdapterChecked, AdapterOutcome};
pub use behind::{drawn, explored_marks};
pub use check::MAX_DIAGNOSTICS;
pub use derive::{Relation, Target};
pub use explore::picture;
pub use export::Exported;
pub use host::{Host, Progress, open, read_text};
pub use import::Imported;
pub use interplay_ask as ask;
pub use interplay_ask::{Formatted, format, unified_diff};
pub use interplay_explore::{Disk, Graph, Keep, Memory, Strategy, kept_notes};
pub use interplay_formats::aut::write as aut;
pub use interplay_formats::dot::states as dot;
pub use interplay_formats::json::write as graph_json;
pub use interplay_formats::mermaid::states as mermaid;
pub use interplay_formats::plantuml::states as plantuml;
pub use interplay_model::{ActionId, Arcs, Model, Scenario};
pub use interplay_monitor::{Monitoring, Watch, check_patterns};
pub use interplay_scaffold::{Language, Scaffold, ScaffoldError, ScaffoldFile, connect, scaffold};
pub use interplay_scenarios::Method as GoalMethod;
pub use interplay_semantics::{Behaviour, Event, Label, Value};
pub use interplay_services::{Driver, Merge};
pub use interplay_specification::{
    ChosenSetup, Context, Loader, MAX_BYTES, MAX_FILES, Refusal, Specification, choose_setup,
};
pub use operations::Operation;
pub use simulate::{Choice, Dice, Group, Menu, Problem, Session, Typed, play};
pub use systematic::{SutKind, SystematicSut, parse_sut};
pub use test::target::TestGuide;
pub use test::{Moved, Saved, TestProgress, TestShrinking, TestStrategy, test_towards};
pub use verify::Solving;
