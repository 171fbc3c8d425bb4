//! Tests of @SYSTEM@, written by `interplay suite`. Put this file into `tests/` of a package with `interplay-sdk` among its
//! dependencies, and run it with `SUT="target/debug/adapter" cargo test`.
//!
//! SUT is the command that starts the adapter (it speaks the adapter protocol), WAIT the seconds to wait for an output. An
//! implementation that does something else that the specification allows leaves the test, which then says nothing.

use interplay_sdk::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// One run of the adapter.
struct Implementation {
    process: Child,
    input: ChildStdin,
    lines: Receiver<Value>,
    waiting: VecDeque<Value>,
    number: u64,
}

type Names = BTreeMap<String, Value>;

impl Implementation {
    fn start(settings: &Value) -> Implementation {
        let sut = std::env::var("SUT").unwrap_or_else(|_| String::from(@COMMAND@));
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec {sut}")]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the adapter can be started");
        let (input, output) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let message: Value = line.parse().expect("the adapter speaks JSON");
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut own = Implementation { process, input, lines, waiting: VecDeque::new(), number: 0 };
        let mut configure = settings.clone();
        configure["type"] = json!("configure");
        configure["seed"] = json!(0);
        own.say(&configure);
        own.ask(json!({"type": "reset"}), &["ready"]);
        own.waiting.clear();
        own
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the adapter listens");
    }

    fn next(&mut self, wait: Duration) -> Option<Value> {
        let message = self.lines.recv_timeout(wait).ok()?;
        assert!(message["type"] != "error", "{}", message["message"]);
        Some(message)
    }

    /// The answer; outputs that come before it are kept.
    fn ask(&mut self, mut message: Value, kinds: &[&str]) -> Value {
        self.number += 1;
        message["id"] = json!(self.number);
        self.say(&message);
        loop {
            let answer = self.next(Duration::from_secs(60)).expect("there is an answer");
            let kind = answer["type"].as_str().unwrap_or_default().to_string();
            if kind == "output" {
                self.waiting.push_back(answer);
            } else if kinds.contains(&kind.as_str()) && answer["id"] == message["id"] {
                return answer;
            }
        }
    }

    /// The next output, or nothing if none comes.
    fn output(&mut self, wait: Duration) -> Option<Value> {
        loop {
            if let Some(kept) = self.waiting.pop_front() {
                return Some(kept);
            }
            let message = self.next(wait)?;
            if message["type"] == "output" {
                return Some(message);
            }
        }
    }
}

impl Drop for Implementation {
    fn drop(&mut self) {
        // It may have ended already; either way it is gone after this.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether a value is the one that is wanted; objects are called as the implementation first called them.
fn same(wanted: &Value, seen: &Value, names: &mut Names) -> bool {
    match (wanted, seen) {
        (Value::Object(fields), _) if fields.contains_key("$object") => {
            let ours = fields["$object"].to_string();
            if !names.contains_key(&ours) && !names.values().any(|known| known == seen) {
                names.insert(ours.clone(), seen.clone());
            }
            names.get(&ours) == Some(seen)
        }
        (Value::Object(wanted), Value::Object(seen)) => {
            wanted.iter().all(|(key, value)| seen.get(key).is_some_and(|seen| same(value, seen, names)))
        }
        (Value::Array(wanted), Value::Array(seen)) => {
            wanted.len() == seen.len() && wanted.iter().zip(seen).all(|(wanted, seen)| same(wanted, seen, names))
        }
        _ => wanted == seen,
    }
}

fn theirs(value: &Value, names: &Names) -> Value {
    match value {
        Value::Object(fields) if fields.contains_key("$object") => {
            names.get(&fields["$object"].to_string()).cloned().unwrap_or_else(|| fields["$object"].clone())
        }
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), theirs(value, names))).collect(),
        Value::Array(items) => items.iter().map(|item| theirs(item, names)).collect(),
        plain => plain.clone(),
    }
}

/// Goes on if the output is the wanted one; false if it is another one that is allowed.
fn judge(output: &Value, wanted: &Value, also: &Value, names: &mut Names) -> bool {
    let mut fits = |event: &Value| {
        let mut tried = names.clone();
        let fit = output["action"] == event["action"] && same(&event["args"], &output["args"], &mut tried);
        if fit {
            *names = tried;
        }
        fit
    };
    if !wanted.is_null() && fits(wanted) {
        return true;
    }
    let allowed = also.as_array().is_some_and(|also| also.iter().any(fits));
    assert!(allowed, "{output} is not allowed here; expected {wanted}");
    false
}

/// The same for all outputs of a step or reaction, in any order.
fn judge_step(seen: &Value, item: &Value, names: &mut Names) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut fits = |events: &Value| {
        let (mut tried, mut left) = (names.clone(), list(seen));
        for event in list(events) {
            let fit = |each: &Value| each["action"] == event["action"] && same(&event["args"], &each["args"], &mut tried);
            let Some(at) = left.iter().position(fit) else { return false };
            left.remove(at);
        }
        if left.is_empty() {
            *names = tried;
        }
        left.is_empty()
    };
    if fits(&item["outputs"]) {
        return true;
    }
    let allowed = list(&item["also"]).iter().any(fits);
    let given = item.get("step").map_or("the input".into(), Value::to_string);
    assert!(allowed, "{seen} is not allowed for {given}; expected {}", item["outputs"]);
    false
}

/// The same for what an input gives back.
fn judge_result(result: &Value, item: &Value, names: &mut Names) -> bool {
    let known = names.clone();
    if same(&item["result"], result, names) {
        return true;
    }
    let mut others = item["results"].as_array().into_iter().flatten();
    let allowed = others.any(|other| same(other, result, &mut known.clone()));
    assert!(allowed, "{} must not give {result}; expected {}", item["give"], item["result"]);
    false
}

fn play(settings: Value, items: Value) {
    let wait = std::env::var("WAIT").ok().and_then(|text| text.parse().ok());
    let wait = wait.map_or(Duration::from_secs(2), Duration::from_secs_f64);
    let mut implementation = Implementation::start(&settings);
    let mut names = Names::new();
    for item in items.as_array().expect("a list") {
        if let Some(inputs) = item.get("step") {
            let step = json!({"type": "step", "inputs": theirs(inputs, &names)});
            let answer = implementation.ask(step, &["stepped"]);
            if !judge_step(&answer["outputs"], item, &mut names) {
                return println!("something else is allowed too");
            }
            continue;
        }
        if let Some(outputs) = item.get("outputs") {
            let length = |events: &Value| events.as_array().map_or(0, Vec::len);
            let most = item["also"].as_array().into_iter().flatten().map(length).fold(length(outputs), usize::max);
            let seen: Vec<Value> = (0..most).map_while(|_| implementation.output(wait)).collect();
            if !judge_step(&json!(seen), item, &mut names) {
                return println!("something else is allowed too");
            }
            continue;
        }
        let (give, see, also) = (&item["give"], &item["see"], &item["also"]);
        if !give.is_null() {
            let input = json!({"type": "input", "action": give["action"], "args": theirs(&give["args"], &names)});
            let answer = implementation.ask(input, &["accepted", "refused"]);
            for early in implementation.waiting.clone() {
                if !judge(&early, &Value::Null, also, &mut names) {
                    return println!("something else is allowed too");
                }
            }
            assert_eq!(answer["type"], "accepted", "{give} is refused: {}", answer["reason"]);
            if item.get("result").is_some() && !judge_result(&answer["result"], item, &mut names) {
                return println!("something else is allowed too");
            }
            continue;
        }
        match implementation.output(wait) {
            Some(output) if judge(&output, see, also, &mut names) => {}
            Some(_) => return println!("something else is allowed too"),
            None if !see.is_null() && item["quiet"] == true => return println!("nothing came, which is allowed too"),
            None => assert!(see.is_null(), "nothing came; expected {see}"),
        }
    }
}

@TESTS@
