//! Answers for people at a terminal, one file per answer. Colours are the business of whoever prints.

mod abstracted;
mod advice;
mod against;
mod chart;
mod conflicting;
mod derived;
mod diagnostics;
mod enacted;
mod explored;
mod library;
mod monitored;
mod monitored_rules;
mod mutated;
mod oracle;
mod patterned;
mod sought;
mod suite;
mod systematic;
mod targeted;
mod tested;
mod verified;

pub use abstracted::abstracted_text;
pub use advice::advice_text;
pub use against::against_text;
pub(crate) use chart::chart;
pub use conflicting::conflicting_text;
pub use derived::derived_text;
pub use diagnostics::{Colour, Passage, diagnostics, passage, summary, text};
pub use enacted::enacted_text;
pub use explored::explored_text;
pub use library::library_text;
pub use monitored::{log_note_text, monitored_text};
pub(crate) use monitored_rules::judges_text;
pub use mutated::mutated_text;
pub use oracle::oracles_text;
pub use patterned::patterned_text;
use sought::sought_line;
pub use sought::sought_text;
pub use suite::{suite_file, suite_text};
pub use systematic::{systematic_table_text, systematic_text};
pub use targeted::targeted_text;
#[cfg(feature = "pages")]
pub(crate) use tested::life;
pub use tested::tested_text;
pub use verified::verified_text;
