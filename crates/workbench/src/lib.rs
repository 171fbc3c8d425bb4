//! One plain-data API for command line, editor and web: what each command does, without a terminal, HTTP or a protocol.
//!
//! Files, clock, progress, stop and store are those of the caller's [`Host`]; everything else here is pure.
//!
//! ```
//! use interplay_workbench::check;
//! use std::path::Path;
//! let files = |_: &Path| Ok(b"system Door\nvar open: Bol = false\n".to_vec());
//! let checked = check(&["door.play".into()], &files);
//! assert!(checked.has_errors());
//! ```

mod adapter;
pub mod ask;
mod behind;
mod check;
mod derive;
mod explore;
mod format;
mod host;
mod interchange;
mod library;
mod monitor;
mod operations;
mod oracle;
mod patterns;
mod run;
mod scaffold;
mod scenario;
mod simulate;
mod suite;
mod systematic;
mod test;
mod verify;

pub use adapter::{AdapterCheck, AdapterChecked, AdapterOutcome, check_adapter};
pub use behind::{drawn, explored_marks};
pub use check::{Checked, MAX_DIAGNOSTICS, check};
pub use derive::{Relation, Target, Wanted, derive};
pub use explore::{Exploration, Exploring, explore, picture};
pub use format::{Formatted, format, unified_diff};
pub use host::{Host, Progress, open, open_with, read_text};
pub use interchange::{Exported, Exporting, Imported, export_system, import_system};
pub use interplay_explore::{Disk, Graph, Keep, Memory, Strategy, kept_notes};
pub use interplay_formats::aut::write as aut;
pub use interplay_formats::dot::states as dot;
pub use interplay_formats::json::write as graph_json;
pub use interplay_model::Arcs;
pub use interplay_model::{ActionId, Model, Scenario};
pub use interplay_scenarios::Method as GoalMethod;
pub use interplay_semantics::{Behaviour, Event, Label, Value};
pub use interplay_services::{Driver, Merge};
pub use interplay_specification::{
    ChosenSetup, Context, Loader, MAX_BYTES, MAX_FILES, Refusal, Specification, choose_setup,
};
pub use library::{Comparing, Covering, Enacting, Filed, Filing, conflicts, cover, enact, file};
pub use monitor::{Monitoring, Watch};
pub use operations::{Operation, advise, change};
pub use oracle::{Built, oracle};
pub use patterns::check_patterns;
pub use run::{Runnable, runnable};
pub use scaffold::{Language, Scaffold, ScaffoldError, ScaffoldFile, connect, scaffold};
pub use scenario::{Seeking, generalise, seek};
pub use simulate::{Choice, Dice, Group, Menu, Problem, Session, Typed, play};
pub use suite::{SuiteRequest, test_suite};
pub use systematic::{
    SutKind, SystematicRequest, SystematicSut, TableRequest, parse_sut, systematic, systematic_table,
};
pub use test::{
    Moved, Saved, TestAnswer, TestGuide, TestProgress, TestShrinking, TestStrategy, Testing, against, mutants, test,
    test_target, test_towards,
};
pub use verify::{Solving, Verification, verify};
