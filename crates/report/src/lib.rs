//! How do we tell people? One file per format, all of the same [`Findings`].
//!
//! Nothing here knows how a diagnostic was found, or where the answer goes: every format is a function from plain data
//! to a string or a JSON value. Whoever prints decides about colours.
//!
//! ```
//! use interplay_diagnostics::{Code, Diagnostic, Sources};
//! use interplay_report::{Colour, Findings, text};
//! let mut sources = Sources::default();
//! let file = sources.add("door.play", "system Door\nvar open: Bol = false\n");
//! let wrong = [Diagnostic::new(Code::N004, sources.span_of(file, "Bol"), "there is no type `Bol`")];
//! let findings = Findings::new(&sources, &wrong);
//! let shown = text(&findings, Colour::Never);
//! assert!(shown.starts_with("error[N004]: there is no type `Bol`\n --> door.play:2:11\n"));
//! assert!(shown.ends_with("\n1 error in door.play\n"));
//! ```

mod abstracted;
mod against;
mod cases;
mod cases_sarif;
mod changed;
mod conflicting;
mod derived;
mod derived_json;
mod derived_text;
mod enacted;
mod escape;
mod exchanged;
mod explored;
mod explored_json;
mod explored_text;
mod findings;
mod graph_page;
mod graph_svg;
mod html;
mod json;
mod junit;
mod layout;
mod library;
mod monitored;
mod mutated;
mod oracle;
mod picture;
mod projection;
mod sarif;
mod sought;
mod suite;
mod systematic;
mod systematic_json;
mod systematic_plot;
mod systematic_text;
mod targeted;
mod tested;
mod tested_chart;
mod tested_json;
mod tested_text;
mod text;
mod verified;
mod verified_json;
mod verified_text;

pub use abstracted::{Abstracted, AbstractedGoal, AbstractedScenario, abstracted_json, abstracted_text};
pub use against::{Against, Trial, TrialConformance, against_json, against_text};
pub use cases::{
    Case, CaseKind, Cases, explored_cases, monitored_cases, mutated_cases, sought_cases, systematic_cases,
    tested_cases, verified_cases,
};
pub use cases_sarif::cases_sarif;
pub use changed::{Advice, Changed, advice_json, advice_text, changed_json, picture_dot};
pub use conflicting::{
    Conflicting, ConflictingKind, ConflictingPair, ConflictingPlace, conflicting_json, conflicting_text,
};
pub use derived::{DerivedTest, TestPlace, TestStep};
pub use derived_json::derived_json;
pub use derived_text::derived_text;
pub use enacted::{Enacted, EnactedScenario, EnactedVerdict, enacted_json, enacted_text};
pub use escape::escape;
pub use exchanged::{ForOthers, exported_json, imported_json};
pub use explored::{
    Assurance, Completeness, Engine, Explored, Found, FoundKind, Grows, Judged, Reduction, Remark, Stop, Verdict, Walk,
    WalkKind, WalkStep,
};
pub use explored_json::explored_json;
pub use explored_text::explored_text;
pub use findings::Findings;
pub use graph_page::{PAGE_STATES, graph_page};
pub use graph_svg::graph_svg;
pub use html::{
    Background, Drawn, Mark, Plot, Series, explored_html, monitored_html, mutated_html, sought_html, systematic_html,
    systematic_table_html, tested_html, verified_html,
};
pub use json::json;
pub use junit::junit;
pub use library::{LibraryCoverage, LibraryItem, LibraryKind, LibraryProposal, library_json, library_text};
pub use monitored::{
    LogBreach, LogLine, LogNote, LogProperty, LogRow, LogUnknown, LogVerdict, LogViolation, Monitored, log_note_json,
    log_note_text, monitored_json, monitored_text,
};
pub use mutated::{Fate, MutantTold, Mutated, mutated_json, mutated_text};
pub use oracle::{OracleOf, OraclePart, OracleRemark, Oracles, oracles_json, oracles_text};
pub use picture::{ArcKind, Ending, Extent, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};
pub use sarif::sarif;
pub use sought::{Sought, SoughtAnswer, SoughtGoal, SoughtNear, sought_json, sought_text};
pub use suite::{SuiteCase, SuiteLanguage, Suited, suite_file, suite_json, suite_text};
pub use systematic::{Blame, Systematic, SystematicFinding, SystematicRow, SystematicStop, SystematicTable, Work};
pub use systematic_json::{systematic_json, systematic_table_json};
pub use systematic_plot::systematic_svg;
pub use systematic_text::{systematic_table_text, systematic_text};
pub use targeted::{Targeted, targeted_json, targeted_text};
pub use tested::{
    ChartKind, ChartLine, Reachable, Reason, TestCoverage, TestDelays, TestEffort, TestEnds, TestFailure, TestProperty,
    TestRepeated, TestShrunk, TestSilence, TestStop, TestTrouble, TestWaiting, Tested,
};
pub use tested_json::tested_json;
pub use tested_text::tested_text;
pub use text::{Colour, Passage, diagnostics, passage, summary, text};
pub use verified::{Answer, Attempt, Evidence, ProofFile, Proved, Verified};
pub use verified_json::verified_json;
pub use verified_text::verified_text;
