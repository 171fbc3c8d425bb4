//! `interplay import`: models of other tools as specifications.

use super::simulate::refuse;
use crate::exit::Exit;
use crate::{files, print};
use anyhow::Context as _;
use interplay_diagnostics::Diagnostic;
use interplay_report::imported_json;
use interplay_workbench::{Imported, import_system, read_text};
use std::path::{Path, PathBuf};

/// Read a model of another tool as a specification
///
/// Reads automata in Aldebaran format (.aut: `?a` is an input, `!a` an output, `i` is internal, anything else an input), Mealy machines and
/// graphs of `interplay explore` in DOT, and VMT transition systems over integers and Booleans. Exit code 0: read; 2: it cannot be read,
/// with line and column.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay import coffee.dot --out coffee.play\n  \
                        interplay import counter.vmt | interplay fmt -")]
pub(crate) struct Arguments {
    /// The model
    file: PathBuf,
    /// The language; without it the end of the name says it
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The name of the system; without it that of the file
    #[arg(long)]
    name: Option<String>,
    /// Write to this file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document, and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Aut,
    Dot,
    Vmt,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let language = match arguments.format {
        Some(Format::Aut) => Some(Imported::Aut),
        Some(Format::Dot) => Some(Imported::Dot),
        Some(Format::Vmt) => Some(Imported::Vmt),
        None => Imported::of(&arguments.file),
    };
    let shown = arguments.file.display().to_string();
    let Some(language) = language else {
        return refuse(&format!("`{shown}` does not say its language\nhelp: name it with --format aut, dot or vmt"));
    };
    let text = match read_text(&arguments.file, &files::read) {
        Ok(text) => text,
        Err(diagnostic) => return refuse(&told(&diagnostic)),
    };
    let name = arguments.name.unwrap_or_else(|| title(&arguments.file));
    let specification = match import_system(language, &text, &name) {
        Ok(specification) => specification,
        Err(malformed) => return refuse(&format!("{shown}:{malformed}")),
    };
    if let Some(path) = &arguments.out {
        files::create(path, &specification).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if arguments.json {
        let format = match language {
            Imported::Aut => "aut",
            Imported::Dot => "dot",
            Imported::Vmt => "vmt",
        };
        print::json(&imported_json(&name, format, &specification))?;
    } else if arguments.out.is_none() {
        print::answer(&specification)?;
    }
    Ok(Exit::Met)
}

fn told(diagnostic: &Diagnostic) -> String {
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    format!("{}{help}", diagnostic.message)
}

/// `coffee-machine.dot` is `CoffeeMachine`.
fn title(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let words = stem.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    let name: String = words.map(upper).collect();
    if name.starts_with(char::is_alphabetic) { name } else { format!("Model{name}") }
}
