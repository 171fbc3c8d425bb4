//! Does an adapter keep to the protocol? Each question is asked of it as Interplay would, and a little worse; what is wrong is
//! told with what to do about it. With a specification, a walk through it shows whether names and types fit.

mod raw;
mod walk;

use crate::target::Address;
use crate::transport::Limits;
use crate::{Trouble, hello};
use interplay_diagnostics::amount;
use interplay_semantics::Instance;
use raw::Raw;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With what was seen.
    Good(String),
    Wrong {
        problem: String,
        help: String,
    },
}

/// All answers, and the lines that led to the first that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub checks: Vec<Check>,
    pub exchange: Vec<String>,
}

impl Checked {
    pub fn is_good(&self) -> bool {
        self.checks.iter().all(|check| matches!(check.outcome, Outcome::Good(_)))
    }

    fn note(&mut self, name: &'static str, outcome: Result<String, (String, &str)>, raw: Option<&Raw>) -> bool {
        let good = outcome.is_ok();
        if !good && self.is_good() {
            self.exchange = raw.map(Raw::lines).unwrap_or_default();
        }
        let outcome = match outcome {
            Ok(seen) => Outcome::Good(seen),
            Err((problem, help)) => Outcome::Wrong { problem, help: help.into() },
        };
        self.checks.push(Check { name, outcome });
        good
    }
}

/// Exercises an adapter; every wait is limited by `limit`.
pub fn check_adapter(address: &Address, specification: Option<&Instance>, limit: Duration) -> Checked {
    let mut checked = Checked::default();
    let limits = Limits { start: limit, end: limit.min(Duration::from_secs(2)) };
    if let Some(features) = conversation(address, &limits, &mut checked) {
        if let Some(instance) = specification {
            walk::walk(address, instance, &features, &limits, &mut checked);
        }
        garbage(address, &limits, &mut checked);
        if matches!(address, Address::Command(_)) {
            end_of_input(address, &limits, &mut checked);
        }
    }
    checked
}

type Seen = Result<String, (String, &'static str)>;

/// The usual messages, in the usual order. The optional messages that it knows, if it can be talked to at all.
fn conversation(address: &Address, limits: &Limits, checked: &mut Checked) -> Option<Vec<String>> {
    let mut raw = match Raw::open(address, limits) {
        Ok(raw) => raw,
        Err(trouble) => {
            checked.note("start", Err((trouble.message, "name a program or an address that can be reached")), None);
            return None;
        }
    };
    let greeting = raw.next();
    let (seen, features, inputs) = match greeting.and_then(|message| greeted(message, &raw)) {
        Ok((seen, features, inputs)) => (Ok(seen), features, inputs),
        Err(trouble) => (Err((trouble.message, "say `hello` first, unasked")), Vec::new(), Vec::new()),
    };
    if !checked.note("hello", seen, Some(&raw)) {
        return None;
    }
    type Question = fn(&mut Raw) -> Seen;
    let questions: [(&str, Question); 4] = [
        ("reset", first_reset),
        ("reset again", |raw| reset(raw, json!({ "news": [1, 2] }))),
        ("unknown message", unknown_message),
        ("unknown input", unknown_input),
    ];
    for (name, question) in questions {
        let seen = question(&mut raw);
        if !checked.note(name, seen, Some(&raw)) {
            return None;
        }
    }
    for feature in &features {
        let (name, seen) = match feature.as_str() {
            "ahead" if !matches!(address, Address::Http(_)) => {
                let seen = raw.answered_in_order(3);
                let help = "if `ahead` is announced, answer each message before the next one";
                if !checked.note("ahead", seen.map_err(|problem| (problem, help)), Some(&raw)) {
                    return None;
                }
                continue;
            }
            "step" => ("step", raw.answered(json!({ "type": "step", "inputs": [] }), "stepped")),
            "enabled" => ("enabled", raw.answered(json!({ "type": "enabled" }), "enabled")),
            "snapshot" => ("snapshot", raw.answered(json!({ "type": "snapshot" }), "snapshot")),
            _ => continue,
        };
        let seen = seen.map(|_| "answered".to_string());
        let seen = seen.map_err(|problem| (problem, "answer what is announced in `features`, with the same `id`"));
        if !checked.note(name, seen, Some(&raw)) {
            return None;
        }
    }
    if let (Some(input), false) = (inputs.first(), features.iter().any(|feature| feature == "step")) {
        let seen = announced_input(&mut raw, input);
        if !checked.note("announced input", seen, Some(&raw)) {
            return None;
        }
    }
    let seen = bye(&mut raw);
    checked.note("bye", seen, Some(&raw));
    Some(features)
}

type Greeting = (String, Vec<String>, Vec<String>);

fn greeted(message: Option<Json>, raw: &Raw) -> Result<Greeting, Trouble> {
    let Some(message) = message else {
        return Err(Trouble::no_answer("nothing; the adapter must send `hello` unasked", raw.limit()));
    };
    if message["type"] != "hello" {
        return Err(Trouble::out_of_turn(format!("the first message is {message}, not `hello`")));
    }
    if message["protocol"] != 1 {
        return Err(Trouble::out_of_turn(format!("`protocol` is {}, not 1", message["protocol"])));
    }
    let text = message.to_string();
    let parsed = serde_json::from_str(&text).map_err(|error| Trouble::garbage(text.as_bytes(), &error.to_string()))?;
    let (hello, features) = hello::read(parsed)?;
    let inputs = hello.actions.iter().filter(|action| action.direction == interplay_model::Direction::Input);
    let inputs: Vec<String> = inputs.map(|action| action.name.clone()).collect();
    let mut names: Vec<&str> = hello.actions.iter().map(|action| action.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Trouble::out_of_turn(format!("`{}` is announced twice", twice[0])));
    }
    let others = hello.actions.len() - inputs.len();
    Ok((format!("`{}`, {}, {}", hello.name, amount(inputs.len(), "input"), amount(others, "output")), features, inputs))
}

/// The settings have no answer, so the first reset shows what became of them.
fn first_reset(raw: &mut Raw) -> Seen {
    let sent = raw.send(json!({ "type": "configure", "setup": null, "seed": 1, "constants": {} }));
    sent.map_err(|problem| {
        (problem, "accept `configure` without an answer, and ignore settings that you do not need")
    })?;
    reset(raw, json!({}))
}

fn reset(raw: &mut Raw, more: Json) -> Seen {
    let mut message = json!({ "type": "reset" });
    message.as_object_mut().expect("it is one").extend(more.as_object().cloned().unwrap_or_default());
    let answer = raw.answered(message, "ready");
    answer.map(|_| "answered by `ready`".into()).map_err(|problem| {
        (
            problem,
            "answer every `reset` by one `ready` with the same `id`, and send the outputs of the new run after it",
        )
    })
}

fn unknown_message(raw: &mut Raw) -> Seen {
    let help = "ignore messages of types that you do not know: later versions may send them";
    raw.send(json!({ "type": "gossip", "id": 7777, "about": "you" })).map_err(|problem| (problem, help))?;
    match raw.answered(json!({ "type": "reset" }), "ready") {
        Ok(_) => Ok("ignored".into()),
        Err(problem) => Err((problem, help)),
    }
}

fn unknown_input(raw: &mut Raw) -> Seen {
    let help = "answer an input that the system does not have by `refused` with the same `id`, and go on";
    let message = json!({ "type": "input", "action": "no such input", "args": {} });
    raw.answered(message, "refused").map_err(|problem| (problem, help))?;
    match raw.answered(json!({ "type": "reset" }), "ready") {
        Ok(_) => Ok("refused".into()),
        Err(problem) => Err((problem, help)),
    }
}

/// Without arguments, which may be wrong: then it is refused.
fn announced_input(raw: &mut Raw, name: &str) -> Seen {
    let help =
        "answer every input by `accepted`, `refused` or `raised` with the same `id`; if arguments are wrong, refuse it";
    let answer =
        raw.question(json!({ "type": "input", "action": name, "args": {} })).map_err(|problem| (problem, help))?;
    match answer["type"].as_str() {
        Some(kind @ ("accepted" | "refused" | "raised")) => Ok(format!("`{name}` without arguments is {kind}")),
        _ => Err((format!("`{name}` was answered by {answer}"), help)),
    }
}

fn bye(raw: &mut Raw) -> Seen {
    let help = "end with exit code 0 soon after `bye`, and stop whatever was started";
    raw.send(json!({ "type": "bye" })).map_err(|problem| (problem, help))?;
    ended(raw).map_err(|problem| (problem, help))
}

fn ended(raw: &mut Raw) -> Result<String, String> {
    match raw.end() {
        Some(end) if end.clean => Ok(end.words),
        Some(end) => Err(end.words),
        None => Err(format!("the adapter did not end within {:?}", raw.limit())),
    }
}

/// A line that is no message is answered by `error`, or skipped; what must not happen is silence or a crash without a word.
fn garbage(address: &Address, limits: &Limits, checked: &mut Checked) {
    let Ok(mut raw) = Raw::open(address, limits) else { return };
    let _ = raw.next();
    let seen = match raw.send_line("this is no message\n").and_then(|()| raw.question(json!({ "type": "reset" }))) {
        Ok(answer) if answer["type"] == "ready" => Ok("skipped".into()),
        Ok(answer) if answer["type"] == "error" => Ok("answered by `error`".into()),
        Ok(answer) => Err(format!("an invalid line was answered by {answer}")),
        Err(_) if raw.heard("error") => Ok("answered by `error`".into()),
        Err(problem) => Err(format!("after an invalid line: {problem}")),
    };
    let help = "answer a line that is not a message by `error` with a `message`";
    checked.note("garbage", seen.map_err(|problem| (problem, help)), Some(&raw));
}

fn end_of_input(address: &Address, limits: &Limits, checked: &mut Checked) {
    let Ok(mut raw) = Raw::open(address, limits) else { return };
    let _ = raw.next();
    raw.close();
    let help = "treat the end of standard input as `bye`: Interplay may have ended";
    let seen = ended(&mut raw).map_err(|problem| (problem, help));
    checked.note("end of input", seen, Some(&raw));
}
