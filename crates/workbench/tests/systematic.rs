//! Systematic tests at the boundary: the tables and faults that the examples promise in `expect.toml`.

mod common;

use common::{load, root};
use interplay_report::{Systematic, SystematicStop};
use interplay_workbench::{
    Driver, Refusal, SutKind, SystematicHost, SystematicRequest, SystematicSut, parse_sut, systematic,
};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn done(example: &str, request: &SystematicRequest) -> Systematic {
    // Of several setups none is used unless somebody names it.
    let several = example == "teller" && request.setup.is_none();
    let setup = if several { Some("paper".into()) } else { request.setup.clone() };
    match answer(example, &SystematicRequest { setup, ..request.clone() }) {
        Ok(done) => done,
        Err(Refusal::Request(problem)) => panic!("{problem}"),
        Err(Refusal::Specification(diagnostic)) => panic!("{diagnostic:?}"),
    }
}

fn answer(example: &str, request: &SystematicRequest) -> Result<Systematic, Refusal> {
    let (started, interrupted) = (Instant::now(), AtomicBool::new(false));
    let now = || started.elapsed();
    let host = SystematicHost { now: &now, interrupted: &interrupted, expected: &|_| {}, progress: &|_| {} };
    systematic(&load(&format!("{example}/{example}.play")), request, &host)
}

fn expected(example: &str) -> toml::Table {
    let text = std::fs::read_to_string(root().join(format!("examples/{example}/expect.toml"))).expect("it is there");
    text.parse().expect("expect.toml is TOML")
}

fn request(driver: Driver, depth: u64) -> SystematicRequest {
    SystematicRequest { driver, depth: Some(depth), answer_within: Duration::from_secs(10), ..Default::default() }
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
        done("teller", &SystematicRequest { properties, ..request(driver, depth) }).findings.len()
    };
    assert_eq!((wrong(Driver::Planned, 4), wrong(Driver::Planned, 5)), (0, 1));
    assert_eq!((wrong(Driver::Simple, 4), wrong(Driver::Simple, 5)), (0, 1));
    assert_eq!((wrong(Driver::Published, 9), wrong(Driver::Published, 10)), (0, 1));
    let properties = vec!["class_before_card".to_string()];
    let done = done("travel", &SystematicRequest { properties, ..request(Driver::Planned, 10) });
    assert_eq!(done.findings[0].property.as_deref(), Some("class_before_card"));
}

fn against(folder: &str, setup: &str, depth: u64, threads: usize) -> Systematic {
    let command = root().join("examples/teller").join(folder).join("run").display().to_string();
    let kind = parse_sut(&command, |_| Err("not a model".into())).expect("it is a command");
    let sut = Some(SystematicSut { name: command, kind, black_box: false });
    let setup = Some(setup.to_string());
    done("teller", &SystematicRequest { sut, setup, threads, violations_once: true, ..request(Driver::Planned, depth) })
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
    let named = SystematicRequest { sut, setup: Some("paper".into()), ..request(Driver::Planned, 8) };
    let compared = done("teller", &named);
    assert_eq!((compared.work.paths, compared.findings.len()), (26, 0));
    // One input per visit of a node is corrected, too.
    let compared = done("teller", &SystematicRequest { overwrite: Some(1), ..named });
    assert_eq!((compared.work.paths, compared.findings.len()), (122, 0));
}

#[test]
fn what_is_not_a_service_is_refused() {
    let done = done("elevator", &request(Driver::Planned, 3));
    assert_eq!((done.stop, done.findings.len()), (SystematicStop::Impossible, 1), "{:?}", done.findings);
    let unknown = SystematicRequest { properties: vec!["no_such".into()], ..request(Driver::Planned, 3) };
    assert!(matches!(answer("teller", &unknown), Err(Refusal::Request(problem)) if problem.contains("no_such")));
}
