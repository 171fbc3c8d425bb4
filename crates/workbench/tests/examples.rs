//! The examples keep what their `expect.toml` promises: no warnings, the verdicts of the scenarios, scripts that pass or
//! fail as their names say, recordings of the promised length, and a text that is formatted.

use crate::common::{load, root};
use interplay_semantics::{Instance, ScenarioVerdict};
use interplay_workbench::{Monitoring, Watch, check};
use std::path::{Path, PathBuf};

fn has_specification(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.path().extension().is_some_and(|extension| extension == "play"))
}

/// Every folder of `examples/` with its `expect.toml`.
fn examples() -> Vec<(String, toml::Table)> {
    let folders = std::fs::read_dir(root().join("examples")).expect("examples are there");
    let mut found: Vec<(String, toml::Table)> = Vec::new();
    for folder in folders.flatten().filter(|entry| has_specification(&entry.path())) {
        let text =
            std::fs::read_to_string(folder.path().join("expect.toml")).expect("every example has an expect.toml");
        found.push((folder.file_name().to_string_lossy().into_owned(), text.parse().expect("expect.toml is TOML")));
    }
    assert!(found.len() >= 9, "the case studies are there");
    found
}

/// Each specification of an example: its own, and those that `expect.toml` has a table of their own for.
fn specifications() -> Vec<(String, toml::Table)> {
    let mut all = Vec::new();
    for (name, expected) in examples() {
        for (key, value) in &expected {
            if let toml::Value::Table(table) = value
                && table.contains_key("check")
                && root().join(format!("examples/{name}/{key}.play")).is_file()
            {
                all.push((format!("{name}/{key}.play"), table.clone()));
            }
        }
        all.push((format!("{name}/{name}.play"), expected));
    }
    all
}

#[test]
fn every_example_checks_without_warnings() {
    for (path, expected) in specifications() {
        let file = root().join("examples").join(&path);
        let checked = check::run(&[file], &|path: &Path| std::fs::read(path));
        let warnings = expected["check"]["warnings"].as_integer().expect("a number") as usize;
        assert_eq!(checked.diagnostics.len(), warnings, "{path}: {:#?}", checked.diagnostics);
    }
}

#[test]
fn every_scenario_has_the_expected_verdict() {
    for (path, expected) in specifications() {
        let context = load(&path);
        let setup = expected.get("setup").map(|setup| setup.as_str().expect("a name"));
        let setup =
            setup.map(|name| context.model.setup_named(name).unwrap_or_else(|| panic!("{path} has no setup {name}")));
        let instance = Instance::new(context.model.clone(), setup).expect("the setup is complete");
        let verdicts = expected["scenarios"].as_table().expect("a table");
        assert_eq!(verdicts.len(), context.model.scenarios.len(), "{path}: a verdict for every scenario");
        for (name, verdict) in verdicts {
            let id = context.model.scenario_named(name).unwrap_or_else(|| panic!("{path} has no scenario {name}"));
            let outcome = instance.play(id, None);
            let found = if matches!(outcome.verdict, ScenarioVerdict::Passed) { "pass" } else { "fail" };
            assert_eq!(found, verdict.as_str().expect("a word"), "{path}: {name}: {:?}", outcome.verdict);
        }
    }
}

#[test]
fn scripts_pass_or_fail_as_their_names_say() {
    let mut count = 0;
    for (name, expected) in examples() {
        for script in scripts(&name) {
            let mut context = load(&format!("{name}/{name}.play"));
            let text = std::fs::read_to_string(&script).expect("the script can be read");
            let setup = expected
                .get("setup")
                .and_then(|setup| setup.as_str())
                .and_then(|setup| context.model.setup_named(setup));
            let (_, model) = context.script("script", &text).unwrap_or_else(|found| panic!("{script:?}: {found:#?}"));
            let instance = Instance::new(model.clone(), setup).expect("the setup is complete");
            let all_pass = (0..model.scenarios.len()).all(|id| {
                matches!(instance.play(interplay_model::ScenarioId(id), None).verdict, ScenarioVerdict::Passed)
            });
            let fails = script.file_name().is_some_and(|name| name.to_string_lossy().starts_with("fails-"));
            assert_eq!(all_pass, !fails, "{script:?}");
            count += 1;
        }
    }
    assert!(count >= 18, "two scripts per example, found {count}");
}

fn scripts(example: &str) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(root().join(format!("examples/{example}/scripts"))).expect("every example has scripts");
    entries.flatten().map(|entry| entry.path()).collect()
}

#[test]
fn recordings_are_as_long_as_promised() {
    for (path, expected) in specifications() {
        let Some(traces) = expected.get("traces") else { continue };
        let file = root().join(traces["file"].as_str().expect("a path"));
        let lines = std::fs::read_to_string(&file).expect("the recording is there").lines().count();
        assert_eq!(lines as i64 - 1, traces["count"].as_integer().expect("a number"), "{path}");
    }
}

#[test]
fn every_example_is_formatted() {
    for (name, _) in examples() {
        let folder = root().join("examples").join(&name);
        let own = std::fs::read_dir(&folder).expect("it is a folder").flatten().map(|entry| entry.path());
        for file in own.chain(scripts(&name)).filter(|path| path.extension().is_some_and(|ending| ending == "play")) {
            let text = std::fs::read_to_string(&file).expect("it can be read");
            assert_eq!(interplay_syntax::format(&text), text, "{file:?} is not formatted");
        }
    }
}

#[test]
fn logs_of_real_servers_are_judged_as_promised() {
    let mut count = 0;
    for (name, expected) in examples() {
        let Some(logs) = expected.get("monitor").and_then(toml::Value::as_table) else { continue };
        let folder = root().join("examples").join(&name);
        for (what, log) in logs {
            let text = |key: &str| std::fs::read_to_string(folder.join(log[key].as_str().expect("a path")));
            let patterns = Some(text("patterns").expect("the patterns are there"));
            let request = Monitoring { patterns, ..Monitoring::default() };
            let context = load(&format!("{name}/{name}.play"));
            let mut watch = Watch::new(&context, &request).unwrap_or_else(|_| panic!("{name}: it can be watched"));
            for line in text("log").expect("the log is there").lines() {
                watch.feed(line, false);
            }
            watch.end();
            let summary = watch.summary();
            assert_eq!(
                summary.verdict().word(),
                log["verdict"].as_str().expect("a word"),
                "{name}: {what}: {summary:?}"
            );
            assert_eq!(summary.steps as i64, log["steps"].as_integer().expect("a number"), "{name}: {what}");
            count += 1;
        }
    }
    assert!(count >= 2, "a good and a faulty log");
}
