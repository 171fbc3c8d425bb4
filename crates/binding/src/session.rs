//! The conversation: the messages of the adapter protocol on one side, the system on the other. One thread, no thread: whoever wants a message lends the time to wait for
//! it, and everything that the system said is read then.
//!
//! `giving.rs` gives inputs, `hearing.rs` says what was read.

mod giving;
mod hearing;
mod opening;

use crate::act::How;
use crate::binding::Binding;
use crate::link::{Link, ready};
use crate::request::Http;
use crate::rule::{Heard, Rule, Tells};
use crate::system::System;
use crate::template::Scope;
use crate::wire::Wire;
use rustix::event::{PollFd, PollFlags};
use serde_json::{Map, Value as Json, json};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A system behind its binding, as an adapter.
pub struct Session {
    binding: Arc<Binding>,
    links: Vec<Link>,
    http: Http,
    system: Option<System>,
    /// It says something at its standard output, which is the only link.
    pipes: Option<Link>,
    /// Files of the system, and of its runs.
    tmp: tempfile::TempDir,
    folder: PathBuf,
    /// `port`, `tmp`, `here`, and the paths of files.
    own: Map<String, Json>,
    captured: Map<String, Json>,
    pending: Option<Pending>,
    /// What was read and not looked at: its link and what was heard.
    unread: VecDeque<(usize, Heard)>,
    /// What may be the answer to a later input: its link and what was heard.
    early: VecDeque<(usize, Heard)>,
    fences: u64,
    /// Lines for Interplay.
    out: VecDeque<String>,
    /// Outputs that came while an input waited: they are told behind its answer, since it may have caused them.
    held: Vec<Json>,
    /// Why nothing can be said any more.
    ended: Option<Ended>,
    /// It was told to end.
    left: bool,
    /// It was ready once: what goes wrong from then on is the system's fault.
    was_ready: bool,
    /// A connection ended, and nobody was told.
    lost: Option<String>,
    started: Instant,
    pub(crate) wire: Wire,
}

/// The conversation is over, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended(pub String);

/// An input that waits for its answer.
struct Pending {
    id: Json,
    input: String,
    case: Option<String>,
    args: Map<String, Json>,
    link: Option<usize>,
    /// The number of the fence, if there is one.
    fence: Option<u64>,
    answers: Vec<Json>,
}

/// Why an input, or a step of a reset, could not be done.
enum Wrong {
    /// A mistake of the binding.
    Binding(String),
    /// The system is broken: a name for it, and what was seen.
    System(&'static str, String),
    /// Nothing came in time.
    Late,
}

impl Session {
    /// Starts the program, if there is one to start. The error says why that is not possible.
    pub fn start(binding: Arc<Binding>) -> Result<Session, String> {
        let tmp = tempfile::tempdir().map_err(|error| format!("no place for files: {error}"))?;
        let mut session = Session {
            folder: binding.folder(),
            links: Vec::new(),
            http: Http::new(),
            system: None,
            pipes: None,
            own: Map::new(),
            tmp,
            captured: Map::new(),
            pending: None,
            unread: VecDeque::new(),
            early: VecDeque::new(),
            fences: 0,
            out: VecDeque::new(),
            held: Vec::new(),
            ended: None,
            left: false,
            was_ready: false,
            lost: None,
            started: Instant::now(),
            wire: Wire::default(),
            binding,
        };
        session.launch()?;
        let hello = session.hello();
        session.say(hello);
        Ok(session)
    }

    /// Keeps all of the wire, and which rules fit what was read.
    pub fn keep_all(&mut self) {
        self.wire.keep_all();
    }

    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// The lines of the wire that were not taken yet.
    pub fn take_wire(&mut self) -> Vec<String> {
        self.wire.take()
    }

    /// The last lines that the program printed beside the conversation.
    pub fn printed(&self) -> Vec<String> {
        self.system.as_ref().map(System::printed).unwrap_or_default()
    }

    /// A message from Interplay.
    pub fn take(&mut self, line: &[u8], deadline: Instant) -> Result<(), Ended> {
        if let Some(ended) = &self.ended {
            return Err(ended.clone());
        }
        let Ok(message) = serde_json::from_slice::<Json>(line) else {
            self.say(json!({ "type": "error", "message": "this line is no message" }));
            return Ok(());
        };
        match message["type"].as_str().unwrap_or_default() {
            "reset" => self.reset(&message["id"], deadline),
            "input" => self.input(&message, deadline),
            "bye" => {
                self.leave();
                return Ok(());
            }
            _ => {}
        }
        self.ended.clone().filter(|_| self.out.is_empty()).map_or(Ok(()), Err)
    }

    /// The next line for Interplay; `None` if there was none in time.
    pub fn next(&mut self, deadline: Instant) -> Result<Option<String>, Ended> {
        loop {
            if let Some(line) = self.out.pop_front() {
                return Ok(Some(line));
            }
            if let Some(ended) = &self.ended {
                return Err(ended.clone());
            }
            if !self.listen(deadline) {
                return Ok(None);
            }
        }
    }

    /// It ended because it was told to.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// The next line that is there already.
    pub fn waiting(&mut self) -> Option<String> {
        self.out.pop_front()
    }

    /// Names and parameters were compared when the binding was read, so nothing is announced.
    fn hello(&self) -> Json {
        json!({ "type": "hello", "name": self.binding.name, "protocol": 1 })
    }

    /// The answer to an input, and what came meanwhile.
    fn reply(&mut self, message: Json) {
        self.say(message);
        for output in std::mem::take(&mut self.held) {
            self.say(output);
        }
    }

    fn say(&mut self, message: Json) {
        self.out.push_back(message.to_string());
    }

    /// Microseconds by our clock.
    fn time(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }

    /// Waits for something from the system, and reads it. False if nothing came.
    fn listen(&mut self, deadline: Instant) -> bool {
        if let Some((at, heard)) = self.unread.pop_front() {
            self.hear(at, heard);
            return true;
        }
        let open: Vec<usize> = (0..self.links.len()).filter(|at| !self.links[*at].closed).collect();
        if open.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            std::thread::sleep(left.min(Duration::from_millis(50)));
            return Instant::now() < deadline;
        }
        let readable = {
            let descriptors: Vec<_> = open.iter().map(|at| self.links[*at].descriptor()).collect();
            let mut waiting: Vec<_> =
                descriptors.iter().map(|each| PollFd::from_borrowed_fd(*each, PollFlags::IN)).collect();
            if !ready(&mut waiting, deadline) {
                return false;
            }
            let pairs = open.iter().zip(&waiting).filter(|(_, each)| !each.revents().is_empty());
            pairs.map(|(at, _)| *at).collect::<Vec<_>>()
        };
        for at in readable {
            for heard in self.links[at].read() {
                self.hear(at, heard);
            }
        }
        true
    }

    /// The values that templates see: the nearest first.
    fn scope<'s>(&'s self, near: &[&'s Map<String, Json>], heard: &'s Json) -> Scope<'s> {
        let mut layers = near.to_vec();
        layers.extend([&self.captured, &self.own, &self.binding.vars]);
        Scope { layers, heard, conversions: &self.binding.conversions, depth: 0 }
    }

    /// An input is waited for if a rule is made for its answer. Rules for whoever waits count as far as they can be the answer to this one.
    fn can_be_answered(&self, input: &str, case: Option<&str>) -> bool {
        self.binding
            .rules
            .iter()
            .filter(|rule| rule.answers() && rule.is_for(input, case))
            .any(|rule| !rule.inputs.is_empty() || matches!(rule.tells, Tells::Answer(_)) && self.suits(rule, input))
    }

    /// A rule for whoever waits that gives a value is none for an input that returns nothing: what it reads belongs to somebody else.
    fn suits(&self, rule: &Rule, input: &str) -> bool {
        let gives = matches!(rule.tells, Tells::Answer(Some(_)));
        !(gives && rule.inputs.is_empty() && self.binding.resultless.contains(input))
    }

    fn error(&mut self, message: String) {
        self.pending = None;
        self.say(json!({ "type": "error", "message": format!("{}: {message}", self.binding.name()) }));
        self.ended.get_or_insert(Ended(message));
    }

    /// The input brought about that the system broke.
    fn raised(&mut self, id: &Json, name: &str, message: &str) {
        self.reply(json!({ "type": "raised", "id": id, "error": name, "message": message }));
    }

    fn leave(&mut self) {
        self.close_links();
        self.system = None;
        self.left = true;
        self.ended = Some(Ended("it was told to end".into()));
    }
}

/// A case, what is done, and what the case carries.
type Chosen<'h> = (Option<String>, &'h crate::act::Act, Map<String, Json>);

/// The acts of an input, and its case: the case of the value that `by` names, with what it carries as `0`, `1`.
fn chosen<'h>(how: &'h How, args: &Map<String, Json>) -> Result<Chosen<'h>, String> {
    let (by, cases) = match how {
        How::Act(act) => return Ok((None, act, Map::new())),
        How::Cases { by, cases } => (by, cases),
    };
    let value = args.get(by).unwrap_or(&Json::Null);
    let (case, carried) = match value {
        Json::Object(fields) if fields.len() == 1 => {
            let (case, carried) = fields.iter().next().map(|(case, carried)| (case.clone(), carried)).unzip();
            (case.unwrap_or_default(), carried)
        }
        other => (crate::template::plain(other), None),
    };
    let items = carried.and_then(Json::as_array).into_iter().flatten().cloned().enumerate();
    let carried = items.map(|(index, item)| (index.to_string(), item)).collect();
    match cases.get(&case) {
        Some(act) => Ok((Some(case), act, carried)),
        None => Err(format!("`cases` has no `{case}`, a value of `{by}`")),
    }
}
