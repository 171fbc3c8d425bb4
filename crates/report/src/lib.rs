//! How do we tell people? A folder per format, in it one file per answer.
//!
//! Nothing here knows how a diagnostic was found, or where the answer goes: every format is a function from plain data
//! to a string or a JSON value. Whoever prints decides about colours.
//!
//! ```
//! use interplay_diagnostics::{Code, Diagnostic, Sources};
//! use interplay_answers::Findings;
//! use interplay_report::{Colour, text};
//! let mut sources = Sources::default();
//! let file = sources.add("door.play", "system Door\nvar open: Bol = false\n");
//! let wrong = [Diagnostic::new(Code::N004, sources.span_of(file, "Bol"), "there is no type `Bol`")];
//! let findings = Findings::new(&sources, &wrong);
//! let shown = text(&findings, Colour::Never);
//! assert!(shown.starts_with("error[N004]: there is no type `Bol`\n --> door.play:2:11\n"));
//! assert!(shown.ends_with("\n1 error in door.play\n"));
//! ```

mod cases;
mod escape;
#[cfg(feature = "pages")]
mod html;
#[cfg(feature = "pages")]
mod junit;
#[cfg(feature = "pages")]
mod pictures;
mod sarif;
mod text;

pub use cases::{
    Case, CaseKind, Cases, explored_cases, monitored_cases, mutated_cases, sought_cases, systematic_cases,
    tested_cases, verified_cases,
};
pub use escape::escape;
#[cfg(feature = "pages")]
pub use html::{
    Background, Plot, Series, explored_html, monitored_html, mutated_html, sought_html, systematic_html,
    systematic_table_html, tested_html, verified_html,
};
#[cfg(feature = "pages")]
pub use junit::junit;
#[cfg(feature = "pages")]
pub use pictures::{PAGE_STATES, graph_page, graph_svg, picture_dot, systematic_svg};
pub use sarif::{cases_sarif, sarif};
pub use text::{
    Colour, Passage, abstracted_text, advice_text, against_text, conflicting_text, conformed_text, derived_text,
    diagnostics, enacted_text, explored_text, library_text, log_note_text, monitored_text, mutated_text, oracles_text,
    passage, patterned_text, sought_text, suite_file, suite_text, summary, systematic_table_text, systematic_text,
    targeted_text, tested_text, text, verified_text,
};
