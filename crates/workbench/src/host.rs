//! The world around a command: files, clock, stop, progress and store, behind one trait.
//!
//! Whoever offers the commands (a terminal, an editor, a page, a test) implements [`Host`] once and passes it to every `run`. Whatever
//! a host does not offer has an answer that changes nothing: nobody hears the progress, nothing is kept. A function that
//! reads files is a host, too: it has the machine's clock, and nobody stops it.

use crate::test::Saved;
use crate::{Context, Refusal};
use interplay_explore::{Disk, Keep};
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a command needs of the world. Several threads ask at the same time.
pub trait Host: Sync {
    /// The bytes of a file. More than [`MAX_BYTES`](crate::MAX_BYTES) and one need not be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Time since some moment; budgets and the seconds of an answer are measured by it.
    fn now(&self) -> Duration;

    /// Set when the user has had enough. Every command looks at it and answers with what it knows by then.
    fn stop(&self) -> &AtomicBool;

    /// Whether the user has had enough.
    fn is_stopped(&self) -> bool {
        self.stop().load(Ordering::Relaxed)
    }

    /// Hears how far a command is. It is called often, so it has to be quick.
    fn tell(&self, _: Progress<'_>) {}

    /// The bytes that the program has in memory now, if that is known: a search that may use so many ends when they are used.
    fn resident(&self) -> Option<u64> {
        None
    }

    /// For states that do not fit into the memory; without it a search ends there.
    fn overflow(&self) -> Option<&dyn Disk> {
        None
    }

    /// Where a search is kept, so that it can be taken up again; without it nowhere.
    fn checkpoint(&self) -> Option<&dyn Keep> {
        None
    }

    /// Keeps a failure, to be tried first next time; where, if it was kept.
    fn save(&self, _: &Saved) -> Option<String> {
        None
    }
}

/// Reads a specification in order to run it; otherwise all its problems.
pub fn open(path: &Path, host: &dyn Host) -> Result<Context, Refusal> {
    interplay_specification::open(path, &|path| host.read(path))
}

/// The same with properties that are not in the file: formulas of temporal logic in any of the notations of
/// [`interplay_formats::ltl`], named `ltl_1`, `ltl_2` and so on.
pub fn open_with(path: &Path, formulas: &[String], host: &dyn Host) -> Result<Context, Refusal> {
    let mut properties = String::new();
    for (index, formula) in formulas.iter().enumerate() {
        let ours = interplay_formats::ltl::formula(formula).map_err(|wrong| {
            Refusal::request(
                format!("`{formula}`, {wrong}"),
                "put conditions on the state between quotes: `G \"n < 3\"`",
            )
        })?;
        properties += &format!("\nproperty ltl_{}: {ours}\n", index + 1);
    }
    let read = |wanted: &Path| {
        let mut bytes = host.read(wanted)?;
        if wanted == path {
            bytes.extend(properties.as_bytes());
        }
        Ok(bytes)
    };
    interplay_specification::open(path, &read)
}

/// The text of a file.
pub fn read_text(path: &Path, host: &dyn Host) -> Result<String, Refusal> {
    interplay_specification::read_text(path, &|path| host.read(path))
}

/// How far a command is.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'p> {
    /// A search through states.
    Searching(interplay_explore::Progress),
    /// Runs with an implementation.
    Testing(interplay_tester::Progress),
    /// Mutants of a specification, played as implementations.
    Mutants {
        /// So many.
        played: usize,
        /// Of so many.
        of: usize,
        /// So many were found out.
        found: usize,
    },
    /// Runs that aim at a verdict.
    Cases {
        /// So many.
        runs: u64,
        /// At most so many.
        of: u64,
    },
    /// A failure was found, in a sentence; it is shrunk before anything else is said about it.
    Found(&'p str),
    /// So many runs are expected of a systematic test, told before the first.
    Expected(f64),
    /// So many runs of a systematic test are made.
    Runs(u64),
}

impl<F: Fn(&Path) -> io::Result<Vec<u8>> + Sync> Host for F {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self(path)
    }

    fn now(&self) -> Duration {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }

    fn stop(&self) -> &AtomicBool {
        static NEVER: AtomicBool = AtomicBool::new(false);
        &NEVER
    }
}
