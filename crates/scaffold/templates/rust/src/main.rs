//! Connects a lock to Interplay. One line is one JSON message, in both directions; standard error is free for logs.
//!
//! `Lock` stands for the system under test: replace it by calls to yours. Everything below it is protocol.

use serde_json::{Value, json};
use std::io::{self, BufRead, Write};

/// The implementation. Every input returns the outputs that it causes, or why it is refused.
#[derive(Default)]
struct Lock {
    open: bool,
    blocked: bool,
    mistakes: u32,
}

type Reaction = Result<Vec<(&'static str, Value)>, String>;

impl Lock {
    fn enter(&mut self, code: i64) -> Reaction {
        if self.blocked || self.open {
            return Err("the lock takes no code now".into());
        }
        let answer = if code == 1234 {
            self.mistakes = 0;
            self.open = true;
            "opened"
        } else if self.mistakes == 2 {
            self.blocked = true;
            "alarm"
        } else {
            self.mistakes += 1;
            "refused"
        };
        Ok(vec![(answer, json!({}))])
    }

    fn shut(&mut self) -> Reaction {
        if !self.open {
            return Err("the lock is shut already".into());
        }
        self.open = false;
        Ok(vec![])
    }

    fn give(&mut self, action: &str, args: &Value) -> Reaction {
        match action {
            "enter" => self.enter(args["code"].as_i64().ok_or("`code` is not an integer")?),
            "shut" => self.shut(),
            other => Err(format!("there is no input {other}")),
        }
    }
}

fn actions() -> Value {
    json!([
        { "name": "enter", "direction": "input", "parameters": ["code"] },
        { "name": "shut", "direction": "input", "parameters": [] },
        { "name": "opened", "direction": "output", "parameters": [] },
        { "name": "refused", "direction": "output", "parameters": [] },
        { "name": "alarm", "direction": "output", "parameters": [] },
    ])
}

fn main() -> io::Result<()> {
    say(json!({ "type": "hello", "name": "lock", "protocol": 1, "actions": actions() }))?;
    let mut system = Lock::default();
    for line in io::stdin().lock().lines() {
        let message: Value = match serde_json::from_str(&line?) {
            Ok(message) => message,
            Err(problem) => {
                say(json!({ "type": "error", "message": problem.to_string() }))?;
                continue;
            }
        };
        match message["type"].as_str() {
            Some("reset") => {
                system = Lock::default();
                say(json!({ "type": "ready", "id": message["id"] }))?;
            }
            Some("input") => answer(&mut system, &message)?,
            Some("bye") => break,
            _ => {}
        }
    }
    Ok(())
}

/// Passes one input to the system and says what became of it; its outputs come after that.
fn answer(system: &mut Lock, message: &Value) -> io::Result<()> {
    match system.give(message["action"].as_str().unwrap_or_default(), &message["args"]) {
        Ok(outputs) => {
            say(json!({ "type": "accepted", "id": message["id"], "result": null }))?;
            for (action, args) in outputs {
                say(json!({ "type": "output", "action": action, "args": args }))?;
            }
            Ok(())
        }
        Err(reason) => say(json!({ "type": "refused", "id": message["id"], "reason": reason })),
    }
}

fn say(message: Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()
}
