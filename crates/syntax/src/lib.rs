//! What does the text say? Tokens, a tree that always comes out, and the formatter. No types, no values, no files.
//!
//! The text is cut into [`lex`]ed tokens, none of which loses a byte. From them [`parse`] builds an [`ast::File`] by
//! recursive descent. It never fails: what it does not understand is reported, with a code, a place and advice, and marked
//! in the tree or left out of it, so that all mistakes of a file are found at once and later phases can stay silent about
//! them. [`format()`] works on the tokens alone and changes nothing but white space.
//!
//! Any text is safe: nesting and chains of operators are limited ([`NESTING_LIMIT`], [`CHAIN_LIMIT`]) so that no one who
//! walks the tree overflows the stack, and the time is linear in the length of the text.
//!
//! ```
//! use interplay_diagnostics::{Diagnostics, FileId};
//! use interplay_syntax::ast::ItemKind;
//!
//! let text = "system Door\nvar open: Bool = false\ninput toggle { open = not open }\n";
//! let mut found = Diagnostics::default();
//! let file = interplay_syntax::parse(FileId(0), text, &mut found);
//! assert!(found.is_empty());
//! assert_eq!(file.header.unwrap().name.text, "Door");
//! assert!(matches!(&file.items[0].kind, ItemKind::Var { name, .. } if name.text == "open"));
//!
//! // A mistake is reported with advice, and the rest is read all the same.
//! let file = interplay_syntax::parse(FileId(0), "init a && b\nvar x: Int = 0", &mut found);
//! assert_eq!(found.iter().next().unwrap().help.as_deref(), Some("write `and`"));
//! assert_eq!(file.items.len(), 2);
//! ```

pub mod ast;
mod contextual;
mod format;
mod parser;
mod token;
mod words;

pub use format::format;
pub use parser::{CHAIN_LIMIT, NESTING_LIMIT, REPORT_LIMIT, parse};
pub use token::{Token, TokenKind, lex};
pub use words::{Highlight, highlight, reserved_words, words_at};
