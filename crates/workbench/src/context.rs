//! A specification as the context in which further texts are understood: a script of scenarios, or what a user types.
//!
//! The further text is checked as one more imported file, so that it means exactly what it would mean in the
//! specification. The declarations of the specification keep their ids: the new ones come after them.

use crate::{Loader, ReadFile};
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, FileId, Severity, Sources};
use interplay_model::Model;
use interplay_syntax::ast::{self, ItemKind};
use std::path::Path;
use std::sync::Arc;

/// A specification without errors, ready to be run.
pub struct Context {
    pub sources: Sources,
    pub model: Arc<Model>,
    trees: Vec<ast::File>,
}

/// Reads a specification in order to run it; otherwise all its problems.
pub fn open(path: &Path, read: &ReadFile<'_>) -> Result<Context, (Sources, Vec<Diagnostic>)> {
    let mut loader = Loader::new(read);
    let mut specification = loader.load(path);
    match specification.model.take() {
        Some(model) => {
            let (sources, trees) = loader.into_parts(&specification);
            Ok(Context { sources, model: Arc::new(model), trees })
        }
        None => Err((loader.sources, loader.diagnostics.sorted())),
    }
}

impl Context {
    /// The files of the specification, the named one first.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        (0..self.trees.len()).map(|index| FileId(index as u32))
    }

    /// A text that contains only scenarios. Those of the specification step aside, so that the same name may be used.
    pub fn script(&mut self, name: &str, text: &str) -> Result<(FileId, Arc<Model>), Vec<Diagnostic>> {
        let (file, tree, mut found) = self.parse(name, text);
        for item in &tree.items {
            if !matches!(item.kind, ItemKind::Scenario(_)) {
                found.push(misplaced(item.span));
            }
        }
        for import in &tree.imports {
            found.push(misplaced(import.span));
        }
        found.extend(tree.header.iter().map(|header| misplaced(header.span)));
        let mut trees = self.trees.clone();
        for known in &mut trees {
            known.items.retain(|item| !matches!(item.kind, ItemKind::Scenario(_)));
        }
        self.check(file, tree, trees, found)
    }

    /// A few declarations beside those of the specification.
    pub fn addition(&mut self, text: &str) -> Result<(FileId, Arc<Model>), Vec<Diagnostic>> {
        let (file, tree, found) = self.parse("typed", text);
        let trees = self.trees.clone();
        self.check(file, tree, trees, found)
    }

    fn parse(&mut self, name: &str, text: &str) -> (FileId, ast::File, Diagnostics) {
        let mut found = Diagnostics::default();
        let file = self.sources.add(name, text);
        let tree = interplay_syntax::parse(file, text, &mut found);
        (file, tree, found)
    }

    /// Only what is wrong with the further text is told: the specification itself is right.
    fn check(
        &self,
        file: FileId,
        tree: ast::File,
        mut trees: Vec<ast::File>,
        mut found: Diagnostics,
    ) -> Result<(FileId, Arc<Model>), Vec<Diagnostic>> {
        trees.push(tree);
        let model = interplay_model::check(&trees, &mut found);
        match model.filter(|_| !found.has_errors()) {
            Some(model) => Ok((file, Arc::new(model))),
            None => {
                let errors = found.sorted().into_iter().filter(|each| each.severity == Severity::Error);
                Err(errors.filter(|each| each.span.is_none_or(|span| span.file == file)).collect())
            }
        }
    }
}

fn misplaced(span: interplay_diagnostics::Span) -> Diagnostic {
    Diagnostic::new(Code::P007, span, "a script contains only scenarios")
        .help("declare it in the specification, which the script can use without importing it")
}
