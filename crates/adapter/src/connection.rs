//! A conversation with an adapter: questions with numbers, answers with the same numbers, and outputs whenever they come.

use crate::codec::Codec;
use crate::exchange::{Exchange, Side};
use crate::hello;
use crate::message::{EventMessage, Message, OfferMessage};
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
    outputs: VecDeque<Output>,
    /// The bytes of the messages that `outputs` came in.
    bytes: usize,
    phase: Phase,
    /// What the adapter said unasked about the inputs that it would take now.
    offered: Option<Vec<Event>>,
    /// What it said about them along with the last answer.
    along: Option<Vec<OfferMessage>>,
    /// What it said along with `ready` about the moment before the reset. Only names: identities of objects are forgotten by then.
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
    Output,
    Nothing,
}

enum Reply {
    Ready,
    Accepted(Option<Json>),
    Refused(String),
    Stepped(Vec<EventMessage>),
    Enabled(Vec<EventMessage>),
    Snapshot(String),
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
            outputs: VecDeque::new(),
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
        connection.greet(limits.start)?;
        connection.configure(settings, limits.start)?;
        Ok(connection)
    }

    /// The optional messages that the adapter understands.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// How what the adapter announced differs from the specification; nothing if it announced nothing.
    pub fn differences(&self) -> Vec<String> {
        hello::differences(self.codec.model(), &self.hello)
    }

    fn greet(&mut self, limit: Duration) -> Result<(), Trouble> {
        if !self.receive(Instant::now() + limit)? {
            let message =
                format!("the adapter said nothing within {limit:?}; its first message must be `hello`, unasked");
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
    ) -> Result<Reply, Trouble> {
        if let Some(trouble) = &self.broken {
            return Err(trouble.clone());
        }
        let (id, deadline) = (self.next_id, Instant::now() + limit);
        self.next_id += 1;
        (self.offered, self.along, self.before) = (None, None, None);
        self.text.clear();
        _ = write!(self.text, "{{\"type\":\"{kind}\",\"id\":{id}");
        rest(&mut self.codec, &mut self.text);
        self.text.extend_from_slice(b"}\n");
        self.send(deadline)?;
        let reply = self.await_reply(id, deadline)?;
        self.outputs.iter_mut().for_each(|output| output.before_answer = true);
        reply.ok_or_else(|| {
            self.abandoned.push(id);
            Trouble::no_answer(&format!("`{kind}`"), limit)
        })
    }

    fn await_reply(&mut self, id: u64, deadline: Instant) -> Result<Option<Reply>, Trouble> {
        let mut others = 0;
        while self.receive(deadline)? {
            match self.understand(Some(id))? {
                Heard::Answer(reply) => return Ok(Some(reply)),
                Heard::Output | Heard::Nothing => others += 1,
            }
            if others > MOST_OUTPUTS || self.bytes > MOST_BYTES {
                let message =
                    format!("more than {others} messages came before one answer; the adapter floods its output");
                return Err(self.stay_broken(Trouble::new(TroubleKind::Flood, message)));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(None)
    }

    /// Looks at the line that was received last.
    fn understand(&mut self, expected: Option<u64>) -> Result<Heard, Trouble> {
        let line = std::mem::take(&mut self.line);
        let heard = parse(&line).and_then(|message| self.hear(message, line.len(), expected));
        self.line = line;
        heard.map_err(|trouble| self.stay_broken(trouble))
    }

    fn hear(&mut self, mut message: Message, length: usize, expected: Option<u64>) -> Result<Heard, Trouble> {
        let (along, before) = (message.enabled.take(), message.before.take());
        let reply = match &*message.kind {
            "output" => return self.hear_output(&message, length),
            "error" => return Err(error(&message)),
            "hello" => return Err(Trouble::out_of_turn("`hello` came a second time")),
            "enabled" if message.id.is_none() => return self.hear_offer(&message),
            "ready" => Reply::Ready,
            "accepted" => Reply::Accepted(message.result),
            "refused" => Reply::Refused(message.reason.unwrap_or_default().into_owned()),
            "stepped" => Reply::Stepped(message.outputs.unwrap_or_default()),
            "enabled" => Reply::Enabled(message.events.unwrap_or_default()),
            "snapshot" => Reply::Snapshot(message.state.unwrap_or_default().into_owned()),
            _ => return Ok(Heard::Nothing),
        };
        let kind = &message.kind;
        let Some(id) = message.id else { return Err(Trouble::out_of_turn(format!("`{kind}` came without an `id`"))) };
        if let Some(late) = self.abandoned.iter().position(|abandoned| *abandoned == id) {
            self.abandoned.remove(late);
            return Ok(Heard::Nothing);
        }
        match expected {
            Some(expected) if expected == id => {
                (self.along, self.before) = (along, before);
                Ok(Heard::Answer(reply))
            }
            _ if id < self.next_id && id > 0 => {
                Err(Trouble::out_of_turn(format!("a second answer (`{kind}`) came to the message with id {id}")))
            }
            _ => Err(Trouble::out_of_turn(format!("`{kind}` has the id {id}, which no message had"))),
        }
    }

    fn hear_output(&mut self, message: &Message, length: usize) -> Result<Heard, Trouble> {
        match self.phase {
            Phase::New => {
                let problem =
                    "an output came before the first reset was answered by `ready`; outputs of a run come after it";
                return Err(Trouble::out_of_turn(problem));
            }
            Phase::Resetting => return Ok(Heard::Nothing),
            Phase::Running => {}
        }
        let name = message.action.as_deref().unwrap_or_default();
        let event = self.codec.read(Direction::Output, name, message.args.as_ref()).map_err(Trouble::unknown)?;
        self.bytes += length;
        self.outputs.push_back(Output { event, time: message.time, before_answer: false });
        Ok(Heard::Output)
    }

    /// The form of `enabled` that comes unasked: only names.
    fn hear_offer(&mut self, message: &Message) -> Result<Heard, Trouble> {
        let names = message.actions.as_ref().and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        let events = message.events.as_deref().unwrap_or_default();
        let mut offered: Vec<Event> = names
            .map(|name| self.codec.known(Direction::Input, name).map(any))
            .collect::<Result<_, _>>()
            .map_err(Trouble::unknown)?;
        offered.extend(self.events(events)?);
        self.offered = Some(offered);
        Ok(Heard::Nothing)
    }

    /// Inputs of which some may be named without arguments.
    fn events(&mut self, events: &[EventMessage]) -> Result<Vec<Event>, Trouble> {
        events.iter().map(|event| self.input_event(event)).collect::<Result<_, _>>().map_err(Trouble::unknown)
    }

    fn input_event(&mut self, event: &EventMessage) -> Result<Event, String> {
        match &event.args {
            None => self.codec.known(Direction::Input, &event.action).map(any),
            Some(args) => self.codec.read(Direction::Input, &event.action, Some(args)),
        }
    }

    fn offer(&mut self, offer: &OfferMessage) -> Result<Event, String> {
        match offer {
            OfferMessage::Name(name) => self.codec.known(Direction::Input, name).map(any),
            OfferMessage::Event(event) => self.input_event(event),
        }
    }

    fn send(&mut self, deadline: Instant) -> Result<(), Trouble> {
        self.exchange.note(Side::Interplay, &self.text);
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
        match self.transport.receive(&mut self.line, deadline) {
            Ok(true) => {
                self.exchange.note(Side::Adapter, &self.line);
                Ok(true)
            }
            Ok(false) => Ok(false),
            Err(broken) => {
                let trouble = self.diagnose(broken);
                Err(self.stay_broken(trouble))
            }
        }
    }

    fn diagnose(&mut self, broken: Broken) -> Trouble {
        let mut trouble = Trouble::broken(broken, || self.transport.obituary().words);
        if let (TroubleKind::Died, Some(last)) = (trouble.kind, self.transport.aside().last()) {
            trouble.message += &format!("; the last line on its standard error: {last}");
        }
        trouble
    }

    fn stay_broken(&mut self, trouble: Trouble) -> Trouble {
        self.broken.get_or_insert(trouble).clone()
    }

    fn unexpected(&mut self, question: &str) -> Trouble {
        self.stay_broken(Trouble::out_of_turn(format!("`{question}` got an answer of another kind")))
    }

    fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|each| each == feature)
    }

    fn accepted(&mut self, action: ActionId, json: Option<&Json>) -> Result<Answer, Trouble> {
        let result = self.codec.read_result(action, json);
        result.map(Answer::Accepted).map_err(|problem| self.stay_broken(Trouble::unknown(problem)))
    }
}

impl Implementation for Connection {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn reset(&mut self, limit: Duration) -> Result<(), Trouble> {
        self.outputs.clear();
        self.bytes = 0;
        self.codec.forget();
        if self.phase == Phase::Running {
            self.phase = Phase::Resetting;
        }
        match self.ask("reset", limit, |_, _| {})? {
            Reply::Ready => {
                self.phase = Phase::Running;
                Ok(())
            }
            _ => Err(self.unexpected("reset")),
        }
    }

    fn input(&mut self, event: &Event, limit: Duration) -> Result<Answer, Trouble> {
        let reply = self.ask("input", limit, |codec, text| {
            text.push(b',');
            codec.write(event, text);
        });
        match reply? {
            Reply::Accepted(result) => self.accepted(event.action, result.as_ref()),
            Reply::Refused(reason) => Ok(Answer::Refused(reason)),
            _ => Err(self.unexpected("input")),
        }
    }

    fn observe(&mut self, limit: Duration) -> Result<Option<Output>, Trouble> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(output) = self.outputs.pop_front() {
                if self.outputs.is_empty() {
                    self.bytes = 0;
                }
                return Ok(Some(output));
            }
            if let Some(trouble) = &self.broken {
                return Err(trouble.clone());
            }
            if !self.receive(deadline)? {
                return Ok(None);
            }
            // Whoever sends other things without end does not get more time for it.
            if matches!(self.understand(None)?, Heard::Nothing) && Instant::now() >= deadline {
                return Ok(None);
            }
        }
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
            Reply::Stepped(outputs) => {
                let mut read =
                    |event: &EventMessage| self.codec.read(Direction::Output, &event.action, event.args.as_ref());
                let events: Result<Vec<Event>, String> = outputs.iter().map(&mut read).collect();
                events.map_err(|problem| self.stay_broken(Trouble::unknown(problem)))
            }
            Reply::Refused(reason) => Err(Trouble::new(
                TroubleKind::Error,
                format!("the adapter refuses a step: {reason}; it must take all inputs"),
            )),
            _ => Err(self.unexpected("step")),
        }
    }

    fn enabled(&mut self, limit: Duration) -> Result<Option<Vec<Event>>, Trouble> {
        if !self.has("enabled") {
            return Ok(self.offered.clone());
        }
        match self.ask("enabled", limit, |_, _| {})? {
            Reply::Enabled(events) => self.events(&events).map(Some).map_err(|trouble| self.stay_broken(trouble)),
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
            Reply::Snapshot(state) => Ok(Some(state)),
            _ => Err(self.unexpected("snapshot")),
        }
    }

    fn exchange(&self) -> Vec<String> {
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

/// The input with any arguments.
fn any(action: ActionId) -> Event {
    Event::new(action, Vec::new())
}

fn parse(line: &[u8]) -> Result<Message<'_>, Trouble> {
    serde_json::from_slice(line).map_err(|problem| Trouble::garbage(line, &problem.to_string()))
}

fn error(message: &Message) -> Trouble {
    let reason = message.message.as_deref().unwrap_or("it does not say why");
    Trouble::new(TroubleKind::Error, format!("the adapter cannot go on: {reason}"))
}
