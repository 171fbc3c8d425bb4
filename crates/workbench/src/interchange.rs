//! Specifications for other tools, and models of other tools as specifications.

use crate::{Context, Host, Refusal};
use interplay_formats::{aut, dot, horn, vmt};
use interplay_prove::{Config, Engine, Symbolic, never_wrong, properties, solver};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Time for what the solver is asked while a system is written down; most need no question at all.
const BUDGET: Duration = Duration::from_secs(30);

/// What to write for another tool.
#[derive(Clone, Debug)]
pub struct Exporting {
    /// Without it no input is restricted, and constants without a value are symbolic.
    pub setup: Option<String>,
    /// Otherwise whether the model can go wrong.
    pub property: Option<String>,
    pub language: Exported,
}

/// The transition system with one property.
pub fn export_system(context: &Context, request: &Exporting) -> Result<String, Refusal> {
    let chosen: Vec<String> = request.property.iter().cloned().collect();
    let (instance, _) = context.under(request.setup.as_deref(), Some(&chosen))?;
    let asked = properties(&Arc::new(instance.clone()), Some(&chosen)).into_iter().next();
    let property = asked.unwrap_or_else(never_wrong);
    let config = Config {
        budget: BUDGET,
        engines: Engine::ALL.to_vec(),
        // Without a solver a quantifier cannot be removed, which few models need.
        program: solver().unwrap_or_else(|_| PathBuf::from("z3")),
        stop: Arc::default(),
        interrupted: Arc::default(),
    };
    let system = Symbolic::new(&instance, &property, &config).map_err(|unsupported| {
        let place = context.sources.locate(unsupported.span);
        Refusal::from(format!("{place}: {}", unsupported.message))
    })?;
    Ok(match request.language {
        Exported::Horn => horn::write(&system),
        Exported::Vmt => vmt::write(&system),
    })
}

/// The languages that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// SMT-LIB Horn clauses: satisfiable if what is looked for never happens.
    Horn,
    /// VMT: `:init`, `:trans` and one `:invar-property`.
    Vmt,
}

/// The languages that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    Aut,
    Dot,
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

/// A specification, or a model of another tool as one, by the end of its name.
pub fn open_or_import(path: &Path, host: &dyn Host) -> Result<Context, Refusal> {
    match Imported::of(path) {
        None => crate::open(path, host),
        Some(language) => {
            let text = import_system(path, language, &title(path), host)?;
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

/// The text of a specification that moves as the model in the file does.
pub fn import_system(path: &Path, language: Imported, system: &str, host: &dyn Host) -> Result<String, Refusal> {
    let text = interplay_specification::text_at(path, &|path| host.read(path))
        .map_err(|diagnostic| Refusal::Request { problem: diagnostic.message, help: diagnostic.help })?;
    let read = match language {
        Imported::Aut => aut::read(&text, system),
        Imported::Dot => dot::read(&text, system),
        Imported::Vmt => vmt::read(&text, system),
    };
    read.map_err(|malformed| format!("{}:{malformed}", path.display()).into())
}
