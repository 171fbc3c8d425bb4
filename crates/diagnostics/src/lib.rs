//! Where in the text, and what is wrong.
//!
//! A mistake of the user is a [`Diagnostic`]: a stable [`Code`], a message, the place it is about, further places that
//! explain it, and a help line that says what to do. Diagnostics are collected, never thrown: every phase takes a
//! [`Diagnostics`] and goes on. How they look on a terminal or as data is the business of the `report` crate.
//!
//! ```
//! use interplay_diagnostics::{Code, Diagnostic, Diagnostics, Sources};
//! let mut sources = Sources::default();
//! let file = sources.add("door.play", "system Door\nvar open: Bol = false\n");
//! let mut found = Diagnostics::default();
//! let span = sources.span_of(file, "Bol");
//! found.push(Diagnostic::new(Code::N004, span, "there is no type `Bol`").help("did you mean `Bool`?"));
//! assert!(found.has_errors());
//! assert_eq!(sources.position(span.start_point()), (2, 11));
//! ```

mod amount;
mod code;
mod diagnostic;
mod source;
mod suggest;

pub use amount::{amount, form, times};
pub use code::{Code, Fault, Severity};
pub use diagnostic::{Diagnostic, Diagnostics, Note};
pub use source::{FileId, Point, SourceFile, Sources, Span, one_line};
pub use suggest::did_you_mean;
