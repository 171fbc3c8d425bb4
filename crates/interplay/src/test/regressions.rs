//! Failures kept beside the test, one file each, to be tried first the next time. They are to be committed, as those of proptest are.
//!
//! A file is what `interplay test` keeps in `.interplay`, too. It counts for the type that it was found in and for its setup.

use interplay_trial::Saved;
use std::path::{Path, PathBuf};

const FOLDER: &str = "interplay-regressions";

/// Where failures are kept.
#[derive(Clone, Debug)]
pub(crate) enum Regressions {
    /// In a folder beside this source file.
    Beside(&'static str),
    In(PathBuf),
    Nowhere,
}

impl Regressions {
    fn folder(&self) -> Option<PathBuf> {
        match self {
            Regressions::Nowhere => None,
            Regressions::In(folder) => Some(folder.clone()),
            Regressions::Beside(source) => {
                // The compiler names sources as seen from the workspace, a test runs in the folder of its package.
                let here = std::env::current_dir().ok()?;
                let source = here.ancestors().map(|folder| folder.join(source)).find(|file| file.is_file());
                let beside = source.as_deref().and_then(Path::parent).unwrap_or(&here);
                Some(beside.strip_prefix(&here).unwrap_or(beside).join(FOLDER))
            }
        }
    }

    /// Those of this type.
    pub(crate) fn stored(&self, sut: &str) -> Vec<Saved> {
        let Some(files) = self.folder().and_then(|folder| std::fs::read_dir(folder).ok()) else { return Vec::new() };
        let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
        texts.filter_map(|text| Saved::parse(&text).ok()).filter(|saved| saved.sut == sut).collect()
    }

    /// Keeps a failure; where, if that was possible.
    pub(crate) fn keep(&self, saved: &Saved) -> Option<String> {
        let folder = self.folder()?;
        let file = folder.join(saved.name());
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, saved.text())).ok()?;
        Some(file.display().to_string())
    }
}
