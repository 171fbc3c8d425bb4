//! Which line of an ordinary log tells which event? A pattern file says it; nothing here knows a specification or reads a file.
//!
//! Lines become *records* (a text, and fields if the format has them), records are matched with [`Patterns`], and what matches is an
//! event in the form that `interplay monitor` reads: one JSON object with `action`, `args`, `result`, `time`.
//!
//! ```
//! use interplay_logs::{Patterns, Read, Reader};
//!
//! let patterns = Patterns::parse("[[line]]\nmatch = 'user (?P<u>\\w+) logs in'\nevent = 'login'").unwrap();
//! let mut reader = Reader::new(patterns.into());
//! let read = reader.feed("user ann logs in");
//! assert!(matches!(&read[..], [Read::Event { fields, .. }] if fields["action"] == "login" && fields["args"]["u"] == "ann"));
//! ```

mod matching;
mod patterns;
mod reader;
mod records;
mod shape;
mod template;
mod time;

pub use patterns::{Format, Patterns, Problem};
pub use reader::{Read, Reader};
pub use shape::{Shape, Shapes};
