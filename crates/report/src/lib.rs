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
mod explored;
mod explored_json;
mod explored_text;
mod findings;
mod graph_page;
mod graph_svg;
mod json;
mod layout;
mod picture;
mod projection;
mod sarif;
mod text;

pub use escape::escape;
pub use explored::{
    Assurance, Completeness, Engine, Explored, Found, FoundKind, Grows, Judged, Reduction, Remark, Stop, Verdict, Walk,
    WalkStep,
};
pub use explored_json::explored_json;
pub use explored_text::explored_text;
pub use findings::Findings;
pub use graph_page::{PAGE_STATES, graph_page};
pub use graph_svg::graph_svg;
pub use json::json;
pub use picture::{ArcKind, Ending, Extent, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};
pub use sarif::sarif;
pub use text::{Colour, Passage, diagnostics, passage, summary, text};
