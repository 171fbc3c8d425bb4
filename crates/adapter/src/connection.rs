//! A conversation with an adapter: questions with numbers, answers with the same numbers, and outputs whenever they come.

mod hearing;

use self::hearing::{any, error, parse};
use crate::ahead::{Ahead, MOST_AHEAD};
use crate::clock::Clock;
use crate::codec::Codec;
use crate::exchange::{Exchange, Side};
use crate::hello;
use crate::message::{EventMessage, Message, OfferMessage};
use crate::place::place;
use crate::transport::{Broken, Limits, Transport};
use crate::{Answer, Hello, Implementation, Output, Settings, Trouble, TroubleKind};
use interplay_model::{ActionId, Direction, Model};
use interplay_semantics::Event;
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More outputs than this before one answer are a flood.
pub const MOST_OUTPUTS: usize = 100_000;
/// And more bytes than this.
const MOST_BYTES: usize = 64 << 20;

/// Nobody waits longer for an adapter to take its leave.
const GOODBYE: Duration = Duration::from_millis(200);

/// An implementation behind an adapter. Dropping it says goodbye, and ends the adapter if Interplay started it.
pub struct Connection {
    transport: Box<dyn Transport>,
    codec: Codec,
    hello: Hello,
    features: Vec<String>,
    next_id: u64,
    /// Questions whose answers came too late; they are ignored when they come.
    abandoned: Vec<u64>,
    ahead: Ahead,
    clock: Clock,
    outputs: VecDeque<Output>,
    /// After these came an output that the specification does not name.
    foreign: Option<Trouble>,
    /// The bytes of the messages that `outputs` came in.
    bytes: usize,
    phase: Phase,
    /// What the adapter said unasked about the inputs that it would take now.
    offered: Option<Vec<Event>>,
    /// What it said about them along with the last answer.
    along: Option<Vec<OfferMessage>>,
    /// What it said along with the last answer about the moment before the question. Only names: identities of objects may be
    /// forgotten by then.
    before: Option<Vec<String>>,
    /// Once the conversation broke down it stays so.
    broken: Option<Trouble>,
    exchange: Exchange,
    line: Vec<u8>,
    text: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the first reset is done.
    New,
    /// What comes belongs to the last run.
    Resetting,
    Running,
}

/// A message, as far as it matters to whoever waits.
enum Heard {
    Answer(Reply),
    /// The answer to an input that was sent ahead.
    Early,
    Output,
    Nothing,
}

/// An answer, and what was said along with it.
pub(crate) struct Reply {
    kind: Replied,
    enabled: Option<Vec<OfferMessage>>,
    before: Option<Vec<String>>,
}

enum Replied {
    Ready,
    Accepted(Option<Json>),
    Refused(String),
    Stepped(Vec<EventMessage>),
    Enabled(Vec<EventMessage>),
    Snapshot(String),
    /// An exception, by all names that it has: its own type, then the more general ones.
    Raised(Vec<String>, Trouble),
}

impl Connection {
    /// Waits for `hello` and sends the settings.
    pub(crate) fn open(
        transport: Box<dyn Transport>,
        model: Arc<Model>,
        settings: &Settings,
        limits: &Limits,
    ) -> Result<Connection, Trouble> {
        let mut connection = Connection {
            transport,
            codec: Codec::new(model),
            hello: Hello::default(),
            features: Vec::new(),
            next_id: 1,
            abandoned: Vec::new(),
            ahead: Ahead::default(),
            clock: Clock::new(),
            outputs: VecDeque::new(),
            foreign: None,
            bytes: 0,
            phase: Phase::New,
            offered: None,
            along: None,
            before: None,
            broken: None,
            exchange: Exchange::default(),
            line: Vec::new(),
            text: Vec::new(),
        };
        let greeted = connection.greet(limits.start).and_then(|()| connection.configure(settings, limits.start));
        match greeted {
            Ok(()) => Ok(connection),
            // The conversation goes, what was said stays.
            Err(trouble) => Err(Trouble { exchange: connection.exchange(), ..trouble }),
        }
    }

    /// The optional messages that the adapter understands.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// How what the adapter announced differs from the specification; nothing if it announced nothing.
    pub fn differences(&self) -> Vec<String> {
        hello::differences(self.codec.model(), &self.hello)
    }

    /// Itself, if what the adapter announced is so in the specification.
    pub(crate) fn fitting(self) -> Result<Connection, Trouble> {
        let misfits = hello::misfits(self.codec.model(), &self.hello);
        if misfits.is_empty() {
            return Ok(self);
        }
        let message = format!("the adapter does not fit the specification: {}", misfits.join("; "));
        Err(Trouble { exchange: self.exchange(), ..Trouble::unknown(message) })
    }

    fn greet(&mut self, limit: Duration) -> Result<(), Trouble> {
        if !self.receive(Instant::now() + limit)? {
            let message = format!("the adapter sent nothing within {limit:?}; it must send `hello` first, unasked");
            return Err(Trouble::new(TroubleKind::NoAnswer, message));
        }
        let message: Message = parse(&self.line)?;
        if message.kind == "error" {
            return Err(error(&message));
        }
        if message.kind != "hello" {
            return Err(Trouble::out_of_turn(format!("the first message must be `hello`, not `{}`", message.kind)));
        }
        if message.protocol.is_some_and(|version| version != 1) {
            let version = message.protocol.unwrap_or_default();
            return Err(Trouble::out_of_turn(format!("the adapter speaks version {version} of the protocol, not 1")));
        }
        (self.hello, self.features) = hello::read(message)?;
        Ok(())
    }

    fn configure(&mut self, settings: &Settings, limit: Duration) -> Result<(), Trouble> {
        let constants: serde_json::Map<String, Json> = settings
            .constants
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), self.codec.constant(name, value)?)))
            .collect();
        let mut message =
            json!({ "type": "configure", "setup": settings.setup, "seed": settings.seed, "constants": constants });
        let raises = self.codec.exceptions();
        if !raises.is_empty() {
            message["raises"] = raises.into();
        }
        if settings.enabled {
            message["enabled"] = Json::Bool(true);
        }
        self.text.clear();
        _ = writeln!(self.text, "{message}");
        self.send(Instant::now() + limit)
    }

    /// Asks a question and waits for its answer. `rest` is written behind type and number.
    fn ask(
        &mut self,
        kind: &str,
        limit: Duration,
        rest: impl FnOnce(&mut Codec, &mut Vec<u8>),
    ) -> Result<Replied, Trouble> {
        self.begin()?;
        let (id, deadline) = (self.question(kind, rest), Instant::now() + limit);
        self.send(deadline)?;
        self.answer(kind, id, limit, deadline)
    }

    /// What was said before does not count any more.
    fn begin(&mut self) -> Result<(), Trouble> {
        if let Some(trouble) = &self.broken {
            return Err(trouble.clone());
        }
        (self.offered, self.along, self.before) = (None, None, None);
        self.text.clear();
        Ok(())
    }

    /// Writes a question, and gives its number.
    fn question(&mut self, kind: &str, rest: impl FnOnce(&mut Codec, &mut Vec<u8>)) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        _ = write!(self.text, "{{\"type\":\"{kind}\",\"id\":{id}");
        rest(&mut self.codec, &mut self.text);
        self.text.extend_from_slice(b"}\n");
        id
    }

    fn answer(&mut self, kind: &str, id: u64, limit: Duration, deadline: Instant) -> Result<Replied, Trouble> {
        match self.await_reply(id, deadline)? {
            Some(reply) => Ok(self.take(reply)),
            None => {
                self.abandoned.push(id);
                Err(Trouble::no_answer(&format!("`{kind}`"), limit))
            }
        }
    }

    fn take(&mut self, reply: Reply) -> Replied {
        self.outputs.iter_mut().for_each(|output| output.before_answer = true);
        (self.along, self.before) = (reply.enabled, reply.before);
        reply.kind
    }

    /// Several questions may be sent in one piece.
    fn can_ask_ahead(&self) -> bool {
        // Objects have names that only answers tell.
        self.has("ahead") && self.transport.takes_several() && self.codec.model().types.objects.is_empty()
    }

    fn await_reply(&mut self, id: u64, deadline: Instant) -> Result<Option<Reply>, Trouble> {
        let mut others = 0;
        while self.receive(deadline)? {
            match self.understand(Some(id))? {
                Heard::Answer(reply) => return Ok(Some(reply)),
                Heard::Output | Heard::Early | Heard::Nothing => others += 1,
            }
            if others > MOST_OUTPUTS || self.bytes > MOST_BYTES {
                let message =
                    format!("more than {others} messages arrived before one answer; the adapter floods its output");
                return Err(self.stay_broken(Trouble::new(TroubleKind::Flood, message)));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(None)
    }

    fn send(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let lines = self.text.split_inclusive(|byte| *byte == b'\n');
        lines.for_each(|line| self.exchange.note(Side::Interplay, line));
        match self.transport.send(&self.text, deadline) {
            Ok(()) => Ok(()),
            Err(broken) => {
                // It may have said why before it stopped listening.
                while broken == Broken::Deaf
                    && matches!(self.receive(Instant::now() + Duration::from_millis(50)), Ok(true))
                {
                    self.understand(None)?;
                }
                let trouble = self.diagnose(broken);
                Err(self.stay_broken(trouble))
            }
        }
    }

    fn receive(&mut self, deadline: Instant) -> Result<bool, Trouble> {
        let came = self.transport.receive(&mut self.line, deadline);
        self.came(came)
    }

    /// A line that has come already.
    fn received(&mut self) -> Result<bool, Trouble> {
        let came = self.transport.received(&mut self.line);
        self.came(came)
    }

    fn came(&mut self, came: Result<bool, Broken>) -> Result<bool, Trouble> {
        match came {
            Ok(came) => {
                if came {
                    self.exchange.note(Side::Adapter, &self.line);
                }
                Ok(came)
            }
            Err(broken) => {
                let trouble = self.diagnose(broken);
                Err(self.stay_broken(trouble))
            }
        }
    }

    fn diagnose(&mut self, broken: Broken) -> Trouble {
        let mut trouble = Trouble::broken(broken, || self.transport.obituary().words);
        if trouble.kind == TroubleKind::Died {
            let aside = self.transport.aside();
            if let Some(last) = aside.last() {
                trouble.message += &format!("; the last line on its standard error: {last}");
            }
            if let Some(place) = place(&aside) {
                trouble.cause += &format!(" at {place}");
            }
        }
        trouble
    }

    fn stay_broken(&mut self, trouble: Trouble) -> Trouble {
        self.broken.get_or_insert(trouble).clone()
    }

    fn unexpected(&mut self, question: &str) -> Trouble {
        self.stay_broken(Trouble::out_of_turn(format!("`{question}` was answered by a message of the wrong type")))
    }

    fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|each| each == feature)
    }

    fn input_question(&mut self, event: &Event) -> u64 {
        self.question("input", |codec, text| {
            text.push(b',');
            codec.write(event, text);
        })
    }

    /// The next output that comes in time.
    fn listen(&mut self, deadline: Instant) -> Result<Option<Output>, Trouble> {
        loop {
            if let Some(output) = self.heard()? {
                return Ok(Some(output));
            }
            if self.ahead.is_answered() || !self.receive(deadline)? {
                return Ok(None);
            }
            match self.understand(None)? {
                Heard::Early => return Ok(None),
                // Whoever sends other things without end does not get more time for it.
                Heard::Nothing if Instant::now() >= deadline => return Ok(None),
                _ => {}
            }
        }
    }

    /// The next output that has come already.
    fn heard(&mut self) -> Result<Option<Output>, Trouble> {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                if self.outputs.is_empty() {
                    self.bytes = 0;
                }
                return Ok(Some(output));
            }
            if let Some(trouble) = self.foreign.as_ref().or(self.broken.as_ref()) {
                return Err(trouble.clone());
            }
            if self.ahead.is_answered() || !self.received()? {
                return Ok(None);
            }
            self.understand(None)?;
        }
    }

    /// An input that was sent ahead may be the reason of a trouble, which is told when it is its turn.
    fn in_turn(&self, heard: Result<Option<Output>, Trouble>) -> Result<Option<Output>, Trouble> {
        if self.ahead.len() > 0 { Ok(heard.unwrap_or(None)) } else { heard }
    }

    fn accepted(&mut self, action: ActionId, json: Option<&Json>) -> Result<Answer, Trouble> {
        let result = self.codec.read_result(action, json);
        result.map(Answer::Accepted).map_err(Trouble::foreign)
    }
}

impl Implementation for Connection {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        self.outputs.clear();
        self.foreign = None;
        self.bytes = 0;
        self.codec.forget();
        if self.phase == Phase::Running {
            self.phase = Phase::Resetting;
        }
        self.begin()?;
        self.abandoned.extend(self.ahead.give_up());
        let (id, deadline) = (self.question("reset", |_, _| {}), Instant::now() + limit);
        for event in std::mem::take(&mut self.ahead.foreseen) {
            if self.text.len() > MOST_AHEAD {
                break;
            }
            let id = self.input_question(&event);
            self.ahead.sent(id, event);
        }
        self.send(deadline)?;
        match self.answer("reset", id, limit, deadline)? {
            Replied::Ready => {
                self.phase = Phase::Running;
                Ok(())
            }
            _ => Err(self.unexpected("reset")),
        }
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        self.begin()?;
        let deadline = Instant::now() + limit;
        let replied = match self.ahead.turn(event) {
            Some((_, Some(reply))) => self.take(reply),
            Some((id, None)) => self.answer("input", id, limit, deadline)?,
            None => {
                let id = self.input_question(event);
                self.send(deadline)?;
                self.answer("input", id, limit, deadline)?
            }
        };
        match replied {
            Replied::Accepted(result) => self.accepted(event.action, result.as_ref()),
            Replied::Refused(reason) => Ok(Answer::Refused(reason)),
            Replied::Raised(names, trouble) => match self.codec.read_exception(event.action, &names) {
                Some(result) => Ok(Answer::Accepted(Some(result))),
                None => Err(trouble),
            },
            _ => Err(self.unexpected("input")),
        }
    }

    fn foresee(&mut self, events: &[Event]) {
        if self.can_ask_ahead() {
            self.ahead.foreseen = events.to_vec();
        }
    }

    fn ahead(&self) -> usize {
        self.ahead.len()
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        let heard = self.listen(Instant::now() + limit);
        self.in_turn(heard)
    }

    fn observed(&mut self) -> Result<Option<Output>, Trouble> {
        let heard = self.heard();
        self.in_turn(heard)
    }

    fn step(&mut self, inputs: &[Event], limit: Duration) -> Result<Vec<Event>, Trouble> {
        if !self.has("step") {
            let problem = "a synchronous system is driven by `step`, which the adapter does not announce in `features`";
            return Err(Trouble::new(TroubleKind::Error, problem));
        }
        let reply = self.ask("step", limit, |codec, text| {
            text.extend_from_slice(b",\"inputs\":[");
            for (index, event) in inputs.iter().enumerate() {
                text.extend_from_slice(if index == 0 { b"{" } else { b",{" });
                codec.write(event, text);
                text.push(b'}');
            }
            text.push(b']');
        });
        match reply? {
            Replied::Stepped(outputs) => {
                let mut read =
                    |event: &EventMessage| self.codec.read(Direction::Output, &event.action, event.args.as_ref());
                let events: Result<Vec<Event>, String> = outputs.iter().map(&mut read).collect();
                events.map_err(Trouble::foreign)
            }
            Replied::Refused(reason) => Err(Trouble::new(TroubleKind::Refused, reason)),
            Replied::Raised(_, trouble) => Err(trouble),
            _ => Err(self.unexpected("step")),
        }
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        if !self.has("enabled") {
            return Ok(self.offered.clone());
        }
        match self.ask("enabled", limit, |_, _| {})? {
            Replied::Enabled(events) => self.events(&events).map(Some).map_err(|trouble| self.stay_broken(trouble)),
            _ => Err(self.unexpected("enabled")),
        }
    }

    fn offered(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        // Read only now: objects count in the order of mention, and the result of the input comes first.
        let Some(along) = self.along.take() else { return Ok(None) };
        let events: Result<Vec<Event>, String> = along.iter().map(|offer| self.offer(offer)).collect();
        events.map(Some).map_err(|problem| self.stay_broken(Trouble::unknown(problem)))
    }

    fn offered_before(&mut self) -> Result<Option<Vec<Event>>, Trouble> {
        let Some(names) = self.before.take() else { return Ok(None) };
        let known = |name: &String| self.codec.known(Direction::Input, name).map(any);
        let events: Result<Vec<Event>, String> = names.iter().map(known).collect();
        events.map(Some).map_err(|problem| self.stay_broken(Trouble::unknown(problem)))
    }

    fn snapshot(&mut self, limit: Duration) -> Result<Option<String>, Trouble> {
        if !self.has("snapshot") {
            return Ok(None);
        }
        match self.ask("snapshot", limit, |_, _| {})? {
            Replied::Snapshot(state) => Ok(Some(state)),
            _ => Err(self.unexpected("snapshot")),
        }
    }

    fn exchange(&self) -> Vec<String> {
        if let Some(wire) = self.transport.wire() {
            return wire;
        }
        let mut lines = self.exchange.lines();
        lines.extend(self.transport.aside().iter().map(|line| format!("stderr     {line}")));
        lines
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.broken.is_none() {
            let _ = self.transport.send(b"{\"type\":\"bye\"}\n", Instant::now() + GOODBYE);
        }
    }
}
