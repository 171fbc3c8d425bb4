//! The protocol without any help: lines out, lines in, and a close look at each.

use crate::Trouble;
use crate::exchange::{Exchange, Side};
use crate::target::{Address, reach};
use crate::transport::{Broken, End, Limits, Transport};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// So many outputs are skipped in search of an answer.
const MOST: usize = 10_000;

pub(super) struct Raw {
    transport: Box<dyn Transport>,
    exchange: Exchange,
    limit: Duration,
    next_id: u64,
    kinds: Vec<String>,
}

impl Raw {
    pub(super) fn open(address: &Address, limits: &Limits) -> Result<Raw, Trouble> {
        let transport = reach(address, limits)?;
        Ok(Raw { transport, exchange: Exchange::default(), limit: limits.start, next_id: 1, kinds: Vec::new() })
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = self.transport.wire().unwrap_or_else(|| self.exchange.lines());
        lines.extend(self.transport.aside().iter().map(|line| format!("stderr     {line}")));
        lines
    }

    /// A message of this type came at some time.
    pub(super) fn heard(&self, kind: &str) -> bool {
        self.kinds.iter().any(|each| each == kind)
    }

    pub(super) fn close(&mut self) {
        self.transport.close();
    }

    pub(super) fn send(&mut self, message: Json) -> Result<(), String> {
        self.send_line(&format!("{message}\n"))
    }

    pub(super) fn send_line(&mut self, line: &str) -> Result<(), String> {
        self.exchange.note(Side::Interplay, line.as_bytes());
        let sent = self.transport.send(line.as_bytes(), Instant::now() + self.limit);
        sent.map_err(|broken| self.trouble(broken).message)
    }

    pub(super) fn next(&mut self) -> Result<Option<Json>, Trouble> {
        let mut line = Vec::new();
        match self.transport.receive(&mut line, Instant::now() + self.limit) {
            Ok(false) => Ok(None),
            Ok(true) => {
                self.exchange.note(Side::Adapter, &line);
                let message: Json =
                    serde_json::from_slice(&line).map_err(|error| Trouble::garbage(&line, &error.to_string()))?;
                match message["type"].as_str() {
                    Some(kind) => self.kinds.push(kind.into()),
                    None => return Err(Trouble::garbage(&line, "the message has no `type`")),
                }
                Ok(Some(message))
            }
            Err(broken) => Err(self.trouble(broken)),
        }
    }

    /// Sends a message with a new `id` and gives its answer; outputs that come meanwhile are skipped.
    pub(super) fn question(&mut self, mut message: Json) -> Result<Json, String> {
        let (id, kind) = (self.next_id, message["type"].as_str().unwrap_or_default().to_string());
        self.next_id += 1;
        message["id"] = json!(id);
        self.send(message)?;
        self.answer(&kind, id)
    }

    fn answer(&mut self, kind: &str, id: u64) -> Result<Json, String> {
        for _ in 0..MOST {
            let Some(answer) = self.next().map_err(|trouble| trouble.message)? else {
                return Err(format!("`{kind}` got no answer within {:?}", self.limit));
            };
            match answer["type"].as_str() {
                Some("output") if kind == "reset" && id == 1 => {
                    return Err("an output was sent before the first `ready`".into());
                }
                Some("output") => {}
                Some("enabled") if answer.get("id").is_none() => {}
                Some("error") => return Ok(answer),
                _ if answer["id"] == id => return Ok(answer),
                _ => return Err(format!("`{kind}` with the id {id} was followed by {answer}")),
            }
        }
        Err(format!("more than {MOST} outputs were sent before the answer to `{kind}`"))
    }

    /// Sends so many resets in one piece; each must be answered, in order.
    pub(super) fn answered_in_order(&mut self, count: u64) -> Result<String, String> {
        let ids = self.next_id..self.next_id + count;
        self.next_id = ids.end;
        let lines: String = ids.clone().map(|id| format!("{}\n", json!({ "type": "reset", "id": id }))).collect();
        self.send_line(&lines)?;
        for id in ids {
            let answer = self.answer("reset", id)?;
            if answer["type"] != "ready" {
                return Err(format!("`reset` was answered by {answer}, not by `ready`"));
            }
        }
        Ok(format!("{count} messages in one piece are answered in order"))
    }

    /// The answer must be of this type.
    pub(super) fn answered(&mut self, message: Json, kind: &str) -> Result<Json, String> {
        let asked = message["type"].as_str().unwrap_or_default().to_string();
        let answer = self.question(message)?;
        if answer["type"] == kind {
            Ok(answer)
        } else {
            Err(format!("`{asked}` was answered by {answer}, not by `{kind}`"))
        }
    }

    /// How it ended, if it does in time.
    pub(super) fn end(&mut self) -> Option<End> {
        let (deadline, mut line) = (Instant::now() + self.limit, Vec::new());
        while Instant::now() < deadline {
            match self.transport.receive(&mut line, deadline) {
                Ok(true) => self.exchange.note(Side::Adapter, &line),
                Ok(false) => return None,
                Err(_) => return Some(self.transport.obituary()),
            }
        }
        None
    }

    fn trouble(&mut self, broken: Broken) -> Trouble {
        // It may have said why before it went away.
        let mut line = Vec::new();
        while broken == Broken::Deaf && matches!(self.transport.receive(&mut line, Instant::now()), Ok(true)) {
            self.exchange.note(Side::Adapter, &line);
            let kind =
                serde_json::from_slice::<Json>(&line).ok().and_then(|message| Some(message["type"].as_str()?.into()));
            self.kinds.extend(kind);
        }
        Trouble::broken(broken, || self.transport.obituary().words)
    }
}
