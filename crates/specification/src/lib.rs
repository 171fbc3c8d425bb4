//! Which specification is meant, and under which setup? Reads a text and what it imports, checks them together, and finds
//! setups and properties by name.
//!
//! Reading a file is a function that the caller passes in ([`ReadFile`]), so that a test, an editor and a browser can read from
//! where they keep their texts.
//!
//! ```
//! use interplay_specification::{ReadFile, open};
//! let read: &ReadFile<'_> = &|_| Ok(b"system Door\nvar open: Bool = false\n".to_vec());
//! let context = open("door.play".as_ref(), read).expect("it has no mistakes");
//! assert_eq!(context.model.name, "Door");
//! ```

mod context;
mod load;
mod read;
mod refusal;
mod setup;

pub use context::{Context, open};
pub use load::{Loader, MAX_FILES, Specification, normal};
pub use read::{MAX_BYTES, ReadFile, read_text, text_at};
pub use refusal::Refusal;
pub use setup::{ChosenSetup, choose_setup};
