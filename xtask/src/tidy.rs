//! What the compiler does not check: the habits of the house and the invariants of ARCHITECTURE.md.

use std::{fs, path::Path, process::Command};

/// A Rust file longer than this holds a second noun.
const LONGEST_FILE: usize = 700;

/// Which of our crates each crate may know. The arrows point in one direction only.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("diagnostics", &[]),
    ("syntax", &["diagnostics"]),
    ("model", &["diagnostics", "syntax"]),
    ("lower", &["diagnostics", "syntax", "model"]),
    ("semantics", &["diagnostics", "syntax", "model"]),
    ("rows", &["diagnostics", "model", "semantics", "temporal"]),
    ("engine", &["diagnostics", "model", "semantics", "temporal", "rows"]),
    ("visited", &[]),
    ("explore", &["diagnostics", "model", "semantics", "engine", "temporal", "visited"]),
    ("temporal", &["diagnostics", "model", "semantics"]),
    ("smt", &[]),
    ("encode", &["diagnostics", "model", "semantics", "temporal", "smt"]),
    ("bits", &[]),
    ("prove", &["diagnostics", "model", "semantics", "temporal", "smt", "encode", "bits"]),
    ("transform", &["diagnostics", "model", "semantics", "temporal", "prove"]),
    ("formats", &["model", "semantics", "explore", "temporal", "prove"]),
    ("adapter", &["diagnostics", "model", "semantics"]),
    ("services", &["diagnostics", "model", "semantics", "temporal", "adapter"]),
    ("interfaces", &["services"]),
    ("judge", &["diagnostics", "model", "semantics", "temporal", "adapter"]),
    ("strategies", &["model", "semantics", "judge"]),
    ("tester", &["diagnostics", "model", "semantics", "temporal", "adapter", "judge", "strategies"]),
    ("conform", &["diagnostics", "model", "semantics", "adapter", "judge"]),
    ("scenarios", &["diagnostics", "model", "semantics", "engine", "explore", "temporal"]),
    ("logs", &[]),
    ("answers", &["diagnostics"]),
    ("report", &["diagnostics", "answers"]),
    ("specification", &["diagnostics", "syntax", "model", "lower", "semantics", "temporal"]),
    ("trial", &["diagnostics", "model", "semantics", "temporal", "specification", "adapter", "tester", "answers"]),
    ("ask", &["diagnostics", "syntax", "model", "lower", "specification"]),
    (
        "monitor",
        &["diagnostics", "model", "semantics", "temporal", "specification", "logs", "judge", "trial", "answers"],
    ),
    ("scaffold", &["model"]),
    (
        "workbench",
        &[
            "ask",
            "monitor",
            "scaffold",
            "diagnostics",
            "syntax",
            "model",
            "lower",
            "semantics",
            "engine",
            "explore",
            "temporal",
            "prove",
            "transform",
            "formats",
            "adapter",
            "services",
            "scenarios",
            "specification",
            "tester",
            "conform",
            "logs",
            "answers",
            "trial",
        ],
    ),
    ("macros", &[]),
    (
        "interplay",
        &[
            "diagnostics",
            "model",
            "semantics",
            "specification",
            "adapter",
            "answers",
            "report",
            "tester",
            "trial",
            "macros",
            "explore",
            "services",
        ],
    ),
    ("lsp", &["diagnostics", "ask"]),
    ("mcp", &["diagnostics", "answers", "report", "workbench"]),
    ("serve", &["diagnostics", "interfaces", "answers", "report", "workbench"]),
    ("app", &["diagnostics", "interfaces", "lsp", "mcp", "serve", "answers", "report", "workbench"]),
    ("agreement", &["diagnostics", "syntax", "model", "semantics", "answers", "workbench"]),
];

/// Crates that do no IO and read no clock.
const PURE: &[&str] = &[
    "diagnostics",
    "syntax",
    "model",
    "lower",
    "semantics",
    "rows",
    "engine",
    "visited",
    "explore",
    "temporal",
    "encode",
    "answers",
    "report",
    "logs",
];
const IMPURE: [&str; 5] = ["std::fs", "std::net", "std::process", "std::env", "Instant::now"];

/// What a setup allows is decided in `semantics`: nobody else reads these parts of one.
const DRIVES: [&str; 8] =
    ["domains", "limits", "without", "keep", "groups", "interchangeable", "weights", "overwrites"];
/// Whoever makes another text of a setup, or another setup of it, decides nothing.
const REWRITES: [&str; 7] = [
    "crates/transform/src/machine.rs",
    "crates/transform/src/setups.rs",
    "crates/transform/src/write.rs",
    "crates/transform/src/write/setups.rs",
    "crates/scenarios/src/prover.rs",
    "crates/scenarios/src/slice.rs",
    "crates/services/src/played.rs",
];

pub(crate) fn run(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for file in tracked(root) {
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        any_file(&file, &text, &mut problems);
        if file.ends_with(".rs") {
            rust_file(&file, &text, &mut problems);
        }
    }
    crates(root, &mut problems);
    dependencies(root, &mut problems);
    examples(root, &mut problems);
    problems
}

/// Files that git knows or would add.
fn tracked(root: &Path) -> Vec<String> {
    let output =
        Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(root).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().map(str::to_string).collect()
}

fn any_file(file: &str, text: &str, problems: &mut Vec<String>) {
    let data = [".jsonl", ".lock", ".stdout", ".stderr", ".txt"].iter().any(|ending| file.ends_with(ending))
        || file.starts_with("crates/app/tests/cmd/")
        // What `--help` prints, as it prints it.
        || file == "docs/reference/commands.md";
    if data {
        return;
    }
    for (number, line) in text.lines().enumerate() {
        if line.ends_with(' ') || line.ends_with('\t') {
            problems.push(format!("{file}:{}: white space at the end of the line", number + 1));
        }
        // Built here so that this file does not accuse itself.
        if [["/", "work/"].concat(), ["/", "root/"].concat()].iter().any(|path| line.contains(path.as_str())) {
            problems.push(format!("{file}:{}: a path of one machine", number + 1));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(format!("{file}: the last line does not end"));
    }
}

fn rust_file(file: &str, text: &str, problems: &mut Vec<String>) {
    let decides = ["crates/model/", "crates/lower/", "crates/semantics/", "crates/syntax/"]
        .iter()
        .any(|place| file.starts_with(place));
    if file.starts_with("crates/") && file.contains("/src/") && !decides && !REWRITES.contains(&file) {
        for part in DRIVES {
            let read = ["setup", ".", part].concat();
            let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            if text.match_indices(&read).any(|(at, _)| ends(&text[at + read.len()..])) {
                problems.push(format!("{file}: reads `{part}` of a setup: ask `semantics` what the setup allows"));
            }
        }
    }
    one_of_a_kind(file, text, problems);
    if !text.starts_with("//!") {
        problems.push(format!("{file}: does not begin with `//!`, saying what it is"));
    }
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        problems.push(format!("{file}: {lines} lines; what is the second noun in here?"));
    }
    for word in
        [["todo", "!("].concat(), ["unimplemented", "!("].concat(), ["dbg", "!("].concat(), ["FIX", "ME"].concat()]
    {
        if text.contains(&word) {
            problems.push(format!("{file}: has `{word}`"));
        }
    }
}

/// All commands and all front ends share one world and one way to refuse.
fn one_of_a_kind(file: &str, text: &str, problems: &mut Vec<String>) {
    if !["crates/workbench/src/", "crates/app/src/"].iter().any(|place| file.starts_with(place)) {
        return;
    }
    let declared = text.lines().filter_map(|line| {
        let mut words = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ").split(' ');
        let kind = words.next().filter(|word| ["struct", "enum", "trait", "type"].contains(word))?;
        Some((kind, words.next()?.trim_matches(|sign: char| !sign.is_alphanumeric())))
    });
    for (kind, name) in declared {
        let name = name.split('<').next().unwrap_or_default();
        if name.ends_with("Host") && (kind, file) != ("trait", "crates/workbench/src/host.rs") {
            problems.push(format!("{file}: `{name}` is a second kind of host: implement `workbench::Host`"));
        }
        if name.ends_with("Refusal") && file != "crates/workbench/src/refusal.rs" {
            problems.push(format!("{file}: `{name}` is a second kind of refusal: use `workbench::Refusal`"));
        }
    }
}

fn crates(root: &Path, problems: &mut Vec<String>) {
    for &(name, known) in MAY_KNOW {
        let manifest = fs::read_to_string(root.join(format!("crates/{name}/Cargo.toml"))).unwrap_or_default();
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for &(other, _) in MAY_KNOW {
            let names = |line: &str| {
                line.starts_with(&format!("interplay-{other}.")) || line.starts_with(&format!("interplay-{other} "))
            };
            if dependencies.lines().any(names) && !known.contains(&other) {
                problems.push(format!("crates/{name} must not know crates/{other}"));
            }
        }
    }
    for file in tracked(root) {
        let text = fs::read_to_string(root.join(&file)).unwrap_or_default();
        if file.starts_with("crates/") && file.contains("/src/") && text.contains("SystemTime") {
            problems.push(format!("{file}: the time of day may jump; waits and durations need `Instant`"));
        }
        let Some(name) = PURE.iter().find(|name| file.starts_with(&format!("crates/{name}/src/"))) else { continue };
        for word in IMPURE.iter().filter(|word| text.contains(**word)) {
            problems.push(format!("{file}: crates/{name} does no IO and reads no clock, but says `{word}`"));
        }
    }
}

/// One line of reason per dependency.
fn dependencies(root: &Path, problems: &mut Vec<String>) {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let section = manifest.split("[workspace.dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let mut explained = false;
    for line in section.lines() {
        if line.starts_with('#') {
            explained = true;
        } else if line.trim().is_empty() {
            explained = false;
        } else if !explained && !line.starts_with("interplay-") {
            problems.push(format!("Cargo.toml: `{line}` has no reason above it"));
        }
    }
}

fn examples(root: &Path, problems: &mut Vec<String>) {
    let Ok(folders) = fs::read_dir(root.join("examples")) else { return };
    for folder in folders.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // It shows how to call Interplay from a build server, and has no system of its own.
        if name == "ci" {
            continue;
        }
        for needed in ["README.md".to_string(), "expect.toml".to_string(), format!("{name}.play")] {
            if !folder.join(&needed).is_file() {
                problems.push(format!("examples/{name}: {needed} is missing"));
            }
        }
    }
}
