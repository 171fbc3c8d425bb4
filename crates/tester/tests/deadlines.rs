//! Properties with a time: an output counts when it happened, an input when it was sent, and time passes without steps, too.

use crate::common::{instance, model, tester};
use interplay_adapter::{Answer, Hello, Implementation, Output, Trouble, TroubleKind};
use interplay_model::{ActionId, Model};
use interplay_semantics::Event;
use interplay_tester::{Act, Choices, End, FailureKind, Follow, Line};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

static GO_ON: AtomicBool = AtomicBool::new(false);

const PING: &str = "
system Ping
input ping, work
output pong
property soon: always (ping implies within 100ms pong)
";

/// Answers a ping after some time, if at all, but says so only when it has time: not while it works.
struct Pinger {
    hello: Hello,
    ping: ActionId,
    pong: ActionId,
    takes: Option<Duration>,
    work: Duration,
    tells_time: bool,
    /// When the answer happens.
    due: Option<Instant>,
}

impl Pinger {
    fn new(model: &Model, takes: Option<u64>, work: u64, tells_time: bool) -> Pinger {
        let action = |name| model.action_named(name).expect("it is there");
        Pinger {
            hello: Hello::default(),
            ping: action("ping"),
            pong: action("pong"),
            takes: takes.map(Duration::from_millis),
            work: Duration::from_millis(work),
            tells_time,
            due: None,
        }
    }
}

impl Implementation for Pinger {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, _: Duration) -> Result<(), Trouble> {
        self.due = None;
        Ok(())
    }

    fn input(&mut self, event: &Event, _: Duration) -> Result<Answer, Trouble> {
        if event.action == self.ping {
            self.due = self.takes.map(|takes| Instant::now() + takes);
        } else {
            std::thread::sleep(self.work);
        }
        Ok(Answer::Accepted(None))
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        let until = Instant::now() + limit;
        match self.due.filter(|due| *due <= until) {
            Some(due) => {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                self.due = None;
                let time = self.tells_time.then_some(due);
                Ok(Some(Output { event: Event::new(self.pong, Vec::new()), time, before_answer: false }))
            }
            None => {
                std::thread::sleep(limit);
                Ok(None)
            }
        }
    }

    fn step(&mut self, _: &[Event], _: Duration) -> Result<Vec<Event>, Trouble> {
        Err(Trouble::new(TroubleKind::Error, "it is not synchronous"))
    }

    fn enabled(&mut self, _: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        Ok(None)
    }
}

/// What a run with these inputs comes to, and how it ends.
fn run(inputs: &[&str], takes: Option<u64>, work: u64, tells_time: bool) -> Option<Vec<Line>> {
    let model = model(&[PING]);
    let mut tester = tester(&instance(&model, None), None, Pinger::new(&model, takes, work, tells_time));
    let give = |name: &&str| {
        let action = model.action_named(name).expect("it is there");
        Act::Give(interplay_semantics::Label::input(Event::new(action, Vec::new())))
    };
    let ran = tester.run(&mut Follow::new(inputs.iter().map(give).collect()), &mut Choices::new(1), &GO_ON);
    match ran.end {
        End::Failed(failure) => {
            assert_eq!(failure.kind, FailureKind::Property("soon".into()));
            Some(failure.lines)
        }
        End::Finished => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_output_is_judged_by_its_own_time_and_an_input_by_when_it_was_sent() {
    assert_eq!(run(&["ping", "work"], Some(20), 200, true), None, "it happened in time and was only told later");
    assert!(run(&["ping", "work"], Some(20), 200, false).is_some(), "nobody knows better");
    assert!(run(&["ping", "work", "work"], Some(150), 60, true).is_some(), "it happened too late");
}

#[test]
fn time_passes_after_the_last_step() {
    assert_eq!(run(&["ping"], Some(60), 0, true), None, "it is waited for");
    let lines = run(&["ping"], None, 0, true).expect("it never came");
    assert!(matches!(&lines[..], [Line::Given(_), Line::Waited]), "{lines:?}");
    assert!(run(&["ping"], Some(400), 0, true).is_some());
}
