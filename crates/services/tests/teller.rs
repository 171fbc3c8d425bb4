//! The Teller's table: paths per depth for the three drivers.

use crate::common::{specification, teller};
use interplay_services::{
    Config, Driver, Driving, Findings, ModelService, Problem, Statistics, estimate, observables, replay, search,
    search_one, search_states,
};
use interplay_temporal::Monitors;

const SIMPLE: [u64; 12] = [1, 4, 8, 20, 80, 272, 584, 824, 1592, 2936, 4664, 10712];
const PUBLISHED: [u64; 12] = [1, 4, 4, 10, 64, 64, 76, 184, 184, 220, 556, 664];
const PLANNED: [u64; 12] = [1, 2, 2, 8, 10, 10, 22, 26, 26, 62, 94, 98];
const STATES: [u64; 12] = [2, 6, 9, 13, 31, 64, 90, 126, 189, 235, 289, 382];
const TRANSITIONS: [u64; 12] = [1, 5, 13, 17, 35, 101, 163, 199, 331, 451, 505, 703];
const TELLER: &str = include_str!("../../../examples/teller/teller.play");

fn rust_teller(driver: Driver, depth: usize, threads: usize) -> Statistics {
    let graph = teller();
    let driving = Driving { driver, ..Driving::default() };
    let outcome = search(&|| Ok(graph.session()), &Config { driving, depth, threads, ..Config::default() });
    assert_eq!(outcome.findings, []);
    outcome.statistics
}

#[test]
fn a_teller_in_rust_has_the_paths_of_the_paper() {
    for (driver, table) in [(Driver::Simple, SIMPLE), (Driver::Published, PUBLISHED), (Driver::Planned, PLANNED)] {
        let paths: Vec<u64> = (1..=12).map(|depth| rust_teller(driver, depth, 1).paths).collect();
        assert_eq!(paths, table, "{driver}");
    }
}

#[test]
fn several_threads_make_the_same_runs() {
    for driver in [Driver::Simple, Driver::Published, Driver::Planned] {
        assert_eq!(rust_teller(driver, 11, 1), rust_teller(driver, 11, 4), "{driver}");
    }
}

#[test]
fn the_specification_has_the_same_paths() {
    let instance = specification(TELLER, "paper");
    let mut service = ModelService::new(&instance, &()).unwrap();
    for (driver, table) in [(Driver::Simple, SIMPLE), (Driver::Published, PUBLISHED), (Driver::Planned, PLANNED)] {
        for (depth, paths) in (1..).zip(table) {
            let driving = Driving { driver, ..Driving::default() };
            let outcome = search_one(&mut service, &Config { driving, depth, ..Config::default() });
            assert_eq!((outcome.statistics.paths, outcome.findings.len()), (paths, 0), "{driver} at depth {depth}");
        }
    }
}

#[test]
fn the_number_of_runs_is_known_beforehand() {
    let instance = specification(TELLER, "paper");
    let mut service = ModelService::new(&instance, &()).unwrap();
    let mut expected = |driver: Driver, depth: usize| {
        let driving = Driving { driver, ..Driving::default() };
        estimate(&mut service, &Config { driving, depth, ..Config::default() }, 64, 1).unwrap()
    };
    for (driver, table) in [(Driver::Simple, SIMPLE), (Driver::Published, PUBLISHED), (Driver::Planned, PLANNED)] {
        for (depth, paths) in (1..).zip(table) {
            assert_eq!(expected(driver, depth), paths as f64, "{driver} at depth {depth}");
        }
    }
    // Nobody makes so many runs; but that there are so many is known.
    assert!(expected(Driver::Simple, 40) > 1e8);
    assert!(expected(Driver::Simple, 1_000) > expected(Driver::Simple, 100));
    let infinite = expected(Driver::Simple, usize::MAX);
    assert!(infinite > 1e100, "{infinite}");
}

#[test]
fn domains_without_end_are_refused_at_once() {
    let text = "system Big  input a(x: Int), b(y: Int)  start Form  collect Form (a, b) { done -> end }
        setup wide { domain Int = 0..60000 }  setup narrow { domain Int = 0..999 }";
    for (setup, driver, says) in [
        ("wide", Driver::Simple, "more than 50000 different events"),
        ("wide", Driver::Planned, "more than 50000 different events"),
        ("narrow", Driver::Planned, "the node `Form` has more than 100000 ways to be filled"),
    ] {
        let instance = specification(text, setup);
        let driving = Driving { driver, ..Driving::default() };
        let config = Config { driving, depth: 3, ..Config::default() };
        let outcome = search(&|| ModelService::new(&instance, &()), &config);
        let message = outcome.findings[0].problem.to_string();
        assert!(outcome.findings[0].problem.is_fatal() && message.contains(says), "{driver} {setup}: {message}");
    }
}

#[test]
fn matching_states_executes_every_step_once() {
    let (instance, graph) = (specification(TELLER, "paper"), teller());
    let driving = Driving { driver: Driver::Simple, ..Driving::default() };
    for (depth, expected) in (1..).zip(STATES.into_iter().zip(TRANSITIONS)) {
        let config = Config { driving: driving.clone(), depth, ..Config::default() };
        let model = search_states(&mut ModelService::new(&instance, &()).unwrap(), &config).statistics;
        let rust = search_states(&mut graph.session(), &config).statistics;
        assert_eq!((model.states, model.transitions), expected, "at depth {depth}");
        assert_eq!((rust.states, rust.transitions), expected, "at depth {depth}");
    }
}

/// The shallowest depth at which a driver finds the property violated, with the number of runs and what was sent.
fn first_violation(property: &str, driver: Driver) -> Option<(usize, u64, Vec<String>)> {
    let instance = specification(TELLER, "paper");
    let chosen = [property.to_string()];
    let monitors = Monitors::new(&instance, Some(&chosen));
    assert!(monitors.refused.is_empty());
    let driving = Driving { driver, observable: observables(&monitors), ..Driving::default() };
    let mut service = ModelService::new(&instance, &monitors).unwrap();
    (1..=11).find_map(|depth| {
        let config = Config { driving: driving.clone(), depth, findings: Findings::Continue, ..Config::default() };
        let outcome = search_one(&mut service, &config);
        let finding = outcome.findings.first()?;
        assert_eq!(finding.problem, Problem::Violated { property: property.into() });
        let again = replay(&mut service, &finding.tosses, &config);
        assert_eq!(again.findings[0].events, finding.events);
        Some((depth, outcome.statistics.paths, finding.events.clone()))
    })
}

#[test]
fn the_wrong_property_is_found_violated_where_it_should_be() {
    let (depth, paths, events) = first_violation("target_only_in_deposit", Driver::Simple).unwrap();
    assert_eq!((depth, paths), (5, 80));
    assert_eq!(events.join(" "), "startService name(John) pin(John) startTransfer tgt(checking)");
    let (depth, paths, events) = first_violation("target_only_in_deposit", Driver::Planned).unwrap();
    assert_eq!((depth, paths, events.len()), (5, 16, 5));
    let (depth, paths, events) = first_violation("target_only_in_deposit", Driver::Published).unwrap();
    assert_eq!((depth, paths, events.len()), (10, 220, 10));
}

#[test]
fn the_other_properties_hold() {
    let others = [
        "source_needs_withdrawal_or_transfer",
        "target_needs_deposit_or_transfer",
        "deposit_needs_login",
        "never_overdrawn",
    ];
    for property in others {
        for driver in [Driver::Simple, Driver::Published, Driver::Planned] {
            assert_eq!(first_violation(property, driver), None, "{property} with {driver}");
        }
    }
}
