//! Pages of the book that are made from the source: one page per diagnostic code, and their index.

use interplay_diagnostics::Code;
use std::{collections::BTreeMap, fs, path::Path};

/// Writes the pages, or with `check` names those that are not up to date.
pub(crate) fn run(root: &Path, check: bool) -> Vec<String> {
    let folder = root.join("docs/reference/diagnostics");
    let mut problems = Vec::new();
    for (name, text) in pages() {
        let path = folder.join(&name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            problems
                .push(format!("docs/reference/diagnostics/{name} is not up to date: run `cargo run -p xtask -- docs`"));
        } else if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, text)) {
            problems.push(format!("{name}: {error}"));
        }
    }
    problems
}

fn pages() -> BTreeMap<String, String> {
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
