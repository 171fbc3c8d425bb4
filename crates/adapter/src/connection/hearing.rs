//! What an adapter's messages mean to whoever waits.

use super::{Connection, Heard, Phase, Replied, Reply};
use crate::message::{EventMessage, Message, OfferMessage};
use crate::{Output, Trouble, TroubleKind};
use interplay_model::{ActionId, Direction, Discipline};
use interplay_semantics::Event;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::time::Instant;

impl Connection {
    /// Looks at the line that was received last.
    pub(super) fn understand(&mut self, expected: Option<u64>) -> Result<Heard, Trouble> {
        let line = std::mem::take(&mut self.line);
        let heard = parse(&line).and_then(|message| self.hear(message, line.len(), expected));
        self.line = line;
        heard.map_err(|trouble| self.stay_broken(trouble))
    }

    pub(super) fn hear(
        &mut self,
        mut message: Message,
        length: usize,
        expected: Option<u64>,
    ) -> Result<Heard, Trouble> {
        let (enabled, before) = (message.enabled.take(), message.before.take());
        let kind = match &*message.kind {
            "output" => return self.hear_output(&message, length),
            "error" => return Err(error(&message)),
            "hello" => return Err(Trouble::out_of_turn("`hello` was sent twice")),
            "enabled" if message.id.is_none() => return self.hear_offer(&message),
            "ready" => {
                message.time.into_iter().for_each(|time| self.clock.compare(time, Instant::now()));
                Replied::Ready
            }
            "accepted" => Replied::Accepted(message.result),
            "refused" => Replied::Refused(message.reason.unwrap_or_default().into_owned()),
            "raised" => Replied::Raised(names(&message), raised(&message)),
            "stepped" => Replied::Stepped(message.outputs.unwrap_or_default()),
            "enabled" => Replied::Enabled(message.events.unwrap_or_default()),
            "snapshot" => Replied::Snapshot(message.state.unwrap_or_default().into_owned()),
            _ => return Ok(Heard::Nothing),
        };
        let word = &message.kind;
        let Some(id) = message.id else { return Err(Trouble::out_of_turn(format!("`{word}` has no `id`"))) };
        if let Some(late) = self.abandoned.iter().position(|abandoned| *abandoned == id) {
            self.abandoned.remove(late);
            return Ok(Heard::Nothing);
        }
        let reply = Reply { kind, enabled, before };
        if expected == Some(id) {
            return Ok(Heard::Answer(reply));
        }
        match self.ahead.keep(id, reply) {
            true => Ok(Heard::Early),
            false if id < self.next_id && id > 0 => {
                Err(Trouble::out_of_turn(format!("the message with id {id} was answered twice (`{word}`)")))
            }
            false => Err(Trouble::out_of_turn(format!("`{word}` answers the id {id}, but no message has it"))),
        }
    }

    pub(super) fn hear_output(&mut self, message: &Message, length: usize) -> Result<Heard, Trouble> {
        match self.phase {
            Phase::New => {
                let problem = "an output was sent before the first `ready`; send outputs after it";
                return Err(Trouble::out_of_turn(problem));
            }
            Phase::Resetting => return Ok(Heard::Nothing),
            Phase::Running if self.codec.model().discipline == Discipline::Synchronous => {
                let problem = "a synchronous system sent `output`; its outputs belong into `stepped`";
                return Err(Trouble::out_of_turn(problem));
            }
            Phase::Running => {}
        }
        let name = message.action.as_deref().unwrap_or_default();
        let event = match self.codec.read(Direction::Output, name, message.args.as_ref()) {
            Ok(event) => event,
            Err(problem) => {
                self.foreign.get_or_insert_with(|| Trouble::foreign(problem));
                return Ok(Heard::Output);
            }
        };
        self.bytes += length;
        let came = Instant::now();
        let time = message.time.map_or(came, |time| self.clock.read(time, came));
        self.outputs.push_back(Output { event, time: Some(time), before_answer: false });
        Ok(Heard::Output)
    }

    /// The form of `enabled` that comes unasked: only names.
    pub(super) fn hear_offer(&mut self, message: &Message) -> Result<Heard, Trouble> {
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
    pub(super) fn events(&mut self, events: &[EventMessage]) -> Result<Vec<Event>, Trouble> {
        events.iter().map(|event| self.input_event(event)).collect::<Result<_, _>>().map_err(Trouble::unknown)
    }

    pub(super) fn input_event(&mut self, event: &EventMessage) -> Result<Event, String> {
        match &event.args {
            None => self.codec.known(Direction::Input, &event.action).map(any),
            Some(args) => self.codec.read(Direction::Input, &event.action, Some(args)),
        }
    }

    pub(super) fn offer(&mut self, offer: &OfferMessage) -> Result<Event, String> {
        match offer {
            OfferMessage::Name(name) => self.codec.known(Direction::Input, name).map(any),
            OfferMessage::Event(event) => self.input_event(event),
        }
    }
}

/// The input with any arguments.
pub(super) fn any(action: ActionId) -> Event {
    Event::new(action, Vec::new())
}

pub(super) fn parse(line: &[u8]) -> Result<Message<'_>, Trouble> {
    serde_json::from_slice(line).map_err(|problem| Trouble::garbage(line, &problem.to_string()))
}

fn names(message: &Message) -> Vec<String> {
    let own = message.error.iter().map(|name| name.to_string());
    own.chain(message.kinds.iter().flatten().cloned()).collect()
}

fn raised(message: &Message) -> Trouble {
    let text = |field: &Option<Cow<'_, str>>| field.as_deref().unwrap_or_default().to_string();
    Trouble::raised(&text(&message.error), &text(&message.message), &text(&message.place))
}

pub(super) fn error(message: &Message) -> Trouble {
    let reason = message.message.as_deref().unwrap_or("no reason given");
    Trouble::new(TroubleKind::Error, format!("the adapter reports an error: {reason}"))
}
