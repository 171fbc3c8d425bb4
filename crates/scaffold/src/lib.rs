//! A small project that works at once: a specification, an adapter in the user's language, and a page that says how to
//! use them. The files are templates of `templates/`, kept there as real files so that they are tested as such. And the adapter
//! of a specification that is there already, with all its actions, to be filled in: one file per language.

mod javascript;
mod outline;
mod python;
mod rust;

use interplay_model::Model;
use outline::{Outline, Seen};

/// The languages in which we write an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
}

/// The files of a new project.
#[derive(Clone, Debug)]
pub struct Scaffold {
    pub files: Vec<ScaffoldFile>,
    /// The specification, relative to the project's folder.
    pub specification: String,
    /// What starts the adapter, in the project's folder.
    pub command: &'static str,
}

impl Scaffold {
    /// What starts the adapter from the folder in which the project's folder is.
    pub fn command_in(&self, folder: &std::path::Path) -> String {
        let folder = folder.display();
        match self.command.split_once(' ') {
            Some(("cargo", _)) => format!("cargo run --quiet --manifest-path {folder}/Cargo.toml"),
            Some((program, file)) => format!("{program} {folder}/{file}"),
            None => self.command.into(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ScaffoldFile {
    /// Relative to the project's folder.
    pub path: String,
    pub text: String,
    pub executable: bool,
}

/// Why there is no such project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaffoldError {
    /// The name has no letter to start with, or characters that a file name should not have.
    BadName,
    /// This input, or one of its parameters, has a name that no method can have.
    Unspeakable(String),
    /// There is nothing to connect: no input and no output.
    Mute,
}

/// The files for a project of that name: letters, digits, `-` and `_`, with a letter first.
pub fn scaffold(name: &str, language: Language) -> Result<Scaffold, ScaffoldError> {
    if !is_good_name(name) {
        return Err(ScaffoldError::BadName);
    }
    let specification = format!("{name}.play");
    let text = include_str!("../templates/lock.play").replacen("system Lock", &format!("system {}", camel(name)), 1);
    let adapter = adapter(language);
    let readme = include_str!("../templates/README.md")
        .replace("{{name}}", name)
        .replace("{{adapter}}", &adapter[0].path)
        .replace("{{command}}", command(language));
    let files = [file(&specification, &text), file("README.md", &readme)].into_iter().chain(adapter).collect();
    Ok(Scaffold { files, specification, command: command(language) })
}

/// An adapter for a specification: all inputs, outputs and types, with what is to be filled in marked. `source` is the
/// specification as the user named it.
pub fn connect(model: &Model, source: &str, language: Language) -> Result<Scaffold, ScaffoldError> {
    let outline = Outline::of(model);
    if let Some(name) = outline.unspeakable() {
        return Err(ScaffoldError::Unspeakable(name.into()));
    }
    if outline.inputs.is_empty() && outline.outputs.is_empty() {
        return Err(ScaffoldError::Mute);
    }
    let (files, command) = match language {
        Language::Python => (python::files(&outline, source), "python3 adapter.py"),
        Language::JavaScript => (javascript::files(&outline, source), "node adapter.mjs"),
        Language::Rust => (rust::files(&outline, source), "cargo run --quiet"),
    };
    Ok(Scaffold { files, specification: source.into(), command })
}

/// What an input is, in words: its types as the specification says them, and its documentation.
fn described(input: &Seen) -> String {
    let doc = input.doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "/").replace('"', "'");
    if doc.is_empty() { input.typed() } else { format!("{}: {doc}", input.typed()) }
}

/// What stands for the values of declared types, as lines of a comment.
fn values(outline: &Outline, mark: &str) -> String {
    if outline.values.is_empty() {
        return String::new();
    }
    let lines = outline.values.iter().map(|value| format!("{mark}- {value}\n"));
    format!("{}\n{mark}In JSON:\n{}", mark.trim_end(), lines.collect::<String>())
}

/// Whether a name is one of these words, which a language or its kit needs itself.
fn is_one_of(words: &str, name: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

/// `coffee-machine` is the class or the system `CoffeeMachine`.
fn camel(name: &str) -> String {
    let words = name.split(|each: char| !each.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    let taken = ["System", "Refused", "Adapter", "Emitter", "Value", "Reply"];
    match joined.starts_with(|first: char| first.is_ascii_alphabetic()) && !taken.contains(&joined.as_str()) {
        true => joined,
        false => format!("My{joined}"),
    }
}

fn adapter(language: Language) -> Vec<ScaffoldFile> {
    match language {
        // The kits come along as files, so that the project needs nothing else.
        Language::Python => vec![
            program("adapter/adapter.py", include_str!("../templates/adapter.py")),
            file("adapter/interplay.py", include_str!("../../../sdk/python/interplay.py")),
        ],
        Language::JavaScript => vec![
            program("adapter/adapter.mjs", include_str!("../templates/adapter.mjs")),
            file("adapter/interplay.mjs", include_str!("../../../sdk/javascript/interplay.mjs")),
        ],
        Language::Rust => vec![
            file("adapter/src/main.rs", include_str!("../templates/rust/src/main.rs")),
            file("adapter/Cargo.toml", include_str!("../templates/rust/Cargo.toml.txt")),
            file("adapter/.gitignore", "/target\n"),
        ],
    }
}

fn command(language: Language) -> &'static str {
    match language {
        Language::Python => "python3 adapter/adapter.py",
        Language::JavaScript => "node adapter/adapter.mjs",
        Language::Rust => "cargo run --quiet --manifest-path adapter/Cargo.toml",
    }
}

fn file(path: &str, text: &str) -> ScaffoldFile {
    ScaffoldFile { path: path.into(), text: text.into(), executable: false }
}

fn program(path: &str, text: &str) -> ScaffoldFile {
    ScaffoldFile { executable: true, ..file(path, text) }
}

fn is_good_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '-' | '_'))
        && name.len() <= 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_after_its_folder() {
        let made = scaffold("coffee-machine", Language::Python).expect("the name is good");
        assert_eq!(made.specification, "coffee-machine.play");
        assert!(made.files[0].text.contains("\nsystem CoffeeMachine\n"));
        assert!(made.files[1].text.contains("interplay check coffee-machine.play"));
        assert!(!made.files[1].text.contains("{{"));
    }

    #[test]
    fn a_name_that_is_no_file_name_is_refused() {
        for name in ["", "../x", "a b", "1st", "a/b", "-x"] {
            assert_eq!(scaffold(name, Language::Rust).err(), Some(ScaffoldError::BadName), "{name}");
        }
    }
}
