//! How do we talk to an implementation? The protocol as a document is `docs/reference/protocol.md`; this crate is our end of
//! it: the conversation, the transports that carry it, and what may go wrong with each.
//!
//! [`Target::parse`] understands what a user names as the implementation. [`connect`] gives a [`Connection`] to an adapter; a
//! specification is played by [`ModelImplementation`]; Rust code in the same process is an [`InProcess`], or implements
//! [`Implementation`] itself.

// What an implementation is.
mod implementation;
mod trouble;

// An adapter elsewhere: the conversation, and what carries it.
mod ahead;
mod clock;
mod codec;
mod connection;
mod exchange;
mod hello;
#[cfg(feature = "http")]
mod http;
mod message;
mod place;
mod process;
mod stream;
mod target;
mod tcp;
mod transport;

// Does an adapter keep to the protocol?
mod check;

// Others.
mod in_process;
mod lasting;
mod model_implementation;
mod translation;

pub use check::{Check, Checked, Outcome, check_adapter};
pub use codec::Codec;
pub use connection::{Connection, MOST_OUTPUTS};
pub use hello::{differences, unannounced};
pub use implementation::{Answer, Hello, HelloAction, Implementation, Output, Settings, Trouble, TroubleKind};
pub use in_process::{Emitter, InProcess};
pub use lasting::Lasting;
pub use model_implementation::ModelImplementation;
pub use target::{Address, Target, connect, connect_to};
pub use translation::Bridge;
pub use transport::{LONGEST_LINE, Limits};
