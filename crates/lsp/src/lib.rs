//! The language server: what an editor asks is translated to questions of `interplay-ask`, and the answers back. Nothing is
//! decided here about the language.
//!
//! One thread owns all state and takes the editor's messages in their order, so that an answer always belongs to the text that
//! the editor showed when it asked. A check of a whole text is short; it is made when the editor pauses for about as long
//! as the last one took, so that nobody waits for a check of a text that has changed already. Commands (explore, verify, test)
//! may take long: they run beside it and report when they end.
//!
//! The world comes in through [`Surroundings`]. Any message may be garbage: it is answered by an error, and the next one is read.
//!
//! `server` takes messages, `documents` keeps the texts, `analysis` what was understood of them, `requests` one function per
//! request, `lenses` the commands above declarations, `position` and `convert` the protocol's places and kinds.

mod analysis;
mod convert;
mod documents;
mod lenses;
mod position;
mod requests;
mod server;
mod uri;

pub use lenses::Finished;
pub use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
pub use server::{Problem, serve, serve_stdio};

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What the server needs of the world.
pub trait Surroundings: Send + Sync {
    /// The bytes of a file on the disk.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The specifications in a folder and the folders below it.
    fn specifications(&self, folder: &Path) -> Vec<PathBuf>;

    /// Runs the program with these arguments, until it ends or `stop` is set.
    fn run(&self, arguments: &[String], stop: &AtomicBool) -> Finished;
}
