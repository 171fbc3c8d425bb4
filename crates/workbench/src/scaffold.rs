//! A small project that works at once: a specification, an adapter in the user's language, and a page that says how to
//! use them. The files are templates of `templates/`, kept there as real files so that they are tested as such.

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
}

/// The files for a project of that name: letters, digits, `-` and `_`, with a letter first.
pub fn scaffold(name: &str, language: Language) -> Result<Scaffold, ScaffoldError> {
    if !is_good_name(name) {
        return Err(ScaffoldError::BadName);
    }
    let specification = format!("{name}.play");
    let text = include_str!("../templates/lock.play").replacen("system Lock", &format!("system {}", system(name)), 1);
    let adapter = adapter(language);
    let readme = include_str!("../templates/README.md")
        .replace("{{name}}", name)
        .replace("{{adapter}}", &adapter[0].path)
        .replace("{{command}}", command(language));
    let files = [file(&specification, &text), file("README.md", &readme)].into_iter().chain(adapter).collect();
    Ok(Scaffold { files, specification, command: command(language) })
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

/// `coffee-machine` is the system `CoffeeMachine`.
fn system(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
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
