//! Implementations that misbehave as partners of the conversation: each run is reported with its toss log, and the search goes on
//! or stops as asked.

use crate::common::specification;
use interplay_adapter::{Answer, Hello, Implementation, ModelImplementation, Output, Trouble, TroubleKind};
use interplay_model::ActionId;
use interplay_semantics::{Event, Instance};
use interplay_services::{
    BlackBox, Compared, Config, Driver, Driving, External, Findings, ModelService, Outcome, Problem, Stop, search,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

const TELLER: &str = include_str!("../../../examples/teller/teller.play");

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// In the middle of a deposit.
    Dies,
    NeverReady,
    NotStarted,
    /// Reports an input that nobody knows.
    UnknownEvent,
    /// Forgets an input some time after it reported it.
    ChangesOnItsOwn,
    /// Refuses the second amount.
    Refuses,
    /// Does not say what it would take.
    SaysNothing,
    /// Takes its time.
    Slow,
}

/// The specification played, with one fault.
struct Faulty {
    played: ModelImplementation,
    fault: Fault,
    amount: ActionId,
    amounts: usize,
    asked: usize,
    /// Who gave it inputs.
    givers: Givers,
}

type Givers = Arc<Mutex<HashSet<ThreadId>>>;

impl Faulty {
    fn trouble<T>(kind: TroubleKind, message: &str) -> Result<T, Trouble> {
        Err(Trouble::new(kind, message))
    }
}

impl Implementation for Faulty {
    fn hello(&self) -> &Hello {
        self.played.hello()
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        (self.amounts, self.asked) = (0, 0);
        match self.fault {
            Fault::NeverReady => Faulty::trouble(TroubleKind::NoAnswer, "no `ready` within the limit"),
            _ => self.played.reset(limit),
        }
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        self.asked = 0;
        self.amounts += usize::from(event.action == self.amount);
        if self.fault == Fault::Slow {
            std::thread::sleep(Duration::from_millis(1));
            self.givers.lock().expect("nobody panicked").insert(std::thread::current().id());
        }
        match self.fault {
            Fault::Dies if self.amounts == 1 => Faulty::trouble(TroubleKind::Died, "it ended with status 1"),
            Fault::Refuses if self.amounts == 2 => Ok(Answer::Refused("no more money".into())),
            _ => self.played.input(event, limit),
        }
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        self.played.observe(limit)
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        self.played.step(inputs, limit)
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        self.asked += 1;
        let mut enabled = self.played.enabled(limit)?;
        match self.fault {
            Fault::UnknownEvent => {
                return Faulty::trouble(
                    TroubleKind::Unknown,
                    "`enabled` names `bribe`, which the specification does not have",
                );
            }
            Fault::SaysNothing => return Ok(None),
            Fault::ChangesOnItsOwn if self.asked > 1 => enabled.iter_mut().for_each(|events| events.clear()),
            _ => {}
        }
        Ok(enabled)
    }

    fn exchange(&self) -> Vec<String> {
        vec!["adapter    nonsense".into()]
    }
}

fn searched(fault: Fault, findings: Findings, black_box: bool) -> Outcome {
    search_with(fault, findings, black_box, 1, &Givers::default())
}

fn search_with(fault: Fault, findings: Findings, black_box: bool, threads: usize, givers: &Givers) -> Outcome {
    let instance = specification(TELLER, "paper");
    let round_trips = AtomicU64::new(0);
    let connect = || -> Result<Box<dyn Implementation>, Trouble> {
        if fault == Fault::NotStarted {
            return Faulty::trouble(TroubleKind::NotStarted, "there is no such program");
        }
        let played = ModelImplementation::new(Instance::clone(&instance), 0);
        let amount = instance.model().action_named("amt").expect("the teller has it");
        Ok(Box::new(Faulty { played, fault, amount, amounts: 0, asked: 0, givers: givers.clone() }))
    };
    let external = || External::new(&connect, instance.model(), Duration::from_secs(1), &round_trips);
    let driver = if black_box { Driver::Simple } else { Driver::Planned };
    let config = Config {
        driving: Driving { driver, ..Driving::default() },
        depth: if black_box { 6 } else { 9 },
        findings,
        threads,
        ..Config::default()
    };
    let outcome = match black_box {
        true => search(&|| BlackBox::new(&instance, &(), external()?), &config),
        false => search(&|| Ok(Compared::new(ModelService::new(&instance, &())?, external()?)), &config),
    };
    assert!(fault == Fault::NotStarted || round_trips.load(Ordering::Relaxed) > 0);
    outcome
}

#[test]
fn a_good_implementation_passes_and_a_black_box_has_as_many_runs_as_the_simple_driver() {
    let outcome = searched(Fault::None, Findings::Continue, false);
    assert_eq!((outcome.statistics.paths, outcome.findings.len()), (26, 0));
    let outcome = searched(Fault::None, Findings::Continue, true);
    assert_eq!((outcome.statistics.paths, outcome.findings.len()), (272, 0));
}

#[test]
fn several_copies_work_at_once_and_find_the_same() {
    let (alone, together) = (Givers::default(), Givers::default());
    let one = search_with(Fault::Slow, Findings::Continue, true, 1, &alone);
    let four = search_with(Fault::Slow, Findings::Continue, true, 4, &together);
    assert_eq!((one.statistics, one.findings, one.stop), (four.statistics, four.findings, four.stop));
    let busy = |givers: &Givers| givers.lock().expect("nobody panicked").len();
    assert_eq!((busy(&alone), busy(&together)), (1, 4));
}

#[test]
fn one_that_dies_is_started_again() {
    let outcome = searched(Fault::Dies, Findings::Continue, false);
    let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
    assert_eq!(finding.problem, Problem::Crash { message: "it ended with status 1".into(), cause: String::new() });
    assert_eq!((finding.events.last().unwrap().as_str(), finding.evidence.len()), ("amt(100)", 1));
    assert!(finding.runs > 1, "the search went on");
    assert_eq!(searched(Fault::Dies, Findings::StopAtFirst, false).stop, Stop::FirstFinding);
}

#[test]
fn one_that_is_never_ready_or_speaks_nonsense_is_reported() {
    for (fault, kind) in [(Fault::NeverReady, "trouble"), (Fault::UnknownEvent, "trouble"), (Fault::Refuses, "refused")]
    {
        let outcome = searched(fault, Findings::StopAtFirst, false);
        assert_eq!(outcome.findings[0].problem.name(), kind, "{fault:?}: {:?}", outcome.findings);
    }
}

#[test]
fn one_that_changes_on_its_own_is_found() {
    let compared = searched(Fault::ChangesOnItsOwn, Findings::StopAtFirst, false);
    assert_eq!(compared.findings[0].problem.name(), "changed");
    let alone = searched(Fault::ChangesOnItsOwn, Findings::StopAtFirst, true);
    assert_eq!(alone.findings[0].problem.name(), "changed");
}

#[test]
fn nothing_is_searched_if_it_cannot_be_started_or_does_not_say_what_it_takes() {
    for fault in [Fault::NotStarted, Fault::SaysNothing] {
        let outcome = searched(fault, Findings::Continue, false);
        assert_eq!((outcome.stop, outcome.findings.len()), (Stop::Impossible, 1), "{fault:?}");
    }
}
