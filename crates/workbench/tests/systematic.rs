//! Systematic tests at the boundary: the tables and faults that the examples promise in `expect.toml`.

use crate::common::{load, root};
use interplay_answers::{Assurance, Systematic, SystematicStop};
use interplay_workbench::{Driver, Refusal, SutKind, SystematicSut, open, parse_sut, systematic};
use std::path::Path;
use std::time::Duration;

fn done(example: &str, request: &systematic::Request) -> Systematic {
    // Of several setups none is used unless somebody names it.
    let several = example == "teller" && request.setup.is_none();
    let setup = if several { Some("paper".into()) } else { request.setup.clone() };
    match answer(example, &systematic::Request { setup, ..request.clone() }) {
        Ok(done) => done,
        Err(refusal) => panic!("{refusal}"),
    }
}

fn answer(example: &str, request: &systematic::Request) -> Result<Systematic, Refusal> {
    let nothing = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    systematic::run(&load(&format!("{example}/{example}.play")), request, &nothing)
}

fn expected(example: &str) -> toml::Table {
    let text = std::fs::read_to_string(root().join(format!("examples/{example}/expect.toml"))).expect("it is there");
    text.parse().expect("expect.toml is TOML")
}

fn request(driver: Driver, depth: u64) -> systematic::Request {
    systematic::Request { driver, depth: Some(depth), answer_within: Duration::from_secs(10), ..Default::default() }
}

#[test]
fn the_examples_have_the_promised_numbers_of_runs() {
    for example in ["teller", "travel"] {
        let table = expected(example)["systematic"]["paths"].clone();
        for (driver, paths) in table.as_table().expect("a table") {
            let driver: Driver = driver.parse().expect("a driver");
            for (depth, paths) in (1..).zip(paths.as_array().expect("a list")) {
                let done = done(example, &request(driver, depth));
                let promised = paths.as_integer().expect("a number") as u64;
                assert_eq!(
                    (done.work.paths, done.stop),
                    (promised, SystematicStop::Exhausted),
                    "{example} {driver} {depth}"
                );
            }
        }
    }
}

#[test]
fn a_wrong_property_is_found_by_the_planned_driver_where_it_should_be() {
    let wrong = |driver, depth| {
        let properties = vec!["target_only_in_deposit".to_string()];
        done("teller", &systematic::Request { properties, ..request(driver, depth) }).findings.len()
    };
    assert_eq!((wrong(Driver::Planned, 4), wrong(Driver::Planned, 5)), (0, 1));
    assert_eq!((wrong(Driver::Simple, 4), wrong(Driver::Simple, 5)), (0, 1));
    assert_eq!((wrong(Driver::Published, 9), wrong(Driver::Published, 10)), (0, 1));
    let properties = vec!["class_before_card".to_string()];
    let done = done("travel", &systematic::Request { properties, ..request(Driver::Planned, 10) });
    assert_eq!(done.findings[0].property.as_deref(), Some("class_before_card"));
}

fn against(folder: &str, setup: &str, depth: u64, threads: usize) -> Systematic {
    let command = root().join("examples/teller").join(folder).join("run").display().to_string();
    let nothing = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let context = load("teller/teller.play");
    let kind = parse_sut(&command, &context.model, &nothing, |_| Err("no model".into())).expect("it is a command");
    let sut = Some(SystematicSut { name: command, kind, black_box: false });
    let setup = Some(setup.to_string());
    done(
        "teller",
        &systematic::Request { sut, setup, threads, violations_once: true, ..request(Driver::Planned, depth) },
    )
}

#[test]
fn every_seeded_fault_of_the_teller_is_found() {
    let faults = expected("teller")["systematic"]["faulty"].clone();
    for (folder, fault) in faults.as_table().expect("a table") {
        let text = |key: &str| fault[key].as_str().expect("a text");
        let depth = fault["depth"].as_integer().expect("a number") as u64;
        let done = against(folder, text("setup"), depth, 1);
        let [finding] = &done.findings[..] else { panic!("{folder}: {:?}", done.findings) };
        assert_eq!(
            (finding.kind.as_str(), finding.events.len() as u64),
            (text("kind"), depth),
            "{folder}: {finding:?}"
        );
        assert!(finding.message.contains(text("says")), "{folder}: {}", finding.message);
        if depth > 4 {
            assert_eq!(against(folder, text("setup"), depth - 1, 1).findings.len(), 0, "{folder} fails earlier");
        }
    }
}

#[test]
fn the_good_teller_passes_with_one_thread_and_with_two() {
    let (one, two) = (against("good", "paper", 9, 1), against("good", "paper", 9, 2));
    assert!(one.findings.is_empty(), "{:?}", one.findings);
    assert_eq!((one.work.paths, one.work.events), (two.work.paths, two.work.events));
    assert!(against("good", "corrections", 7, 1).findings.is_empty());
}

#[test]
fn a_specification_can_be_searched_as_an_implementation() {
    let model = load("teller/teller.play").model;
    let sut = Some(SystematicSut { name: "model".into(), kind: SutKind::Model(model), black_box: false });
    let named = systematic::Request { sut, setup: Some("paper".into()), ..request(Driver::Planned, 8) };
    let compared = done("teller", &named);
    assert_eq!((compared.work.paths, compared.findings.len()), (26, 0));
    // One input per visit of a node is corrected, too.
    let compared = done("teller", &systematic::Request { overwrite: Some(1), ..named });
    assert_eq!((compared.work.paths, compared.findings.len()), (122, 0));
}

#[test]
fn what_is_not_a_service_is_refused() {
    let done = done("elevator", &request(Driver::Planned, 3));
    assert_eq!((done.stop, done.findings.len()), (SystematicStop::Impossible, 1), "{:?}", done.findings);
    let unknown = systematic::Request { properties: vec!["no_such".into()], ..request(Driver::Planned, 3) };
    assert!(matches!(answer("teller", &unknown), Err(Refusal::Request { problem, .. }) if problem.contains("no_such")));
}

fn searched(text: &str, driver: Driver, go_on: bool, match_states: bool) -> Systematic {
    let files = |_: &Path| Ok(text.as_bytes().to_vec());
    let context = open(Path::new("written.play"), &files).expect("it has no errors");
    let request = systematic::Request { all_properties: true, go_on, match_states, ..request(driver, 4) };
    systematic::run(&context, &request, &files).unwrap_or_else(|_| panic!("it can be searched"))
}

/// A service rests after each of its reactions, and a run that is over then is a complete one: what has a bound had to come.
#[test]
fn what_is_owed_at_rest_is_violated() {
    let text = "system Shop reactive
        var n: 0..2 = 0
        input order requires n < 2 { n += 1 }
        input pay requires n > 0 { n = 0 }
        property paid: always (order implies within 2 pay)
        property kept: always (pay implies once order)
        property few: never (n == 2)";
    for driver in [Driver::Simple, Driver::Planned] {
        let first = searched(text, driver, false, false);
        assert_eq!(first.findings.len(), 1);
        assert_eq!(
            (first.findings[0].property.as_deref(), &first.findings[0].events[..]),
            (Some("paid"), &["order".into()][..])
        );
        assert!(first.findings[0].message.contains("quiescent"), "{}", first.findings[0].message);
        // It ends no run: what lies behind it is found, too.
        for match_states in [false, true] {
            let all = searched(text, driver, true, match_states);
            let broken: Vec<&str> = all.findings.iter().filter_map(|found| found.property.as_deref()).collect();
            assert_eq!(broken, ["paid", "few"], "{driver} {match_states}");
        }
    }
}

/// A setup that leaves nothing to be given makes no deadlock.
#[test]
fn a_service_that_only_the_setup_stops_is_not_dead() {
    let cut =
        "system S reactive var n: 0..3 = 0 input up requires n < 3 { n += 1 } input down requires n > 0 { n -= 1 }
        setup s { limit up: n < 2 without down }";
    assert!(searched(cut, Driver::Planned, false, false).findings.is_empty());
    let dead = "system S reactive var n: 0..3 = 0 input up requires n < 2 { n += 1 }";
    let empty = "system S start Wait collect Wait () { }";
    for dead in [dead, empty] {
        for driver in [Driver::Simple, Driver::Planned] {
            assert_eq!(searched(dead, driver, false, false).findings[0].kind, "deadlock", "{driver}: {dead}");
        }
    }
}

/// With state matching, a search that leaves no state at its depth speaks of all runs.
#[test]
fn a_search_that_closes_is_exhaustive() {
    let text = "system Ring reactive var n: 0..2 = 0 input turn { n = if n == 2 then 0 else n + 1 } property small: never (n > 2)";
    let assurance = |text: &str, match_states| searched(text, Driver::Planned, false, match_states).assurance;
    assert_eq!(assurance(text, true), Assurance::Exhaustive);
    assert_eq!(assurance(text, false), Assurance::Bounded(4));
    let longer = text.replace("0..2", "0..9").replace("n == 2", "n == 9").replace("n > 2", "n > 9");
    assert_eq!(assurance(&longer, true), Assurance::Bounded(4));
}
