//! One plain-data API for command line, editor and web: what each command does, without a terminal, HTTP or a protocol.
//!
//! Reading a file is a function that the caller passes in ([`ReadFile`]); everything else here is pure.
//!
//! ```
//! use interplay_workbench::{check, ReadFile};
//! use std::path::Path;
//! let read: &ReadFile<'_> = &|_| Ok(b"system Door\nvar open: Bol = false\n".to_vec());
//! let checked = check(&["door.play".into()], read);
//! assert!(checked.has_errors());
//! ```

mod adapter;
mod behind;
mod check;
mod context;
mod derive;
mod explore;
mod format;
mod interchange;
mod library;
mod load;
mod monitor;
mod operations;
mod oracle;
mod read;
mod run;
mod scaffold;
mod scenario;
mod setup;
mod simulate;
mod suite;
mod systematic;
mod test;
mod verify;

pub use adapter::{AdapterCheck, AdapterChecked, AdapterOutcome, check_adapter};
pub use behind::{drawn, explored_marks};
pub use check::{Checked, MAX_DIAGNOSTICS, check};
pub use context::{Context, open};
pub use derive::{Relation, Target, Wanted, derive};
pub use explore::{Exploration, Exploring, Host, Refusal, explore, picture};
pub use format::{Formatted, format, unified_diff};
pub use interchange::{Exported, Exporting, Imported, Malformed, export_system, import_system};
pub use interplay_explore::{Disk, Graph, Keep, Memory, Progress, Strategy, kept_notes};
pub use interplay_formats::aut::write as aut;
pub use interplay_formats::dot::states as dot;
pub use interplay_formats::json::write as graph_json;
pub use interplay_model::Arcs;
pub use interplay_model::{ActionId, Model};
pub use interplay_scenarios::Method as GoalMethod;
pub use interplay_semantics::{Behaviour, Event, Label, Value};
pub use interplay_services::{Driver, Merge};
pub use library::{Comparing, Covering, Enacting, Filed, Filing, conflicts, cover, enact, file};
pub use load::{Loader, MAX_FILES, Specification};
pub use monitor::{Monitoring, Watch};
pub use operations::{Operation, advise, change};
pub use oracle::{Built, oracle};
pub use read::{MAX_BYTES, ReadFile, read_text};
pub use run::{Runnable, runnable};
pub use scaffold::{Language, Scaffold, ScaffoldError, ScaffoldFile, scaffold};
pub use scenario::{Seeking, generalise, seek};
pub use setup::{ChosenSetup, choose_setup};
pub use simulate::{Choice, Dice, Group, Menu, PlayVerdict, Played, Problem, Session, Typed, play};
pub use suite::{SuiteRequest, test_suite};
pub use systematic::{
    SutKind, SystematicHost, SystematicRequest, SystematicSut, TableRequest, parse_sut, systematic, systematic_table,
};
pub use test::{
    Moved, Saved, TestAnswer, TestGuide, TestHost, TestProgress, TestShrinking, TestStrategy, Testing, against,
    mutants, test, test_target, test_towards,
};
pub use verify::{Solving, Verification, verify};
