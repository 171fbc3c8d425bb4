//! Live conversations with those that run by themselves: a chat server, a sender with a clock, threads that share something.
//! Nothing here can be repeated exactly, so a fault is looked for until it shows.

use crate::common::{event, instance, start};
use interplay_adapter::{Answer, Connection, Implementation, Output};
use interplay_semantics::{Event, Instance, Label, State, show_event};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

/// A correct implementation answers sooner, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(5);
/// For what should not come any more.
const AFTERMATH: Duration = Duration::from_millis(30);

/// A conversation, and where the model may be.
struct Trial {
    model: Instance,
    states: BTreeSet<State>,
    program: Connection,
    trace: Vec<String>,
}

/// What went wrong, with the conversation up to there.
type Verdict<T> = Result<T, String>;

impl Trial {
    fn new(folder: &str, specification: &str, setup: &str) -> Trial {
        let model = instance(specification, setup);
        let program = start(folder, &model);
        Trial { model, states: BTreeSet::new(), program, trace: Vec::new() }
    }

    fn reset(&mut self) {
        self.program.reset(PATIENCE).expect("it can be reset");
        self.states = self.model.initial().expect("it begins").into_iter().collect();
        self.states = self.model.closure(&self.states).expect("the model is right");
        self.trace.clear();
    }

    fn give(&mut self, input: Event) -> Verdict<()> {
        let answer = self.program.input(&input, PATIENCE).expect("it answers");
        let mut outputs = Vec::new();
        while let Some(output) = self.program.observe(Duration::ZERO).expect("it goes on") {
            outputs.push(output);
        }
        let (before, after): (Vec<Output>, Vec<Output>) = outputs.into_iter().partition(|output| output.before_answer);
        self.hear(before)?;
        match answer {
            Answer::Accepted(result) => self.see(Event { result, ..input }, Label::input)?,
            Answer::Refused(reason) => return Err(format!("{}: refused, {reason}", self.trace.join(" "))),
        }
        self.hear(after)
    }

    /// Something came.
    fn listen(&mut self, limit: Duration) -> Verdict<bool> {
        let output = self.program.observe(limit).expect("it goes on");
        let came = output.is_some();
        self.hear(output)?;
        Ok(came)
    }

    fn hear(&mut self, outputs: impl IntoIterator<Item = Output>) -> Verdict<()> {
        outputs.into_iter().try_for_each(|output| self.see(output.event, Label::output))
    }

    fn see(&mut self, event: Event, label: fn(Event) -> Label) -> Verdict<()> {
        self.trace.push(show_event(self.model.model(), &event));
        self.states = self.model.after(&self.states, &label(event)).expect("the model is right");
        if self.states.is_empty() { Err(self.trace.join(" ")) } else { Ok(()) }
    }

    /// Until nothing is owed, and a little longer.
    fn settle(&mut self) -> Verdict<()> {
        while !self.states.iter().any(|state| self.model.rests(state).expect("the model is right")) {
            if !self.listen(PATIENCE)? {
                return Err(format!("{} silence", self.trace.join(" ")));
            }
        }
        while self.listen(AFTERMATH)? {}
        Ok(())
    }

    /// Sends something and listens, in any order.
    fn wander(&mut self, dice: &mut StdRng, steps: usize) -> Verdict<()> {
        self.reset();
        for _ in 0..steps {
            let offers = self.states.iter().map(|state| self.model.enabled_inputs(state).expect("the model is right"));
            let offers: Vec<Event> =
                offers.reduce(|all, offered| &all & &offered).unwrap_or_default().into_iter().collect();
            if offers.is_empty() || dice.random_bool(0.5) {
                self.listen(Duration::from_millis(dice.random_range(0..40)))?;
            } else {
                self.give(offers[dice.random_range(0..offers.len())].clone())?;
            }
        }
        self.settle()
    }

    /// These inputs one after the other; `listen` waits for one output, `settle` for all.
    fn follow(&mut self, script: &[(&str, Json)]) -> Verdict<()> {
        self.reset();
        for (action, args) in script {
            match *action {
                "settle" => self.settle()?,
                "listen" => _ = self.listen(PATIENCE)?,
                action => {
                    let input = event(self.model.model(), action, args.as_array().expect("a list"));
                    // It came otherwise than the script hopes.
                    let taken = |state| self.model.accepts(state, std::slice::from_ref(&input));
                    if !self.states.iter().all(|state| taken(state).expect("the model is right")) {
                        break;
                    }
                    self.give(input)?;
                }
            }
        }
        self.settle()
    }
}

/// All at the same time: most of the time they only wait.
fn together<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    thread::scope(|scope| all.iter().for_each(|each| _ = scope.spawn(|| work(each))));
}

#[test]
fn correct_ones_are_never_blamed() {
    let all = [
        ("chat/good-rust", "chat/chat.play", "online", 20),
        ("chat/good-python", "chat/chat.play", "online", 20),
        ("chat/good-rust", "chat/chat.play", "three_clients_pending_7", 5),
        ("brp/good", "brp/brp_complete.play", "two_chunks", 10),
        ("brp/good", "brp/brp_complete.play", "three_chunks", 5),
        ("brp/faulty-m12", "brp/brp_complete.play", "two_chunks", 5),
        ("bag/good", "bag/bag.play", "two_threads", 5),
        ("daisy/good", "daisy/daisy.play", "small", 10),
        ("daisy/good-threads", "daisy/daisy_threads.play", "two_users", 5),
        ("daisy/good-threads", "daisy/daisy_threads.play", "two_directories", 5),
    ];
    together(&all, |&(folder, specification, setup, runs)| {
        let mut trial = Trial::new(folder, specification, setup);
        let mut dice = StdRng::seed_from_u64(1);
        for _ in 0..runs {
            trial.wander(&mut dice, 40).unwrap_or_else(|why| panic!("{folder} with {setup}: {why}"));
        }
    });
}

/// Far more than are needed: no fault below shows in less than every tenth run.
const MOST_RUNS: usize = 200;

/// Runs until something goes wrong; the end of that conversation shows the fault.
fn must_fail(folder: &str, end: &str, mut run: impl FnMut() -> Verdict<()>) {
    let failure = (0..MOST_RUNS).find_map(|_| run().err());
    let failure = failure.unwrap_or_else(|| panic!("{folder} does nothing wrong"));
    assert!(failure.ends_with(end), "{folder} does something else wrong: {failure}");
}

#[test]
fn faults_of_the_sender_show_in_live_conversations() {
    let all: Vec<String> = (1..=13).filter(|&m| m != 12).map(|m| format!("brp/faulty-m{m}")).collect();
    together(&all, |folder| {
        let mut trial = Trial::new(folder, "brp/brp_complete.play", "two_chunks");
        let mut dice = StdRng::seed_from_u64(1);
        must_fail(folder, "", || trial.wander(&mut dice, 20));
    });
}

#[test]
fn faults_of_the_chat_servers_show_in_live_conversations() {
    let (first, second) = ("Client#0", "Client#1");
    let script = [
        ("create", json!([])),
        ("create", json!([])),
        ("enter", json!([first])),
        ("enter", json!([second])),
        ("post", json!([first, "hi"])),
        ("post", json!([first, "bye"])),
    ];
    let faults = [
        ("thread-per-delivery", "post(Client#0, \"bye\") deliver(Client#0, Client#1, \"bye\")"),
        ("hears-itself", "deliver(Client#0, Client#0, \"hi\")"),
        ("forgets-late-members", "post(Client#0, \"bye\") silence"),
        ("delivers-twice", "deliver(Client#0, Client#1, \"hi\")"),
        ("counts-others", "enter(Client#1): refused, there is nobody to hear you"),
    ];
    let both = |(name, end)| [(format!("chat/faulty-{name}"), end), (format!("chat/faulty-{name}-python"), end)];
    let all: Vec<(String, &str)> = faults.into_iter().flat_map(both).collect();
    together(&all, |(folder, end)| {
        let mut trial = Trial::new(folder, "chat/chat.play", "online");
        must_fail(folder, end, || trial.follow(&script));
    });
}

#[test]
fn forgotten_locks_of_the_bag_show_in_live_conversations() {
    let call = |thread: i64, op: &str, item: i64| ("Call", json!([thread, op, item]));
    let settle = || ("settle", Json::Null);
    let to_the_right = [call(1, "add", 8), settle(), call(1, "add", 7), settle(), call(1, "delete", 8), settle()];
    let moved = [call(1, "lookup", 7), call(2, "add", 7), ("listen", Json::Null), call(2, "delete", 7)];
    let all = [
        ("bag/faulty-lookup-one-by-one", "Ret(1, lookup, 7, false)", [&to_the_right[..], &moved[..]].concat()),
        (
            "bag/faulty-add-without-check",
            ", false)",
            vec![call(1, "add", 7), call(2, "add", 8), settle(), call(1, "lookup", 7), call(2, "lookup", 8)],
        ),
        (
            "bag/faulty-delete-without-check",
            "delete, 7, true)",
            vec![call(1, "add", 7), settle(), call(1, "delete", 7), call(2, "delete", 7)],
        ),
    ];
    together(&all, |(folder, end, script)| {
        let mut trial = Trial::new(folder, "bag/bag.play", "two_threads");
        must_fail(folder, end, || trial.follow(script));
    });
}

#[test]
fn forgotten_locks_of_daisy_show_in_live_conversations() {
    let call = |thread: i64, request: Json| ("call", json!([thread, request]));
    let settle = || ("settle", Json::Null);
    let make = |name: &str| json!({ "creat": [0, name] });
    let all = [
        ("daisy/faulty-create-without-lock", ")))", vec![call(1, make("a")), call(2, make("a"))]),
        (
            "daisy/faulty-allocate-without-lock",
            "handle(some(2)))",
            vec![
                call(1, json!({ "mkdir": [0, "b"] })),
                settle(),
                call(1, make("a")),
                call(2, json!({ "creat": [1, "a"] })),
            ],
        ),
        (
            "daisy/faulty-lookup-without-lock",
            "ret(1, handle(none))",
            vec![
                call(1, make("a")),
                settle(),
                call(1, make("b")),
                settle(),
                call(1, json!({ "lookup": [0, "b"] })),
                call(2, json!({ "unlink": [0, "a"] })),
            ],
        ),
        (
            "daisy/faulty-seek-without-lock",
            "",
            vec![
                call(1, make("a")),
                settle(),
                call(1, make("b")),
                settle(),
                call(1, json!({ "write": [1, 0, [1]] })),
                call(2, json!({ "write": [2, 1, [2]] })),
                settle(),
                call(1, json!({ "read": [1, 0, 2] })),
                call(2, json!({ "read": [2, 0, 2] })),
            ],
        ),
    ];
    together(&all, |(folder, end, script)| {
        let mut trial = Trial::new(folder, "daisy/daisy_threads.play", "two_directories");
        must_fail(folder, end, || trial.follow(script));
    });
}
