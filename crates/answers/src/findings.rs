//! What a check has found: the input of every format.

use interplay_diagnostics::{Diagnostic, Severity, Sources, Span};

/// Diagnostics in the order in which they shall be told, and the files that they are about.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    /// Every file that was read.
    pub sources: &'a Sources,
    /// In the order in which they shall be told.
    pub diagnostics: &'a [Diagnostic],
    /// How many more there are, which were not kept.
    pub left_out: usize,
}

impl<'a> Findings<'a> {
    /// With nothing left out.
    pub fn new(sources: &'a Sources, diagnostics: &'a [Diagnostic]) -> Findings<'a> {
        Findings { sources, diagnostics, left_out: 0 }
    }

    /// How many are errors, or warnings.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// The names of the files that were read, in the order of reading.
    pub fn file_names(&self) -> Vec<&'a str> {
        self.sources.files().map(|(_, file)| file.name.as_str()).collect()
    }

    /// The name of the file that a diagnostic is about.
    pub fn file_of(&self, diagnostic: &'a Diagnostic) -> Option<&'a str> {
        match diagnostic.span {
            Some(span) => Some(&self.sources.file(span.file).name),
            None => diagnostic.file.as_deref(),
        }
    }

    /// Line and column of both ends, counted from one, the end exclusive.
    pub fn corners(&self, span: Span) -> [(usize, usize); 2] {
        [self.sources.position(span.start_point()), self.sources.position(span.end_point())]
    }
}
