//! What `--json` prints: for each answer a document, one file each.
//!
//! An answer has `document()`, which borrows from it what programs want to know and turns spans into places; so a document
//! needs no sources, and the answers themselves may change without a new version. The fields of a document, their
//! descriptions and its version stand once, in its type: serde writes it, and [`schemas`] describes it.

mod adapter;
mod add;
mod aim;
mod change;
mod check;
mod conflicts;
mod conform;
mod coverage;
mod derive;
mod enact;
mod exchange;
mod explain;
mod explore;
mod find;
mod generalise;
mod monitor;
mod mutants;
mod oracle;
mod patterns;
mod run;
mod schemas;
mod shared;
mod simulate;
mod suite;
mod systematic;
mod test;
mod verify;
mod version;

pub use adapter::{AdapterCheckDocument, AdapterDocument};
pub use add::AddDocument;
pub use aim::TestCaseDocument;
pub use change::{AdviceDocument, ChangeDocument};
pub use check::CheckDocument;
pub use conflicts::ConflictsDocument;
pub use conform::ConformDocument;
pub use coverage::CoverageDocument;
pub use derive::DeriveDocument;
pub use enact::EnactDocument;
pub use exchange::{ExportDocument, ImportDocument};
pub use explain::{CodeDocument, CodesDocument, ExplainDocument};
pub use explore::ExploreDocument;
pub use find::FindDocument;
pub use generalise::GeneraliseDocument;
pub use monitor::{EndLine, MonitorDocument, ProblemLine, RefusalLine, ViolationLine};
pub use mutants::MutantsDocument;
pub use oracle::OracleDocument;
pub use patterns::PatternsDocument;
pub use run::RunDocument;
pub use schemas::{DocumentSchema, schemas};
pub use simulate::{PlayDocument, PlayedDocument, WalkDocument};
pub use suite::SuiteDocument;
pub use systematic::{SystematicDocument, SystematicTableDocument};
pub use test::TestDocument;
pub use verify::VerifyDocument;
pub use version::Version;
