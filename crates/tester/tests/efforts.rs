//! Who chose and what came of it adds up to the campaign.

use crate::common::played::Played;
use crate::common::{SAFE, instance, model};
use interplay_adapter::{Answer, Hello, Implementation, ModelImplementation, Output, Trouble};
use interplay_model::RuleId;
use interplay_semantics::{Event, Instance, Label, Value};
use interplay_tester::{Campaign, Chooser, Chosen, Effort, Known, Outcome, Scout, Way, campaign};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Knows that 41 and 7 open, which nobody finds by chance.
struct Knows<'k>(&'k Instance);

impl Knows<'_> {
    fn give(&self, name: &str, values: &[i64]) -> Event {
        let action = self.0.model().action_named(name).expect("an action");
        Event::new(action, values.iter().map(|value| Value::Int(*value)).collect())
    }
}

impl Scout for Knows<'_> {
    fn way(&self, rule: RuleId) -> Way {
        let inputs = [self.give("turn", &[41]), self.give("turn", &[7]), self.give("handle", &[])];
        let steps = inputs.map(|event| Label::step([event], []));
        if rule.0 == 2 { Way::Steps(steps.into()) } else { Way::Unknown }
    }
}

fn conducted(right: &Instance, played: &Instance, known: Vec<Known>, threads: usize) -> Outcome {
    let connect = |_: usize| Ok(Box::new(Played::new(played, 1)) as Box<dyn Implementation>);
    let knows = Knows(right);
    campaign(&Campaign { known, threads, scout: Some(&knows), ..plain(right) }, &connect)
}

fn plain(instance: &Instance) -> Campaign<'_> {
    static GO_ON: AtomicBool = AtomicBool::new(false);
    Campaign {
        instance,
        properties: None,
        assume: &[],
        seed: 1,
        runs: Some(40),
        steps: Some(12),
        strategy: Chosen::Coverage,
        known: Vec::new(),
        items: false,
        go_on: true,
        threads: 1,
        answer: None,
        starts_anew: false,
        plug: None,
        scout: None,
        budget: Default::default(),
        late: &|| false,
        interrupted: &GO_ON,
        progress: &|_| {},
        found: &|_| {},
        shrunk: &|_| {},
    }
}

/// Everything that was counted twice is the same.
fn adds_up(outcome: &Outcome, rules: usize) {
    let of = |chooser: Chooser| outcome.efforts.get(&chooser).copied().unwrap_or_default();
    let sum = |part: fn(&Effort) -> u64| outcome.efforts.values().map(part).sum::<u64>();
    assert_eq!(of(Chooser::Strategy).runs + of(Chooser::Scout).runs, outcome.runs);
    assert_eq!(sum(|effort| effort.steps), outcome.steps);
    assert_eq!(sum(|effort| effort.failures), outcome.failures.len() as u64);
    assert_eq!(of(Chooser::Shrinking).runs, outcome.failures.iter().map(|found| found.shrinking).sum::<u64>());
    assert_eq!(sum(|effort| effort.rules as u64), rules as u64);
}

#[test]
fn what_the_scout_brought_is_told_apart() {
    let safe = instance(&model(&[SAFE]), None);
    let outcome = conducted(&safe, &safe, Vec::new(), 1);
    adds_up(&outcome, 6);
    let of = |chooser: &Chooser| outcome.efforts.get(chooser).map(|effort| (effort.runs > 0, effort.rules));
    assert_eq!(of(&Chooser::Scout), Some((true, 2)), "the way, and what follows it: {:?}", outcome.efforts);
    assert_eq!((of(&Chooser::Strategy), of(&Chooser::Stored)), (Some((true, 4)), None));
    // With two threads it is open who meets a rule first, but nothing is counted twice or lost.
    let shared = conducted(&safe, &safe, Vec::new(), 2);
    adds_up(&shared, shared.covered.fired.len());
}

#[test]
fn what_was_kept_is_met_first() {
    let safe = instance(&model(&[SAFE]), None);
    let loud = instance(&model(&[&SAFE.replace("on rattle -> Zero", "on rattle -> Zero on open -> Zero")]), None);
    let first = conducted(&safe, &loud, Vec::new(), 1);
    let fired = |outcome: &Outcome| outcome.efforts.values().map(|effort| effort.rules).sum::<usize>();
    assert!(first.efforts.contains_key(&Chooser::Shrinking) && !first.failures.is_empty());
    adds_up(&first, fired(&first));
    let known = first.failures.iter().map(|found| Known {
        signature: found.failure.signature.clone(),
        plan: found.plan.clone(),
        failed: found.failed,
        tried: found.tried,
        earlier: Vec::new(),
    });
    let again = conducted(&safe, &loud, known.collect(), 1);
    adds_up(&again, fired(&again));
    assert_eq!(again.efforts[&Chooser::Stored].failures, first.failures.len() as u64, "{:?}", again.efforts);
}

/// Takes its time for each input, and says which worker it works for when it begins again after the failure was found.
struct Slow {
    played: ModelImplementation,
    worker: usize,
    found: Arc<AtomicBool>,
    began: Arc<Mutex<BTreeSet<usize>>>,
}

impl Implementation for Slow {
    fn hello(&self) -> &Hello {
        self.played.hello()
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        if self.found.load(Ordering::Relaxed) {
            self.began.lock().expect("nobody panicked").insert(self.worker);
        }
        self.played.reset(limit)
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        std::thread::sleep(Duration::from_micros(100));
        self.played.input(event, limit)
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        self.played.observe(limit)
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        self.played.step(inputs, limit)
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        self.played.enabled(limit)
    }
}

/// The fault shows itself after twenty `up`; everything else can be left out, and it takes many tries to see that no `up` can.
const COUNTER: &str = "system Counter\nvar n: 0..99 = 0\ninput up(k: 0..3) requires n < 99 { n += 1 }\ninput idle(k: 0..5) { }\n\
                       input read -> Int { return n }\n";

#[test]
fn others_help_to_shrink_and_find_the_same() {
    let right = instance(&model(&[COUNTER]), None);
    let wrong = instance(&model(&[&COUNTER.replace("return n", "return if n >= 20 then 0 else n")]), None);
    for threads in [1, 4] {
        let (seen, began) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(BTreeSet::new())));
        let connect = |worker: usize| {
            let played = ModelImplementation::new(wrong.clone(), 1);
            let slow = Slow { played, worker, found: seen.clone(), began: began.clone() };
            Ok(Box::new(slow) as Box<dyn Implementation>)
        };
        let config = Campaign {
            steps: Some(100),
            strategy: Chosen::Uniform,
            go_on: false,
            threads,
            scout: None,
            found: &|_| seen.store(true, Ordering::Relaxed),
            ..plain(&right)
        };
        let outcome = campaign(&config, &connect);
        let found = &outcome.failures[0];
        assert_eq!((found.failure.id(), found.plan.len()), ("wrong result of read".into(), 21), "{threads} threads");
        assert_eq!(began.lock().expect("nobody panicked").len() > 1, threads > 1, "others help");
    }
}
