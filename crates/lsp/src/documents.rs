//! The texts that are open in the editor. They hide what is on the disk, so that unsaved imports count.

use crate::Surroundings;
use crate::position::Lines;
use gen_lsp_types::TextDocumentContentChangeEvent as Change;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) struct Document {
    pub(crate) version: i32,
    pub(crate) text: String,
}

#[derive(Default)]
pub(crate) struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    pub(crate) fn open(&mut self, path: PathBuf, version: i32, text: String) {
        self.open.insert(path, Document { version, text });
    }

    pub(crate) fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// Makes the changes one after the other; each is about the text that the one before it left.
    pub(crate) fn change(&mut self, path: &Path, version: i32, changes: Vec<Change>) {
        let Some(document) = self.open.get_mut(path) else { return };
        document.version = version;
        for change in changes {
            match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => document.text = whole.text,
                Change::TextDocumentContentChangePartial(part) => {
                    let lines = Lines::new(&document.text);
                    let (start, end) = (lines.offset(part.range.start), lines.offset(part.range.end));
                    document.text.replace_range(start..end.max(start), &part.text);
                }
            }
        }
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }

    /// What is open, otherwise what is on the disk.
    pub(crate) fn read(&self, path: &Path, host: &dyn Surroundings) -> io::Result<Vec<u8>> {
        match self.open.get(path) {
            Some(document) => Ok(document.text.clone().into_bytes()),
            None => host.read(path),
        }
    }
}
