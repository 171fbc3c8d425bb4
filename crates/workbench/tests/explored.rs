//! The examples have as many states as their `expect.toml` promises: `[explore.SETUP]` with `states` and, if they are known, `transitions`,
//! `with_timeouts` (both, of the graph with timeouts), `by_depth` (both, for the depths from 1 on).

use crate::common::{load, root};
use interplay_answers::{Explored, Stop};
use interplay_workbench::{Host, explore};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

fn explored(path: &str, request: explore::Request) -> Explored {
    explored_by(&|| Duration::ZERO, path, request)
}

/// A world with a clock of its own.
struct Ticking<'t>(&'t (dyn Fn() -> Duration + Sync));

impl Host for Ticking<'_> {
    fn read(&self, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn now(&self) -> Duration {
        (self.0)()
    }

    fn stop(&self) -> &AtomicBool {
        static NEVER: AtomicBool = AtomicBool::new(false);
        &NEVER
    }
}

fn explored_by(now: &(dyn Fn() -> Duration + Sync), path: &str, request: explore::Request) -> Explored {
    match explore::run(&load(path), &explore::Request { threads: 1, ..request }, &Ticking(now)) {
        Ok(exploring) => exploring.explored,
        Err(_) => panic!("{path} cannot be explored"),
    }
}

/// Every specification with its promises.
fn promises() -> Vec<(String, String, toml::Table)> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("examples")).expect("examples are there").flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.path().join("expect.toml")).unwrap_or_default();
        let table: toml::Table = text.parse().expect("expect.toml is TOML");
        let others = table.iter().filter_map(|(key, value)| Some((key.clone(), value.as_table()?.clone())));
        for (key, table) in others.chain([(name.clone(), table.clone())]) {
            let setups = table.get("explore").and_then(toml::Value::as_table).cloned().unwrap_or_default();
            for (setup, promise) in setups {
                found.push((format!("{name}/{key}.play"), setup, promise.as_table().expect("a table").clone()));
            }
        }
    }
    found
}

fn pair(value: &toml::Value) -> (u64, u64) {
    let number = |index: usize| value[index].as_integer().expect("a number") as u64;
    (number(0), number(1))
}

/// What never happened is asked of the first states once more, which takes a little time and not more.
#[test]
fn the_second_look_at_the_first_states_is_short() {
    let path = "../crates/app/tests/cmd/explore.in/queue.play";
    let looked_at = |now: &(dyn Fn() -> Duration + Sync)| {
        let properties = Some(vec!["served_in_range".into()]);
        let request = explore::Request { states: Some(5_000), properties, ..explore::Request::default() };
        let explored = explored_by(now, path, request);
        let (_, told) = explored.remarks[0].message.split_once(" in the first ").expect("not all are looked at");
        told.split(' ').next().and_then(|states| states.parse::<u64>().ok()).expect("so many")
    };
    let calls = AtomicU64::new(0);
    let slow = || Duration::from_millis(100 * calls.fetch_add(1, Ordering::Relaxed));
    assert_eq!(looked_at(&|| Duration::ZERO), 1_150);
    assert!(looked_at(&slow) < 100);
}

#[test]
fn examples_have_the_promised_states() {
    let promises = promises();
    assert!(promises.len() >= 17, "only {} setups have figures", promises.len());
    for (path, setup, promise) in promises {
        // Figures are about the system, so nothing is judged.
        let request = explore::Request {
            setup: Some(setup.clone()),
            properties: Some(Vec::new()),
            ..explore::Request::default()
        };
        let counts = |request: explore::Request| {
            let explored = explored(&path, request);
            ((explored.states, explored.transitions), explored.stop)
        };
        let promised = |key: &str| promise.get(key).map(|value| value.as_integer().expect("a number") as u64);
        if let Some(states) = promised("states") {
            let ((found, steps), stop) = counts(request.clone());
            let expected = (states, promised("transitions").unwrap_or(steps), Stop::Exhausted);
            assert_eq!((found, steps, stop), expected, "{path}, setup {setup}");
        }
        if let Some(expected) = promise.get("with_timeouts") {
            let timeouts = explore::Request { timeouts: true, ..request.clone() };
            assert_eq!(counts(timeouts).0, pair(expected), "{path}, setup {setup}, with timeouts");
        }
        let by_depth = promise.get("by_depth").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        for (depth, expected) in (1..).zip(&by_depth) {
            let bounded = explore::Request { depth: Some(depth), ..request.clone() };
            assert_eq!(counts(bounded), (pair(expected), Stop::Depth), "{path}, setup {setup}, depth {depth}");
        }
    }
}
