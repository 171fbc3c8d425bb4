//! The examples keep what their `expect.toml` promises of their libraries: `[conflicts.SETUP]` with `between` (the components that are compared),
//! `states` (looked at for each pair) and the rows of the `matrix`; `[coverage]` with what is used, of how many, for each kind; `[goals]` with the answer, and for a goal that is reached the
//! number of steps.

use crate::common::{load, root};
use interplay_answers::{ConflictingPair, LibraryKind, SoughtAnswer};
use interplay_workbench::{ChosenSetup, GoalMethod, Host, Refusal, library, play, scenario};
use std::path::Path;
use std::time::Duration;

/// Nothing here takes so long; it only keeps a mistake from running for ever.
const LONG: Duration = Duration::from_secs(300);

fn with_host<T>(run: impl FnOnce(&dyn Host) -> Result<T, Refusal>) -> T {
    let nothing = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    run(&nothing).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The section of every example that has it.
fn promises(section: &str) -> Vec<(String, toml::Table)> {
    let folders = std::fs::read_dir(root().join("examples")).expect("examples are there").flatten();
    let promise = |folder: std::fs::DirEntry| {
        let text = std::fs::read_to_string(folder.path().join("expect.toml")).ok()?;
        let table: toml::Table = text.parse().expect("expect.toml is TOML");
        Some((folder.file_name().to_string_lossy().into_owned(), table.get(section)?.as_table()?.clone()))
    };
    folders.filter_map(promise).collect()
}

#[test]
fn features_get_along_as_promised() {
    let promises = promises("conflicts");
    assert!(promises.len() >= 2, "two examples have a matrix");
    for (name, setups) in promises {
        let context = load(&format!("{name}/{name}.play"));
        for (setup, promise) in setups {
            let states = promise["states"].as_integer().expect("a number") as u64;
            let between = promise["between"].as_array().expect("names").iter();
            let between = between.map(|name| name.as_str().expect("a name").to_string()).collect();
            let request = library::conflicts::Request { setup: Some(setup.clone()), between, states, timeout: LONG };
            let told = with_host(|host| library::conflicts::run(&context, &request, host));
            let rows: Vec<&str> =
                promise["matrix"].as_array().expect("rows").iter().map(|row| row.as_str().expect("a row")).collect();
            assert_eq!(told.matrix(), rows, "{name} under {setup}");
            told.pairs.iter().for_each(|pair| it_can_be_played(&name, pair));
        }
    }
}

/// The scenario that shows it is one of the model.
fn it_can_be_played(name: &str, pair: &ConflictingPair) {
    let Some(scenario) = &pair.scenario else { return };
    let mut context = load(&format!("{name}/{name}.play"));
    let (_, model) = context.addition(scenario).expect("it is a scenario");
    let last = model.scenarios.len() - 1;
    let wanted = model.scenarios[last].name.clone();
    let played = play(&context, &model, &ChosenSetup::default(), |scenario| scenario.name == wanted);
    let played = played.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert!(played.iter().all(|each| each.passed()), "{name}: {scenario}");
}

#[test]
fn libraries_use_what_is_promised() {
    let promises = promises("coverage");
    assert!(promises.len() >= 2, "two examples say what their scenarios use");
    for (name, promise) in promises {
        let context = load(&format!("{name}/{name}.play"));
        let request =
            library::coverage::Request { setup: None, propose: false, each: LONG, timeout: LONG, memory: 1 << 30 };
        let told = with_host(|host| library::coverage::run(&context, &request, host));
        assert!(told.failed.is_empty(), "{name}: {:?}", told.failed);
        let kinds = [
            ("rules", LibraryKind::Rules),
            ("branches", LibraryKind::Branches),
            ("guards", LibraryKind::Guards),
            ("locations", LibraryKind::Locations),
            ("values", LibraryKind::Values),
        ];
        for (word, kind) in kinds {
            let (used, of) = told.count(kind);
            let promised = promise.get(word).map_or((0, 0), |pair| {
                let number = |at: usize| pair[at].as_integer().expect("a number") as usize;
                (number(0), number(1))
            });
            assert_eq!((used, of), promised, "{name}: {word}");
        }
    }
}

#[test]
fn goals_are_answered_as_promised() {
    for (name, promise) in promises("goals") {
        let mut context = load(&format!("{name}/{name}.play"));
        let goals = promise.keys().cloned().collect();
        let methods = vec![GoalMethod::Contradiction, GoalMethod::Search, GoalMethod::Explore];
        let request = scenario::Request { goals, setup: None, timeout: LONG, memory: 1 << 30, methods, library: None };
        let sought = with_host(|host| scenario::run(&mut context, &request, host));
        for goal in &sought.goals {
            let answer = match &goal.answer {
                SoughtAnswer::Reached { way, .. } => format!("reached in {}", way.steps.len()),
                answer => answer.word().into(),
            };
            assert_eq!(answer, promise[&goal.name].as_str().expect("a word"), "{name}: {}", goal.name);
        }
    }
}

/// The last thing that the library lacks is proposed, filed, and no longer lacking.
#[test]
fn what_coverage_proposes_can_be_added() {
    let mut context = load("lift/lift.play");
    let request = library::coverage::Request {
        setup: Some("all".into()),
        propose: true,
        each: Duration::from_secs(5),
        timeout: LONG,
        memory: 1 << 30,
    };
    let told = with_host(|host| library::coverage::run(&context, &request, host));
    let added = told.missing().find_map(|item| match &item.proposal {
        interplay_answers::LibraryProposal::Add { lines, .. } => Some((item, lines.join("\n"))),
        _ => None,
    });
    let (item, lines) = added.expect("something is missing");
    let filing = library::add::Request {
        what: format!("scenario x {{\n{lines}\n}}"),
        name: "new one".into(),
        number: None,
        to: None,
        setup: None,
    };
    let filed = with_host(|host| library::add::run(&mut context, &filing, host));
    assert!(filed.file.ends_with("library.play") && filed.text.ends_with(&filed.scenario));
    assert_eq!(interplay_syntax::format(&filed.text), filed.text);
    let (_, model) = load("lift/lift.play").addition(&filed.scenario).expect("it is a scenario");
    let all = model.setup_named("all");
    let measured = interplay_scenarios::measure(&model, all, &|| false).expect("it can be played");
    let still = measured.items.iter().filter(|(_, used)| !used).count();
    assert!(still < told.missing().count(), "{} is used now", item.message);
}
