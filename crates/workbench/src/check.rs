//! Is the text right? All problems of all named files and what they import, each told once.

use crate::{Host, Loader};
use interplay_diagnostics::{Diagnostic, Sources};
use std::path::{Path, PathBuf};

/// More diagnostics are only counted: nobody reads them, and a file of nonsense could have millions.
pub const MAX_DIAGNOSTICS: usize = 1_000;

/// What was found, in the order of the files and of the text in them.
pub struct Answer {
    /// All files that were read, imports too.
    pub sources: Sources,
    /// At most [`MAX_DIAGNOSTICS`].
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there are.
    pub left_out: usize,
    /// Named files without a `system` that no other named file imports: only their syntax was checked.
    pub libraries: Vec<PathBuf>,
    errors: bool,
}

/// Checks each of the named files as a specification of its own. One without a `system` is checked as a part of those that
/// import it, or, if there are none, its syntax.
pub fn run(paths: &[PathBuf], host: &dyn Host) -> Answer {
    let read = |path: &Path| host.read(path);
    let mut loader = Loader::new(&read);
    let (mut libraries, systems): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| loader.is_library(path));
    for path in &systems {
        loader.load(path);
    }
    libraries.retain(|path| !loader.has_loaded(path));
    let errors = loader.diagnostics.has_errors();
    let dropped = loader.diagnostics.left_out();
    let mut diagnostics = loader.diagnostics.sorted();
    let left_out = dropped + diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    Answer { sources: loader.sources, diagnostics, left_out, libraries, errors }
}

impl Answer {
    /// Whether it cannot be run.
    pub fn has_errors(&self) -> bool {
        self.errors
    }
}
