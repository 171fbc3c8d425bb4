//! How does an agent ask? The Model Context Protocol over standard input and output: seven tools, each with a budget.
//!
//! Every call names the seconds that it may take and the bytes that its answer may have. The answer is a [`Reply`]: a verdict, what it is
//! worth, a summary, what to do next, and a file with all the rest. **A limit that was reached is never a pass**: who asks for less than
//! everything gets *inconclusive*, with how far it came.
//!
//! A call is worked on by a process of its own, the same program ([`call`]): nothing that a specification or an implementation does can
//! bring down the server, and nothing runs on after the client has gone. The price is a start of a few milliseconds per call.
//!
//! `server` speaks the protocol (crate `rmcp`, which knows its versions), `tools` has one file per tool, `reply` is the answer and how it
//! is cut to size, `skill` is the language on a page for an agent. The world comes in through [`Workers`] and [`World`].

mod budget;
mod reply;
mod server;
mod skill;
mod tools;

pub use budget::Budget;
pub use reply::{Reply, Word};
pub use server::{Workers, serve_stdio};
pub use skill::{SKILL, SKILL_NAME, is_skill};
pub use tools::{TOOLS, Tool, call};

use interplay_workbench::{Host, Saved};
use std::io;
use std::path::Path;

/// The lines of a log; the error of one is why it is no text.
pub type Lines = Box<dyn Iterator<Item = Result<String, String>>>;

/// What a call needs of the world, beside what every command needs.
pub trait World: Host {
    /// Memory that a search may use, in bytes.
    fn memory(&self) -> Option<u64>;

    /// A seed that nobody chose.
    fn seed(&self) -> u64;

    /// The kept failures of a specification, and why others could not be read.
    fn kept(&self, file: &Path) -> (Vec<Saved>, Vec<String>);

    /// A log.
    fn lines(&self, log: &Path) -> io::Result<Lines>;

    /// Writes what is too long for an answer; where.
    fn artifact(&self, name: &str, text: &str) -> io::Result<String>;
}
