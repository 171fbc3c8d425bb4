//! Every answer of `--json` keeps to its schema under `docs/reference/json`, and every command that has `--json` is tried here.

mod validate;

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use validate::{Schemas, problems};

/// A schema, the exit codes that are right, and a command; the folder stands before the first word.
type Tried = (&'static str, &'static [i32], &'static str, &'static str);

/// As a user would type them. Words are split at spaces.
const TRIED: &[Tried] = &[
    ("check", &[0], "test.in", "check lock.play --json"),
    ("check", &[2], "check.in", "check wrong.play other.play lost.play --json"),
    ("check", &[2], "check.in", "explore wrong.play --json"),
    ("explain", &[0], "check.in", "explain --json"),
    ("explain", &[0], "check.in", "explain N001 --json"),
    ("simulate", &[0], "simulate.in", "simulate lock.play --random --steps 5 --seed 7 --json"),
    ("simulate", &[0, 1], "simulate.in", "simulate lock.play --script fail.play --json"),
    ("explore", &[0], "test.in", "explore lock.play --json"),
    ("explore", &[0, 1, 3], "explore.in", "explore queue.play --states 50 --json"),
    ("explore", &[0, 1, 3], "explore.in", "explore average.play --continue --deadlocks --json"),
    ("explore", &[0, 1, 3], "explore.in", "explore clerks.play --visited compact --json"),
    ("explore", &[0, 1, 3], "explore.in", "explore stairs.play --visited bitstate --depth 3 --json"),
    ("explore", &[0], "examples/chat", "explore chat.play --setup figure1 --symmetry --timeouts --json"),
    ("oracle", &[0], "oracle.in", "oracle lamp.play --json"),
    ("oracle", &[0], "oracle.in", "oracle barrier.play --json"),
    ("monitor", &[0, 1, 3], "monitor.in", "monitor barrier.play tuesday.jsonl --json"),
    ("monitor", &[0, 1, 3], "monitor.in", "monitor barrier.play bad.jsonl --json"),
    ("monitor", &[0, 1, 3], "monitor.in", "monitor barrier.play clash.jsonl --json"),
    ("monitor", &[3], "monitor.in", "monitor barrier.play empty.jsonl --json"),
    ("monitor", &[1], "examples/leases", "monitor leases.play faulty.log --patterns monitor.toml --json"),
    ("patterns-check", &[0], "examples/leases", "patterns check good.log --patterns monitor.toml --json"),
    ("patterns-check", &[3], "examples/leases", "patterns check good.log --json"),
    ("test", &[0], "test.in", "test lock.play --sut model:lock.play --seed 1 --no-store --json"),
    ("test", &[1], "test.in", "test lock.play --sut model:forgetful.play --seed 1 --continue --no-store --json"),
    ("test", &[4], "test.in", "test lock.play --sut ./nothing --seed 1 --no-store --json"),
    ("test-mutants", &[0, 1], "test.in", "test lock.play --mutants=20 --seed 1 --json"),
    ("test-systematic", &[0, 1], "examples/teller", "test teller.play --systematic --depth 4 --json"),
    (
        "test-systematic",
        &[0, 1],
        "examples/teller",
        "test teller.play --systematic --depth 3 --driver published --json",
    ),
    ("test-systematic-table", &[0], "examples/teller", "test teller.play --systematic --depth 3 --table --json"),
    ("verify", &[0, 1, 3], "verify.in", "verify countdown.play --timeout 10s --json"),
    ("verify", &[0, 1, 3], "verify.in", "verify wrong.play --engine explicit --timeout 10s --json"),
    ("verify", &[0, 1, 3], "verify.in", "verify turn.play --engine explicit --timeout 10s --json"),
    ("derive", &[0], "derive.in", "test-case countdown.play --setup paper --target violate --json"),
    (
        "test-case",
        &[0, 1, 3],
        "derive.in",
        "test countdown.play --setup paper --target violate --sut model:countdown.play --seed 1 --json",
    ),
    (
        "test-case",
        &[4],
        "derive.in",
        "test countdown.play --setup paper --target violate --sut ./nothing --seed 1 --json",
    ),
    (
        "scenario-conflicts",
        &[0, 1, 3],
        "examples/lift",
        "scenario conflicts lift.play --setup all --states 200 --between Parking --between FireService --json",
    ),
    ("scenario-find", &[0], "examples/telephone", "scenario find telephone.play T1-TCS-FPR --json"),
    ("simulate", &[0], "examples/chat", "scenario run chat.play --setup figure1 --json"),
    (
        "scenario-run",
        &[0, 1, 3],
        "examples/chat",
        "scenario run chat.play --setup online --sut model:chat.play --seed 1 --json",
    ),
    (
        "scenario-coverage",
        &[0, 1, 3],
        "examples/chat",
        "scenario coverage chat.play --setup figure1 --timeout 5s --json",
    ),
    ("suspend", &[0], "derive.in", "suspend countdown.play --json"),
    ("determinise", &[0], "derive.in", "determinise countdown.play --json"),
    ("complete", &[0], "derive.in", "canonical-tester countdown.play --json"),
    ("complete", &[0], "derive.in", "complete-inputs countdown.play --advice --json"),
    ("product", &[0], "derive.in", "product countdown.play --json"),
    ("hide", &[0], "derive.in", "remove-internal countdown.play --json"),
    ("suite", &[0], "test.in", "suite lock.play --json"),
    (
        "conform",
        &[1],
        "docs/how-to",
        "conform compare-two-specifications.in/door.play compare-two-specifications.in/eager.play --json",
    ),
    (
        "conform",
        &[0],
        "docs/how-to",
        "conform compare-two-specifications.in/door.play compare-two-specifications.in/door.aut --depth 3 --json",
    ),
    ("export", &[0], "derive.in", "export countdown.play --format vmt --json"),
    ("import", &[0], "docs/how-to", "import exchange-models.in/coffee.dot --json"),
    ("adapter-check", &[4], "adapter.in", "adapter check ./no-such-adapter --json"),
    ("adapter-check", &[4], "adapter.in", "adapter check ./silent.sh --json"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schemas() -> Schemas {
    let folder = root().join("docs/reference/json");
    let files = std::fs::read_dir(&folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let schema = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let schema = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), schema)
    };
    files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).map(schema).collect()
}

fn interplay(folder: &str, words: &str) -> (Option<i32>, String, String) {
    let place = match folder.strip_suffix(".in") {
        Some(_) => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd").join(folder),
        None => root().join(folder),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_interplay"));
    let output = command.args(words.split(' ')).current_dir(place).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the answer is text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// One document, or one for each line.
fn documents(text: &str) -> Vec<Value> {
    match serde_json::from_str(text) {
        Ok(document) => vec![document],
        Err(_) => text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect(),
    }
}

#[test]
fn every_answer_keeps_to_its_schema() {
    let schemas = schemas();
    let mut found = Vec::new();
    for (schema, exits, folder, words) in TRIED {
        let (exit, said, complaint) = interplay(folder, words);
        assert!(exit.is_some_and(|exit| exits.contains(&exit)), "{words}: exit code {exit:?}\n{said}{complaint}");
        let documents = documents(&said);
        assert!(!documents.is_empty(), "{words} says nothing");
        let wrong = |document: &Value| problems(&schemas, &format!("{schema}.schema.json"), document);
        found.extend(documents.iter().flat_map(wrong).map(|problem| format!("{words}: {problem}")));
    }
    found.dedup();
    let help = "a new field belongs into docs/reference/json";
    assert!(found.is_empty(), "{}\n{help}", found.join("\n"));
}

#[test]
fn a_kept_failure_replays_to_the_same_document() {
    let (_, said, _) = interplay("test.in", "test lock.play --sut model:forgetful.play --seed 1 --no-store --json");
    let token = documents(&said)[0]["failures"][0]["token"].as_str().expect("there is a token").to_string();
    let (exit, again, _) = interplay("test.in", &format!("replay {token} --json"));
    assert_eq!(exit, Some(1));
    let problems = problems(&schemas(), "test.schema.json", &documents(&again)[0]);
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn every_command_with_json_has_a_schema() {
    let known: BTreeSet<String> = schemas().into_keys().collect();
    let mut missing = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(command) = waiting.pop() {
        let (_, help, _) = interplay("test.in", format!("{command} --help").trim_start());
        let listed = help.split("\nCommands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
        let names = listed.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        waiting.extend(names.map(|name| format!("{command} {name}").trim_start().to_string()));
        // `replay` says what `test` says.
        let schema = command.replace(' ', "-").replace("replay", "test");
        if help.contains("--json") && !command.is_empty() && !known.contains(&format!("{schema}.schema.json")) {
            missing.push(command);
        }
    }
    assert!(missing.is_empty(), "without a schema in docs/reference/json: {missing:?}");
}

/// A part that allows anything says nothing; only values of the specification may be anything, and then it says so.
#[test]
fn every_schema_says_what_is_there() {
    let mut loose = Vec::new();
    for (file, schema) in schemas() {
        let mut waiting = vec![(file, schema)];
        while let Some((at, part)) = waiting.pop() {
            let has = |word: &str| part.get(word).is_some();
            let is = |word: &str| {
                part["type"] == word || part["type"].as_array().is_some_and(|all| all.contains(&word.into()))
            };
            let says = ["type", "const", "enum", "$ref", "oneOf", "anyOf", "$defs", "description"].into_iter().any(has);
            let open =
                (is("object") && !has("properties") && !has("additionalProperties")) || (is("array") && !has("items"));
            if !says || open {
                loose.push(at.clone());
            }
            for word in ["properties", "$defs"] {
                let parts = part[word].as_object().into_iter().flatten();
                waiting.extend(parts.map(|(name, part)| (format!("{at}/{name}"), part.clone())));
            }
            for word in ["items", "additionalProperties"] {
                waiting.extend(part.get(word).map(|part| (format!("{at}/*"), part.clone())));
            }
            for word in ["oneOf", "anyOf"] {
                waiting.extend(part[word].as_array().into_iter().flatten().map(|part| (at.clone(), part.clone())));
            }
        }
    }
    assert!(loose.is_empty(), "{loose:#?}");
}

#[test]
fn a_document_that_is_wrong_is_found() {
    let schemas = schemas();
    let wrong = |document: Value| problems(&schemas, "check.schema.json", &document);
    let right = serde_json::json!({ "schema": 1, "diagnostics": [], "checked": ["a.play"] });
    assert!(wrong(right.clone()).is_empty());
    for (field, value) in [("schema", 2.into()), ("checked", "a.play".into()), ("more", 1.into())] {
        let mut broken = right.clone();
        broken[field] = value;
        assert_eq!(wrong(broken).len(), 1, "{field}");
    }
    let nothing = serde_json::json!({ "schema": 1, "diagnostics": [{}], "checked": [] });
    assert_eq!(wrong(nothing).len(), 7);
}
