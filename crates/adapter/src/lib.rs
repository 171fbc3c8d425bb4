//! How do we talk to an implementation? The protocol as a document is `docs/reference/protocol.md`; this crate is both of its
//! ends: the transports that carry it, and what may go wrong with each.

mod implementation;

pub use implementation::{Answer, Hello, HelloAction, Implementation, Output, Settings, Trouble, TroubleKind};
