//! A model of another tool as a specification, on which everything else works as on any other.

use crate::{Context, Host, Refusal};
use interplay_formats::{aut, dot, vmt};
use std::path::{Path, PathBuf};

/// The languages that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// Aldebaran: one line for each step.
    Aut,
    /// Graphviz, as we write it.
    Dot,
    /// SMT-LIB with annotations.
    Vmt,
}

impl Imported {
    /// By the end of the name.
    pub fn of(path: &Path) -> Option<Imported> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "aut" => Some(Imported::Aut),
            "dot" | "gv" => Some(Imported::Dot),
            "vmt" | "smt2" => Some(Imported::Vmt),
            _ => None,
        }
    }
}

/// Which file to read.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where it is.
    pub path: PathBuf,
    /// What it is written in.
    pub language: Imported,
    /// The name of the system that it becomes.
    pub system: String,
}

/// The text of a specification.
pub type Answer = String;

/// Reads the file as a specification that moves as its model does.
pub fn run(request: &Request, host: &dyn Host) -> Result<Answer, Refusal> {
    let Request { path, language, system } = request;
    let text = interplay_specification::text_at(path, &|path| host.read(path))
        .map_err(|diagnostic| Refusal::Request { problem: diagnostic.message, help: diagnostic.help })?;
    let read = match language {
        Imported::Aut => aut::read(&text, system),
        Imported::Dot => dot::read(&text, system),
        Imported::Vmt => vmt::read(&text, system),
    };
    read.map_err(|malformed| format!("{}:{malformed}", path.display()).into())
}

/// A specification, or a model of another tool as one, by the end of its name.
pub fn open(path: &Path, host: &dyn Host) -> Result<Context, Refusal> {
    match Imported::of(path) {
        None => crate::open(path, host),
        Some(language) => {
            let text = run(&Request { path: path.to_owned(), language, system: title(path) }, host)?;
            interplay_specification::open(path, &|_| Ok(text.clone().into_bytes()))
        }
    }
}

/// A name for the system in a file: `coffee-machine.dot` is `CoffeeMachine`.
pub fn title(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let words = stem.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    let name: String = words.map(upper).collect();
    if name.starts_with(char::is_alphabetic) { name } else { format!("Model{name}") }
}
