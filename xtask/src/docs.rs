//! Pages of the book that are made from the source: one page per diagnostic code, one schema per answer, and their indexes.

use interplay_answers::{DocumentSchema, schemas};
use interplay_diagnostics::Code;
use interplay_model::LIBRARY;
use std::{collections::BTreeMap, fs, path::Path};

/// The folders that hold nothing else, with what belongs into them.
fn folders() -> [(&'static str, BTreeMap<String, String>); 3] {
    [
        ("docs/reference/diagnostics", diagnostics()),
        ("docs/reference/json", json()),
        ("docs/reference/library", library()),
    ]
}

/// Writes the pages, or with `check` names those that are not up to date.
pub(crate) fn run(root: &Path, check: bool) -> Vec<String> {
    folders().iter().flat_map(|(folder, pages)| update(root, folder, pages, check)).collect()
}

fn update(root: &Path, folder: &str, pages: &BTreeMap<String, String>, check: bool) -> Vec<String> {
    let place = root.join(folder);
    let mut problems = Vec::new();
    for (name, text) in pages {
        let path = place.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        if check {
            problems.push(format!("{folder}/{name} is not up to date: run `cargo run -p xtask -- docs`"));
        } else if let Err(error) = fs::create_dir_all(&place).and_then(|()| fs::write(&path, text)) {
            problems.push(format!("{name}: {error}"));
        }
    }
    let there = fs::read_dir(&place).into_iter().flatten().flatten();
    let names = there.map(|entry| entry.file_name().to_string_lossy().into_owned());
    for name in names.filter(|name| !pages.contains_key(name)) {
        if check {
            problems.push(format!("{folder}/{name} belongs to nothing: run `cargo run -p xtask -- docs`"));
        } else if let Err(error) = fs::remove_file(place.join(&name)) {
            problems.push(format!("{name}: {error}"));
        }
    }
    problems
}

fn diagnostics() -> BTreeMap<String, String> {
    let mut index = String::from(
        "# Diagnostics\n\nEvery message of Interplay about a specification has one of these codes. `interplay explain CODE` shows the page on the terminal.\n\n| code | kind | what |\n|---|---|---|\n",
    );
    let mut pages = BTreeMap::new();
    for code in Code::ALL {
        index += &format!("| [{code}]({code}.md) | {} | {} |\n", code.severity().word(), code.title());
        pages.insert(format!("{code}.md"), code.page().to_string());
    }
    pages.insert("README.md".into(), index);
    pages
}

/// One table for each kind of value, in the order of the library.
fn library() -> BTreeMap<String, String> {
    let mut page = String::from(LIBRARY_HEAD);
    let mut kind = "";
    for row in LIBRARY {
        let of = row.receiver().map_or("Functions", |receiver| receiver.split('<').next().unwrap_or(receiver));
        if of != kind {
            page += &format!("\n## {of}\n\n| operation | what it gives | for example |\n|---|---|---|\n");
            kind = of;
        }
        page += &format!("| `{}` | {} | `{}` |\n", row.signature, row.about, row.example.replace('|', "\\|"));
    }
    BTreeMap::from([("README.md".into(), page)])
}

const LIBRARY_HEAD: &str = "\
# The library

All operations on values, with their types, meaning and an example that is true. `T`, `U`, `K` and `V` stand for any type. `def(T) -> Bool`
stands for the name of a definition with one parameter of this type. An operation without arguments is written without parentheses:
`s.sort`. The examples use `def even(n: Int): Bool = n % 2 == 0` and `def last_digit(n: Int): Int = n % 10`.

Operators are in [the language](../language.md#types-and-values). `verify` refuses by name what it does not tell its solver.
";

fn json() -> BTreeMap<String, String> {
    let schemas = schemas();
    let file = |schema: &DocumentSchema| (format!("{}.schema.json", schema.name), format!("{:#}\n", schema.schema));
    let mut pages: BTreeMap<String, String> = schemas.iter().map(file).collect();
    let row = |schema: &DocumentSchema| {
        let commands: Vec<String> = schema.commands.iter().map(|command| format!("`{command}`")).collect();
        let what = schema.schema["description"].as_str().unwrap_or_default();
        format!("| {} | [{1}]({1}.schema.json) | {2} |\n", commands.join(", "), schema.name, what.replace('\n', " "))
    };
    let rows: String = schemas.iter().map(row).collect();
    pages.insert("README.md".into(), format!("{JSON}{rows}"));
    pages
}

const JSON: &str = "\
# What `--json` prints

With `--json` a command prints one JSON document on standard output and nothing else (`monitor`: one object per line). Every document says the
version of its `schema`. The number is raised when a field goes away or changes its meaning; new fields may come at any time, so ignore
what you do not know. If the specification has mistakes, every command prints the document of `check` and ends with exit code 2.

The schemas are JSON Schema, draft 2020-12, generated from the types that the program writes. The tests of this repository compare every
answer with them.

| command | schema | what |
|---|---|---|
";
