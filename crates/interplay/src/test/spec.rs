//! Which specification: a file, or a text that is part of the program.

use interplay_answers::Findings;
use interplay_report::{Colour, text};
use interplay_specification::{Context, Refusal, open};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A specification to test against. `spec!("lru.play")` makes one of a file beside the source.
#[derive(Clone, Debug)]
pub struct Spec {
    /// As it is called in messages.
    name: PathBuf,
    /// Where it and what it imports are read from.
    file: PathBuf,
    text: Option<Cow<'static, str>>,
}

impl Spec {
    /// A file, seen from the folder of the package, as everywhere in `cargo test`. It is read when the test runs.
    pub fn file(path: impl Into<PathBuf>) -> Spec {
        let file = path.into();
        Spec { name: file.clone(), file, text: None }
    }

    /// The text itself: `Spec::text("system Lamp ...")`.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Spec {
        Spec { name: "specification".into(), file: "specification".into(), text: Some(text.into()) }
    }

    /// What [`spec!`](crate::spec!) writes: the name in messages, where the file lies, and its text.
    #[doc(hidden)]
    pub fn embedded(name: &'static str, file: &'static str, text: &'static str) -> Spec {
        Spec { name: name.into(), file: file.into(), text: Some(text.into()) }
    }

    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// Reads and checks it; otherwise all that is wrong, with the places.
    pub(crate) fn open(&self) -> Result<Context, String> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let name = self.name.file_name().map(PathBuf::from).unwrap_or_default();
        let read = |path: &Path| match &self.text {
            Some(text) if path == name => Ok(text.as_bytes().to_vec()),
            _ => std::fs::read(folder.join(path)),
        };
        open(&name, &read).map_err(|refusal| {
            format!("the specification {} has mistakes\n\n{}", self.name.display(), refused(&refusal))
        })
    }
}

/// What is wrong, with the places in the text.
pub(crate) fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Specification { sources, diagnostics } => text(&Findings::new(sources, diagnostics), Colour::Never),
        request => request.to_string(),
    }
}

impl From<&str> for Spec {
    fn from(path: &str) -> Spec {
        Spec::file(path)
    }
}

impl From<&Path> for Spec {
    fn from(path: &Path) -> Spec {
        Spec::file(path)
    }
}

impl From<PathBuf> for Spec {
    fn from(path: PathBuf) -> Spec {
        Spec::file(path)
    }
}
