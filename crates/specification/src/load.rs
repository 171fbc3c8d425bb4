//! Reads a specification: the named file and everything it imports, parsed once each, and checked together.
//!
//! Imports are relative to the file that contains them. Two paths are the same file if they are the same text after
//! `.` and `..` are worked out; links on the disk are not followed for that, so that nothing here needs a disk. A
//! circle through links therefore ends at [`MAX_FILES`].
//!
//! One [`Loader`] may load several specifications: a file that they share is read, parsed and complained about once.

use crate::read::{ReadFile, text_at};
use interplay_diagnostics::{Code, Diagnostic, Diagnostics, FileId, Severity, Sources, Span};
use interplay_model::{Index, Model};
use interplay_semantics::Instance;
use interplay_syntax::ast;
use interplay_temporal::{Monitor, Refusal};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// More files in one specification are refused.
pub const MAX_FILES: usize = 1_000;

/// A file with all that it imports.
pub struct Specification {
    /// The named file first, then its imports, each after the file that first asks for it. Empty if the named file
    /// could not be read.
    pub files: Vec<FileId>,
    /// Without errors only.
    pub model: Option<Model>,
}

/// Reads specifications that may share files.
pub struct Loader<'a> {
    read: &'a ReadFile<'a>,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
    /// Every file that was read.
    known: HashMap<PathBuf, FileId>,
    /// The files of all specifications.
    loaded: HashSet<FileId>,
    /// The circles of imports that were told.
    circles: HashSet<BTreeSet<PathBuf>>,
    /// By file id.
    trees: Vec<ast::File>,
}

impl<'a> Loader<'a> {
    pub fn new(read: &'a ReadFile<'a>) -> Loader<'a> {
        let (sources, diagnostics) = Default::default();
        Loader {
            read,
            sources,
            diagnostics,
            known: HashMap::new(),
            loaded: HashSet::new(),
            circles: HashSet::new(),
            trees: Vec::new(),
        }
    }

    /// Reads and checks one specification; what is wrong is in `diagnostics` afterwards.
    pub fn load(&mut self, path: &Path) -> Specification {
        let mut walk = Walk::default();
        self.visit(path, None, &mut walk);
        self.loaded.extend(&walk.files);
        let model = self.check(&walk.files, walk.complete, None);
        Specification { files: walk.files, model }
    }

    /// Reads and checks one specification, and notes where its names are declared and used.
    pub fn load_indexed(&mut self, path: &Path) -> (Specification, Index) {
        let mut walk = Walk::default();
        let mut index = Index::default();
        self.visit(path, None, &mut walk);
        self.loaded.extend(&walk.files);
        let model = self.check(&walk.files, walk.complete, Some(&mut index));
        (Specification { files: walk.files, model }, index)
    }

    /// Reads one specification and gives its trees away, unchecked.
    pub fn trees(&mut self, path: &Path) -> Vec<ast::File> {
        let mut walk = Walk::default();
        self.visit(path, None, &mut walk);
        walk.files.iter().map(|file| std::mem::replace(&mut self.trees[file.0 as usize], empty())).collect()
    }

    /// The file at a path, if it was read.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.known.get(&normal(path)).copied()
    }

    /// Reads a file and what it imports; whether it is a library: declarations without a `system`, whose meaning depends on
    /// who imports them.
    pub fn is_library(&mut self, path: &Path) -> bool {
        let mut walk = Walk::default();
        self.visit(path, None, &mut walk);
        walk.files.first().is_some_and(|file| self.tree(*file).header.is_none() && !self.tree(*file).items.is_empty())
    }

    /// Whether some specification that was loaded contains the file.
    pub fn has_loaded(&self, path: &Path) -> bool {
        self.known.get(&normal(path)).is_some_and(|file| self.loaded.contains(file))
    }

    /// The trees of a specification, for whoever wants to add a text to it.
    pub fn into_parts(self, specification: &Specification) -> (Sources, Vec<ast::File>) {
        let trees = specification.files.iter().map(|file| self.tree(*file).clone()).collect();
        (self.sources, trees)
    }

    fn tree(&self, file: FileId) -> &ast::File {
        &self.trees[file.0 as usize]
    }

    /// Lends the trees to the checker; they move out of the table and back, so that nothing is copied.
    fn check(&mut self, files: &[FileId], complete: bool, index: Option<&mut Index>) -> Option<Model> {
        let root = files.first()?;
        if self.tree(*root).header.is_none() && self.tree(*root).items.is_empty() {
            let message = "empty file";
            let help = "start with `system NAME`, then declare its actions and rules";
            self.diagnostics.push(Diagnostic::new(Code::S015, Span::new(*root, 0..0), message).help(help));
        }
        let lent: Vec<ast::File> =
            files.iter().map(|file| std::mem::replace(&mut self.trees[file.0 as usize], empty())).collect();
        let mut found = Diagnostics::default();
        let understood = complete && !self.has_errors_in(files);
        let model = match index {
            None => interplay_lower::check(&lent, &mut found),
            Some(index) => {
                let (model, noted) = interplay_lower::check_and_index(&lent, &mut found);
                *index = noted;
                model
            }
        };
        for (file, tree) in files.iter().zip(lent) {
            self.trees[file.0 as usize] = tree;
        }
        // What is declared in a file that could not be read is unknown for a reason that was told already, and what
        // seems unused may be used in a line that could not be understood.
        let real = |each: &&Diagnostic| {
            (complete || !is_about_a_missing_name(each.code)) && (understood || each.severity == Severity::Error)
        };
        let model = model.map(|model| if understood { beyond_oracles(model, &mut found) } else { model });
        self.diagnostics.extend(found.iter().filter(real).cloned());
        model.filter(|_| complete && !self.has_errors_in(files))
    }

    fn has_errors_in(&self, files: &[FileId]) -> bool {
        let errors = self.diagnostics.iter().filter(|each| each.severity == Severity::Error);
        errors.filter_map(|each| each.span).any(|span| files.contains(&span.file))
    }

    /// Adds a file and, in the order in which they are asked for, its imports.
    fn visit(&mut self, path: &Path, asked_by: Option<Span>, walk: &mut Walk) {
        let path = normal(path);
        if let Some(at) = walk.open.iter().position(|open| *open == path) {
            return self.report_circle(&walk.open[at..], asked_by);
        }
        let Some(file) = self.file(&path, asked_by, walk) else {
            walk.complete = false;
            return;
        };
        if walk.files.contains(&file) {
            return;
        }
        walk.files.push(file);
        walk.open.push(path.clone());
        for import in self.tree(file).imports.clone() {
            let target = path.parent().unwrap_or(Path::new("")).join(&import.path);
            self.visit(&target, Some(import.span), walk);
        }
        walk.open.pop();
    }

    /// The file at a path, read and parsed if that did not happen before.
    fn file(&mut self, path: &Path, asked_by: Option<Span>, walk: &Walk) -> Option<FileId> {
        let name = path.display().to_string();
        if let Some(file) = self.known.get(path) {
            return Some(*file);
        }
        if walk.files.len() >= MAX_FILES {
            let message = format!("a specification of more than {MAX_FILES} files");
            let help = "join files, or look for a link that makes a folder contain itself";
            self.report(Code::F004, &name, asked_by, message, help);
            return None;
        }
        match text_at(path, self.read) {
            Ok(text) => Some(self.parse(path, name, text)),
            Err(unreadable) => {
                self.diagnostics.push(Diagnostic { span: asked_by, ..*unreadable });
                None
            }
        }
    }

    fn parse(&mut self, path: &Path, name: String, text: String) -> FileId {
        let file = self.sources.add(name, text);
        let tree = interplay_syntax::parse(file, &self.sources.file(file).text, &mut self.diagnostics);
        self.trees.push(tree);
        self.known.insert(path.to_path_buf(), file);
        file
    }

    /// A circle is the same one wherever it is entered, and told once.
    fn report_circle(&mut self, circle: &[PathBuf], asked_by: Option<Span>) {
        if !self.circles.insert(circle.iter().cloned().collect()) {
            return;
        }
        let names: Vec<String> =
            circle.iter().chain(circle.first()).map(|path| format!("`{}`", path.display())).collect();
        let message = match circle {
            [alone] => format!("`{}` imports itself", alone.display()),
            _ => format!("circular import: {}", names.join(" imports ")),
        };
        let help = "move the shared declarations into a third file that imports neither";
        self.report(Code::F003, &circle[0].display().to_string(), asked_by, message, help);
    }

    /// At the `import` that asked for the file, or about the file if the user did.
    fn report(&mut self, code: Code, name: &str, asked_by: Option<Span>, message: String, help: &str) {
        let diagnostic = match asked_by {
            Some(span) => Diagnostic::new(code, span, message),
            None => Diagnostic::about_file(code, name, message),
        };
        self.diagnostics.push(diagnostic.help(help));
    }
}

/// The way through the imports of one specification.
struct Walk {
    files: Vec<FileId>,
    /// From the named file down to the one that is being read.
    open: Vec<PathBuf>,
    /// All files could be read.
    complete: bool,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk { files: Vec::new(), open: Vec::new(), complete: true }
    }
}

fn empty() -> ast::File {
    ast::File { imports: Vec::new(), header: None, items: Vec::new(), doc: String::new() }
}

fn is_about_a_missing_name(code: Code) -> bool {
    matches!(code, Code::N001 | Code::N004 | Code::N005 | Code::N006)
}

/// The path with `.` and `..` worked out as text.
pub fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            (Component::ParentDir, Some(Component::RootDir)) => {}
            _ => parts.push(part),
        }
    }
    match parts.is_empty() {
        true => PathBuf::from("."),
        false => parts.into_iter().collect(),
    }
}

/// Tells which properties nobody can judge while the system runs. What depends on a setup is told when there is one.
fn beyond_oracles(model: Model, found: &mut Diagnostics) -> Model {
    if model.properties.is_empty() || found.has_errors() {
        return model;
    }
    let model = Arc::new(model);
    if let Ok(instance) = Instance::new(model.clone(), None).map(Arc::new) {
        for property in &model.properties {
            let read = interplay_temporal::read(&instance, &property.formula);
            // Whether one clock is enough is known when the oracle is made.
            let judged = match read {
                Ok(reading) if reading.is_timed() => match Monitor::of_property(&instance, property) {
                    Err(refusal @ (Refusal::Clock { .. } | Refusal::Unbounded { .. })) => Err(refusal),
                    _ => Ok(()),
                },
                other => other.map(drop),
            };
            match judged {
                Ok(()) | Err(Refusal::Model(_)) => {}
                Err(refusal) => found.push(refusal.diagnostic(&property.name, property.span)),
            }
        }
    }
    Arc::unwrap_or_clone(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_normal_without_a_disk() {
        for (given, expected) in [
            ("./a.play", "a.play"),
            ("lib/../a.play", "a.play"),
            ("../a.play", "../a.play"),
            ("../../a/./b/../c.play", "../../a/c.play"),
            ("/../a.play", "/a.play"),
            (".", "."),
        ] {
            assert_eq!(normal(Path::new(given)), Path::new(expected), "{given}");
        }
    }
}
