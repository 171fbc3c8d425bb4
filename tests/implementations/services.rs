//! Services that are bad partners of a systematic search: each run that fails is reported with its choices and what was exchanged, and
//! the search goes on with a new process, or stops, as asked.

use crate::common::{instance, root};
use interplay_adapter::{Address, Answer, Hello, Implementation, Limits, Output, Settings, Trouble, connect};
use interplay_semantics::Event;
use interplay_services::{
    Compared, Config, Driver, Driving, External, Finding, Findings, ModelService, Outcome, Stop, replay, search,
};
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// How the runs are made, which must not matter.
#[derive(Clone, Copy, Default)]
struct Way {
    patient: bool,
    threads: usize,
    paths: Option<u64>,
}

/// At most sixty runs of five events with a Teller that behaves so; or the run of these choices.
fn searched(mode: &str, findings: Findings, tosses: Option<&[u32]>) -> Outcome {
    search_with(mode, findings, tosses, Way { paths: Some(60), ..Way::default() })
}

fn search_with(mode: &str, findings: Findings, tosses: Option<&[u32]>, way: Way) -> Outcome {
    let instance = instance("teller/teller.play", "paper");
    let program = root().join("tests/implementations/bad_teller.py").to_string_lossy().into_owned();
    let address = Address::Command(vec!["python3".into(), "-B".into(), program, mode.into()]);
    let settings = Settings { enabled: true, ..Settings::default() };
    let start = || {
        let connection = connect(&address, instance.shared_model().clone(), &settings, &Limits::default())?;
        let implementation = Box::new(connection) as Box<dyn Implementation>;
        Ok(if way.patient { Box::new(Patient(implementation)) } else { implementation })
    };
    let (limit, round_trips) = (if mode == "never-ready" { 1 } else { 20 }, AtomicU64::new(0));
    let make = || {
        let external = External::new(&start, instance.model(), Duration::from_secs(limit), &round_trips)?;
        Ok(Compared::new(ModelService::new(&instance, &())?, external))
    };
    let driving = Driving { driver: Driver::Simple, ..Driving::default() };
    let (paths, threads) = (way.paths, way.threads.max(1));
    let config = Config { driving, depth: 5, findings, paths, threads, ..Config::default() };
    match tosses {
        None => search(&make, &config),
        Some(tosses) => replay(&mut make().expect("it starts"), tosses, &config),
    }
}

#[test]
fn each_bad_partner_is_reported_with_its_choices() {
    let cases = [
        ("unknown-event", "trouble", "bribe", "pin(John)"),
        ("changes-by-itself", "changed", "to nothing, before it was given `tgt(checking)`", "tgt(checking)"),
        ("nonsense-enabled", "trouble", "", "startDeposit"),
        ("dies", "crash", "3", "amt(0)"),
        ("throws", "crash", "no such account", "amt(0)"),
        ("speaks-nonsense", "trouble", "Thank you", "amt(0)"),
        ("answers-twice", "trouble", "id 1", "amt(0)"),
    ];
    for (mode, kind, says, last) in cases {
        let outcome = searched(mode, Findings::StopAtFirst, None);
        // A mistake of the adapter ends the search without a verdict.
        let stop = if kind == "trouble" { Stop::Impossible } else { Stop::FirstFinding };
        assert_eq!(outcome.stop, stop, "{mode}: {:?}", outcome.findings);
        let found = &outcome.findings[0];
        let message = found.problem.to_string();
        assert_eq!(found.problem.name(), kind, "{mode}: {message}");
        assert!(message.contains(says), "{mode}: {message}");
        assert_eq!(found.events.last().map(String::as_str), Some(last), "{mode}: {message}");
        assert!(found.problem.name() == "changed" || !found.evidence.is_empty(), "{mode}: nothing was kept");
        let again = searched(mode, Findings::StopAtFirst, Some(&found.tosses));
        assert_eq!(again.findings[0].problem.name(), kind, "{mode}: the same choices find it again");
    }
}

/// One that gets nothing ahead.
struct Patient(Box<dyn Implementation>);

impl Implementation for Patient {
    fn hello(&self) -> &Hello {
        self.0.hello()
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        self.0.reset(limit)
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        self.0.input(event, limit)
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        self.0.observe(limit)
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        self.0.step(inputs, limit)
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        self.0.enabled(limit)
    }

    fn offered(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        self.0.offered()
    }

    fn offered_before(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        self.0.offered_before()
    }

    fn exchange(&self) -> Vec<String> {
        self.0.exchange()
    }
}

/// What is known of the next run is sent to the service in one piece, and several copies of it work at once; nobody can tell.
#[test]
fn the_answer_does_not_depend_on_what_is_sent_ahead_or_on_the_number_of_copies() {
    for mode in ["good", "dies-late", "changes-by-itself"] {
        let told = |way: Way| {
            let Outcome { statistics, findings, stop, .. } = search_with(mode, Findings::Continue, None, way);
            let found = |each: Finding| (each.problem, each.tosses, each.events, each.runs);
            (statistics, findings.into_iter().map(found).collect::<Vec<_>>(), stop)
        };
        let one = told(Way { patient: true, ..Way::default() });
        assert_eq!(one.1.is_empty(), mode == "good", "{mode}: {:?}", one.1);
        assert_eq!(told(Way::default()), one, "{mode}: ahead");
        assert_eq!(told(Way { threads: 3, ..Way::default() }), one, "{mode}: three copies");
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
