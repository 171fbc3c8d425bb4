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

mod check;
mod context;
mod explore;
mod format;
mod load;
mod read;
mod scaffold;
mod simulate;

pub use check::{Checked, MAX_DIAGNOSTICS, check};
pub use context::{Context, open};
pub use explore::{Exploration, Exploring, Host, Refusal, explore, picture};
pub use format::{Formatted, format, unified_diff};
pub use interplay_explore::{Graph, Memory, Progress, Strategy, aut, dot, json as graph_json};
pub use interplay_model::Arcs;
pub use load::{Loader, MAX_FILES, Specification};
pub use read::{MAX_BYTES, ReadFile, read_text};
pub use scaffold::{Language, Scaffold, ScaffoldError, ScaffoldFile, scaffold};
pub use simulate::{
    Choice, ChosenSetup, Dice, Group, Menu, PlayVerdict, Played, Problem, Session, Typed, choose_setup, play,
};
