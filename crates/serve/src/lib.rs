//! The workbench in a browser: one specification, edited, stepped through, explored, tested and proved on a page.
//!
//! ```text
//! page (web/, built into dist/)  --JSON-->  web: who may ask  -->  text: what is in it, formatted, saved
//!                                                             -->  walk: where the simulator is, what can happen next
//!                                                             -->  jobs: explore, verify, test, find; watched and stopped
//! ```
//!
//! The page keeps the text and the way through the simulator; every question brings them along. So the server can forget, two pages do not
//! disturb each other, and going back is the same question with a shorter way. Only runs live here, and a run that no page asks about any
//! more is stopped.
//!
//! Local by default: the address has a token that nobody can guess, `Host` and `Origin` are checked, and what the page may load is
//! its own. The world comes in through [`Machine`].

mod jobs;
mod text;
mod walk;
mod web;

pub use web::{Served, serve};

use interplay_workbench::Saved;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the page needs of the world.
pub trait Machine: Send + Sync + 'static {
    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Replaces a file, or makes it.
    fn write(&self, path: &Path, text: &str) -> io::Result<()>;

    /// Memory that a search may use, in bytes.
    fn memory(&self) -> Option<u64>;

    /// Of this program, if that is known.
    fn resident(&self) -> Option<u64>;

    /// A seed that nobody chose.
    fn seed(&self) -> u64;

    /// The kept failures of a specification, and why others could not be read.
    fn kept(&self, file: &Path) -> (Vec<Saved>, Vec<String>);

    /// Keeps a failure; where.
    fn save(&self, failure: &Saved) -> Option<String>;
}

/// What is served.
#[derive(Clone)]
pub struct Desk {
    /// The specification.
    pub file: PathBuf,
    /// The implementation that the page proposes for tests.
    pub sut: Option<String>,
    /// The world.
    pub machine: Arc<dyn Machine>,
}

impl Desk {
    /// Reads a file; the one that is edited is read as the page has it.
    fn reading<'d>(&'d self, text: &'d str) -> impl Fn(&Path) -> io::Result<Vec<u8>> + Sync + 'd {
        move |path| match path == self.file {
            true => Ok(text.as_bytes().to_vec()),
            false => self.machine.read(path),
        }
    }
}
