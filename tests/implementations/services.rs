//! Services that are bad partners of a systematic search: each run that fails is reported with its choices and what was exchanged, and
//! the search goes on with a new process, or stops, as asked.

use crate::common::{instance, root};
use interplay_adapter::{Address, Implementation, Limits, Settings, connect};
use interplay_services::{
    Compared, Config, Driver, Driving, External, Findings, ModelService, Outcome, Stop, replay, search,
};
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// All runs of five events with a Teller that behaves so; or the run of these choices.
fn searched(mode: &str, findings: Findings, tosses: Option<&[u32]>) -> Outcome {
    let instance = instance("teller/teller.play", "paper");
    let program = root().join("tests/implementations/bad_teller.py").to_string_lossy().into_owned();
    let address = Address::Command(vec!["python3".into(), "-B".into(), program, mode.into()]);
    let settings = Settings { enabled: true, ..Settings::default() };
    let start = || {
        let connection = connect(&address, instance.shared_model().clone(), &settings, &Limits::default())?;
        Ok(Box::new(connection) as Box<dyn Implementation>)
    };
    let (limit, round_trips) = (if mode == "never-ready" { 1 } else { 20 }, AtomicU64::new(0));
    let make = || {
        let external = External::new(&start, Duration::from_secs(limit), &round_trips)?;
        Ok(Compared::new(ModelService::new(&instance, &())?, external))
    };
    let driving = Driving { driver: Driver::Simple, ..Driving::default() };
    let config = Config { driving, depth: 5, findings, paths: Some(60), ..Config::default() };
    match tosses {
        None => search(&make, &config),
        Some(tosses) => replay(&mut make().expect("it starts"), tosses, &config),
    }
}

#[test]
fn each_bad_partner_is_reported_with_its_choices() {
    let cases = [
        ("unknown-event", "trouble", "bribe", "pin(John)"),
        ("changes-by-itself", "enabled", "must take amt", "tgt(checking)"),
        ("nonsense-enabled", "trouble", "", "startDeposit"),
        ("dies", "crash", "3", "amt(0)"),
        ("throws", "crash", "no such account", "amt(0)"),
        ("speaks-nonsense", "trouble", "Thank you", "amt(0)"),
        ("answers-twice", "trouble", "id 1", "amt(0)"),
    ];
    for (mode, kind, says, last) in cases {
        let outcome = searched(mode, Findings::StopAtFirst, None);
        assert_eq!(outcome.stop, Stop::FirstFinding, "{mode}: {:?}", outcome.findings);
        let found = &outcome.findings[0];
        let message = found.problem.to_string();
        assert_eq!(found.problem.name(), kind, "{mode}: {message}");
        assert!(message.contains(says), "{mode}: {message}");
        assert_eq!(found.events.last().map(String::as_str), Some(last), "{mode}: {message}");
        assert!(found.problem.name() == "enabled" || !found.evidence.is_empty(), "{mode}: nothing was kept");
        let again = searched(mode, Findings::StopAtFirst, Some(&found.tosses));
        assert_eq!(again.findings[0].problem.name(), kind, "{mode}: the same choices find it again");
    }
}

#[test]
fn the_search_goes_on_after_one_that_dies() {
    let outcome = searched("dies", Findings::Continue, None);
    assert!(outcome.findings[0].runs > 1 && outcome.statistics.paths > 20, "{:?}", outcome.statistics);
}

#[test]
fn one_that_is_never_ready_does_not_hang() {
    let outcome = searched("never-ready", Findings::StopAtFirst, None);
    let message = outcome.findings[0].problem.to_string();
    assert!(outcome.findings[0].events.is_empty() && message.contains("reset"), "{message}");
}
