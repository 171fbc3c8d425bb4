//! What was understood of the texts, kept until one of them changes.
//!
//! A file without a `system` has a meaning only together with who imports it; it is looked at through all specifications
//! that do, as far as they are open or lie in the editor's folders.

use crate::Surroundings;
use crate::documents::Documents;
use interplay_ask::{self as ask, Understood};
use interplay_diagnostics::{Code, FileId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(crate) struct Analysis<'a> {
    host: &'a dyn Surroundings,
    pub(crate) documents: Documents,
    /// The specifications in the editor's folders.
    pub(crate) known: Vec<PathBuf>,
    understood: RefCell<BTreeMap<PathBuf, Rc<Understood>>>,
    /// The specification that each file was last found in.
    homes: RefCell<BTreeMap<PathBuf, PathBuf>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(host: &'a dyn Surroundings, folders: &[PathBuf]) -> Analysis<'a> {
        let mut known: Vec<PathBuf> = folders.iter().flat_map(|folder| host.specifications(folder)).collect();
        known.sort();
        known.dedup();
        Analysis {
            host,
            documents: Documents::default(),
            known,
            understood: RefCell::default(),
            homes: RefCell::default(),
        }
    }

    /// A specification has appeared in the editor's folders.
    pub(crate) fn know(&mut self, path: &Path) {
        let is_specification = path.extension().is_some_and(|end| end == "play");
        if is_specification && !self.known.iter().any(|known| known == path) {
            self.known.push(path.to_path_buf());
        }
    }

    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.documents.read(path, self.host)
    }

    /// The files as the questions read them.
    pub(crate) fn files(&self) -> impl Fn(&Path) -> io::Result<Vec<u8>> + Sync {
        let (documents, host) = (&self.documents, self.host);
        move |path| documents.read(path, host)
    }

    pub(crate) fn understand(&self, path: &Path) -> Rc<Understood> {
        if let Some(known) = self.understood.borrow().get(path) {
            return known.clone();
        }
        let understood = Rc::new(ask::understand(path, &self.files()));
        self.understood.borrow_mut().insert(path.to_path_buf(), understood.clone());
        understood
    }

    /// Forgets what was understood with the help of a file: it has changed, appeared or gone.
    pub(crate) fn forget(&mut self, path: &Path) {
        let depends = |text: &Understood| {
            let incomplete = text.diagnostics.iter().any(|each| matches!(each.code, Code::F001 | Code::F002));
            incomplete || text.file(path).is_some()
        };
        self.understood.get_mut().retain(|root, text| root != path && !depends(text));
    }

    /// The specifications that a file belongs to: itself, or those that import it. Never none.
    pub(crate) fn roots(&self, path: &Path) -> Vec<Rc<Understood>> {
        let own = self.understand(path);
        let importers = if own.is_library { self.importers(path) } else { Vec::new() };
        let roots = if importers.is_empty() { vec![own] } else { importers };
        self.homes.borrow_mut().insert(path.to_path_buf(), roots[0].path.clone());
        roots
    }

    /// The specification to look at a file through, without a look at the text if it had one before: whoever
    /// completes a word cannot wait for that.
    pub(crate) fn home(&self, path: &Path) -> PathBuf {
        let known = self.homes.borrow().get(path).cloned();
        known.unwrap_or_else(|| self.roots(path)[0].path.clone())
    }

    /// All specifications that a file is part of, so that no use of its names is missed.
    pub(crate) fn all_with(&self, path: &Path) -> Vec<Rc<Understood>> {
        let own = self.understand(path);
        let mut all = self.importers(path);
        if !own.is_library || all.is_empty() {
            all.insert(0, own);
        }
        all
    }

    fn importers(&self, path: &Path) -> Vec<Rc<Understood>> {
        let mut others: Vec<&PathBuf> =
            self.documents.paths().chain(&self.known).filter(|other| *other != path).collect();
        others.sort();
        others.dedup();
        let understood = others.into_iter().map(|other| self.understand(other));
        understood.filter(|text| !text.is_library && text.file(path).is_some()).collect()
    }
}

/// The path of one of a specification's files.
pub(crate) fn path_of(text: &Understood, file: FileId) -> PathBuf {
    PathBuf::from(&text.sources.file(file).name)
}
