//! An adapter that is a text: a file says how each input is sent, and what is read as which output, result or refusal. Nothing here knows what the actions mean: a session answers
//! the messages of the adapter protocol, as any adapter does.
//!
//! ```
//! use interplay_binding::Binding;
//!
//! let text = "[sut]\nrun = 'cat'\n[link]\nto = 'stdio'\n[input]\nsay = '{word}'\n[[read]]\nmatch = '^(\\w+)$'\nanswer = '{1}'";
//! let binding = Binding::read(text, "echo.toml".as_ref(), &[]).unwrap();
//! assert_eq!(binding.name(), "echo");
//! let problems = Binding::read("[inptu]\n", "echo.toml".as_ref(), &[]).unwrap_err();
//! assert_eq!(problems[1].to_string(), "1:2: a binding has no key `inptu`\n  help: did you mean `input`?");
//! ```

// The file.
mod act;
mod binding;
mod convert;
mod fits;
mod problem;
mod rule;
mod table;
mod template;

// The wire.
mod frame;
mod link;
mod program;
mod request;
mod system;

// The conversation.
mod session;
mod wire;

pub use binding::Binding;
pub use fits::Action;
pub use problem::Problem;
pub use session::{Ended, Session};
pub use wire::{Seen, Wire};
