//! Asking about a text: what an editor wants to know, as plain data. No protocol, no positions of one: places are spans.
//!
//! [`understand`] reads a specification once; every question is a method of what it gives, so that one reading answers many.
//! The facts come from the [`Index`] that `model` fills while it resolves names. A text with mistakes is understood as far as
//! possible. One file per question.
//!
//! ```
//! use interplay_ask as ask;
//! use std::path::Path;
//! let door = "system Door\nvar open: Bool = false\ninput toggle { open = not open }\n";
//! let files = |_: &Path| Ok(door.as_bytes().to_vec());
//! let text = ask::understand(Path::new("door.play"), &files);
//! let place = text.point(Path::new("door.play"), door.find("open =").unwrap()).unwrap();
//! assert_eq!(text.uses(place).len(), 3);
//! assert!(text.hover(place).unwrap().text.contains("written by: `input toggle`"));
//! ```

mod complete;
mod fixes;
mod fold;
mod format;
mod hints;
mod hover;
mod lenses;
mod rename;
mod select;
mod signature;
mod symbols;
mod tokens;
mod uses;

pub use complete::{Completion, CompletionKind, complete};
pub use fixes::Fix;
pub use fold::{Fold, FoldKind, folds};
pub use format::{Formatted, format, unified_diff};
pub use hints::Hint;
pub use hover::Hover;
pub use interplay_model::{Declaration, DeclarationKind, Role};
pub use lenses::{Lens, Verb};
pub use rename::Edit;
pub use signature::{Signature, signature};
pub use symbols::Symbol;
pub use tokens::{Token, TokenKind};
pub use uses::{Use, UsesByBody};

use interplay_diagnostics::{Diagnostic, FileId, Point, Sources, Span};
use interplay_model::{Index, Type};
use interplay_specification::{Loader, ReadFile};
use std::path::{Path, PathBuf};

/// A specification with all that is known about its names.
pub struct Understood {
    pub path: PathBuf,
    pub sources: Sources,
    /// The named file first, then its imports; empty if it could not be read.
    pub files: Vec<FileId>,
    /// In the order of the files and of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// A file without a `system`: its meaning depends on who imports it, and only its syntax was judged.
    pub is_library: bool,
    pub index: Index,
}

/// Reads a specification and what it imports.
pub fn understand(path: &Path, read: &ReadFile<'_>) -> Understood {
    let mut loader = Loader::new(read);
    let is_library = loader.is_library(path);
    let syntax = loader.diagnostics.clone();
    let (specification, index) = loader.load_indexed(path);
    let found = if is_library { syntax } else { std::mem::take(&mut loader.diagnostics) };
    let path = path.to_path_buf();
    let diagnostics = found.sorted();
    Understood { path, sources: loader.sources, files: specification.files, diagnostics, is_library, index }
}

impl Understood {
    /// The file with this path, if it belongs to the specification.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let name = interplay_specification::normal(path).display().to_string();
        self.sources.files().find(|(_, file)| file.name == name).map(|(id, _)| id)
    }

    pub fn point(&self, path: &Path, offset: usize) -> Option<Point> {
        self.file(path).map(|file| Point { file, offset: offset as u32 })
    }

    /// What stands at a place: several if it can be understood in several ways, none if it is no declared name.
    pub fn declarations_at(&self, point: Point) -> Vec<&Declaration> {
        let declared = self.index.at(point).into_iter().filter_map(|mention| mention.declared);
        declared.filter_map(|span| self.index.declaration(span)).collect()
    }

    /// A type as the text writes it.
    pub fn written(&self, ty: &Type) -> String {
        self.index.types.show_with(ty, &|range| {
            let span = self.index.types.ranges[range.0].span;
            let written = self.sources.text(span);
            if written.is_empty() { "Int".into() } else { written.into() }
        })
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }
}
