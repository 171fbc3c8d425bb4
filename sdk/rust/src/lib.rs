//! Connects an implementation to Interplay: describe it once, and [`Adapter::serve`] speaks the adapter protocol for it.
//!
//! ```no_run
//! use interplay_sdk::{Adapter, Emitter, Reply, refused};
//!
//! struct Lock { emit: Emitter, mistakes: u32, open: bool }
//!
//! impl Lock {
//!     fn enter(&mut self, code: i64) -> Reply<()> {       // may return a value, or be refused
//!         if self.open {
//!             return Err(refused("it is open"));
//!         }
//!         if code == 1234 {
//!             self.open = true;
//!             self.emit.emit("opened", ());
//!         } else {
//!             self.mistakes += 1;
//!             self.emit.emit("refused", [("mistakes", self.mistakes)]);
//!         }
//!         Ok(())
//!     }
//! }
//!
//! fn main() -> std::io::Result<()> {
//!     Adapter::new("lock", |emit| Ok(Lock { emit, mistakes: 0, open: false }))     // every reset makes a new one
//!         .input("enter(code)", |lock, args| lock.enter(args.get("code")?))
//!         .output("opened")
//!         .output("refused(mistakes)")
//!         .serve()
//! }
//! ```
//!
//! A reset drops the present system and makes a new one; what an [`Emitter`] of an earlier run still emits is dropped, so a
//! thread that is late cannot disturb the next run. Emitters may be cloned and used from any thread at any time. Outputs
//! that are emitted while an input is being handled are sent after its answer, those made during a reset after `ready`.
//!
//! An error that comes out of an input by `?`, or a panic in it, is a crash of the system, and a failure: Interplay is told its type, text and place.
//! [`refused`] is none: the system does not take the input now, and Interplay judges whether that is right. An error that belongs to the
//! contract is a result: `.map_err(..)` it to [`refused`], or return a value that says so. A mistake of the adapter itself (an argument that does
//! not exist, an output that was not declared, [`failed`]) is no verdict on the system: it ends the test, and is told with its place.
//!
//! Standard output belongs to the protocol: write logs to standard error.

mod adapter;
mod args;
mod crash;
mod message;
mod outbox;
mod signature;

pub use adapter::{Adapter, Problem, Reply, failed, refused};
pub use args::{Args, ToArgs};
pub use outbox::Emitter;
pub use serde_json::{Value, json};
