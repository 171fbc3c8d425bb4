//! One mistake, and the collection of all of them.

use crate::{Code, Severity, Span};

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    pub text: String,
}

/// What is wrong, where, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The place it is about. A file that could not be read has none.
    pub span: Option<Span>,
    /// What stands under the place, when the message alone does not say it.
    pub label: Option<String>,
    pub notes: Vec<Note>,
    pub help: Option<String>,
    /// The file's name when there is no span.
    pub file: Option<String>,
}

impl Diagnostic {
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: Some(span), ..Diagnostic::without_place(code, message) }
    }

    /// About a whole file, which could not be read.
    pub fn about_file(code: Code, file: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { file: Some(file.into()), ..Diagnostic::without_place(code, message) }
    }

    fn without_place(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            span: None,
            label: None,
            notes: Vec::new(),
            help: None,
            file: None,
        }
    }

    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = Some(text.into());
        self
    }

    pub fn note(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { span, text: text.into() });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Adds the help line only if there is one.
    pub fn maybe_help(mut self, text: Option<String>) -> Diagnostic {
        self.help = text.or(self.help);
        self
    }
}

/// More diagnostics are only counted: nobody reads them, and a file of nonsense could have millions.
const MOST: usize = 2_000;

/// The mistakes found so far, without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: std::collections::HashSet<(Code, Option<Span>, String)>,
    left_out: usize,
    left_out_errors: bool,
}

impl Diagnostics {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() >= MOST {
            self.left_out += 1;
            self.left_out_errors |= diagnostic.severity == Severity::Error;
        } else if self.seen.insert((diagnostic.code, diagnostic.span, diagnostic.message.clone())) {
            self.list.push(diagnostic);
        }
    }

    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        others.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    pub fn has_errors(&self) -> bool {
        self.left_out_errors || self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// How many came after the last one that was kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// In the order of the text, errors before warnings at the same place.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity, diagnostic.code));
        self.list
    }
}
