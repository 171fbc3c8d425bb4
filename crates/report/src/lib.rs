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

mod escape;
mod findings;
mod json;
mod sarif;
mod text;

pub use escape::escape;
pub use findings::Findings;
pub use json::json;
pub use sarif::sarif;
pub use text::{Colour, Passage, diagnostics, passage, summary, text};
