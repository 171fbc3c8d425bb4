//! Giving an input: what is sent, and who waits for the answer.

use super::{Pending, Session, Wrong, chosen};
use crate::act::{Act, Given, Request};
use crate::frame::Frame;
use crate::link::Unsent;
use crate::program::{self, Called};
use crate::request::{self, Asked, escaped};
use crate::rule::Heard;
use crate::template::plain;
use serde_json::{Map, Value as Json, json};
use std::time::Instant;

impl Session {
    pub(super) fn input(&mut self, message: &Json, deadline: Instant) {
        let (id, input) = (&message["id"], message["action"].as_str().unwrap_or_default().to_string());
        // What came before the input is told before its answer.
        while !self.links.is_empty() && self.listen(Instant::now()) {
            if self.ended.is_some() || self.links.iter().all(|link| link.closed) {
                break;
            }
        }
        if let Some(lost) = self.lost.take() {
            let message = self.epitaph(lost);
            return self.raised(id, "connection closed", &message);
        }
        let binding = self.binding.clone();
        let Some(given) = binding.inputs.get(&input) else {
            let reason = format!("the binding has no input `{input}`");
            return self.say(json!({ "type": "refused", "id": id, "reason": reason }));
        };
        let args = message["args"].as_object().cloned().unwrap_or_default();
        match self.give(id, &input, given, args, deadline) {
            Ok(()) | Err(Wrong::Late) => {}
            Err(Wrong::Binding(why)) => self.error(format!("input `{input}`: {why}")),
            Err(Wrong::System(name, why)) => {
                self.pending = None;
                let message = self.epitaph(why);
                self.raised(id, name, &message);
            }
        }
    }

    fn give(
        &mut self,
        id: &Json,
        input: &str,
        given: &Given,
        args: Map<String, Json>,
        deadline: Instant,
    ) -> Result<(), Wrong> {
        let (case, act, carried) = chosen(&given.how, &args).map_err(Wrong::Binding)?;
        let link = self.link_of(given, &args)?;
        let mut near = carried;
        near.extend(args.clone());
        let binding = self.binding.clone();
        let fence = binding.link.as_ref().and_then(|link| link.fence.as_ref());
        let fence = fence.filter(|_| matches!(act, Act::Send(_)) && given.answer != Some(false));
        self.fences += u64::from(fence.is_some());
        let waits = given.answer.unwrap_or_else(|| self.can_be_answered(input, case.as_deref()));
        self.pending = Some(Pending {
            id: id.clone(),
            input: input.into(),
            case,
            args,
            link,
            fence: fence.map(|_| self.fences),
            answers: Vec::new(),
        });
        let response = self.act(act, &near, link, deadline)?;
        if let (Some(send), Some(at)) = (fence.and_then(|fence| fence.send.as_ref()), link) {
            let number = Map::from_iter([("n".to_string(), Json::from(self.fences))]);
            let message = send.filled(&self.scope(&[&number, &near], &Json::Null)).map_err(Wrong::Binding)?;
            self.send(at, &message, deadline)?;
        }
        if let Some(response) = response {
            self.respond(response, waits);
        } else if fence.is_none() && (!waits || !matches!(act, Act::Send(_))) {
            self.accept(None);
        } else if fence.is_none() {
            self.remember();
        }
        Ok(())
    }

    /// The link that an input goes over.
    fn link_of(&self, given: &Given, args: &Map<String, Json>) -> Result<Option<usize>, Wrong> {
        let Some(text) = &self.binding.link else { return Ok(None) };
        let value = match (&given.on, &text.per) {
            (Some(on), _) => on.filled(&self.scope(&[args], &Json::Null)).map_err(Wrong::Binding)?,
            (None, Some(per)) if args.contains_key(per) => args[per].clone(),
            _ => return Ok((!self.links.is_empty()).then_some(0)),
        };
        let found = self.links.iter().position(|link| link.value == value);
        let missing = || Wrong::Binding(format!("`of` lacks {value}: there is no connection for it"));
        found.map(Some).ok_or_else(missing)
    }

    /// Does one thing; a request and a program give a response.
    pub(super) fn act(
        &mut self,
        act: &Act,
        near: &Map<String, Json>,
        link: Option<usize>,
        deadline: Instant,
    ) -> Result<Option<Heard>, Wrong> {
        match act {
            Act::Wait(time) => {
                std::thread::sleep((*time).min(deadline.saturating_duration_since(Instant::now())));
                Ok(None)
            }
            Act::Send(template) => {
                let message = template.filled(&self.scope(&[near], &Json::Null)).map_err(Wrong::Binding)?;
                let at = link.filter(|at| *at < self.links.len());
                self.send(at.ok_or_else(|| Wrong::Binding("there is no connection".into()))?, &message, deadline)?;
                Ok(None)
            }
            Act::Http(request) => self.request(request, near, deadline).map(Some),
            Act::Run(called) => {
                let scope = self.scope(&[near], &Json::Null);
                let words = called.words.iter().map(|word| word.plain(&scope)).collect::<Result<Vec<_>, _>>();
                let stdin = called.stdin.as_ref().map(|stdin| stdin.plain(&scope)).transpose();
                let env = self.binding.env.iter().map(|(name, value)| Ok((name.clone(), value.plain(&scope)?)));
                let env = env.collect::<Result<Vec<(String, String)>, String>>();
                let words = words.map_err(Wrong::Binding)?;
                let stdin = stdin.map_err(Wrong::Binding)?.unwrap_or_default();
                self.wire.sent("program", &words.join(" "));
                if !stdin.is_empty() {
                    self.wire.sent("stdin", &stdin);
                }
                let called = Called { words, stdin, env: env.map_err(Wrong::Binding)? };
                program::call(called, &self.folder, deadline).map(Some).map_err(|failed| match failed {
                    program::Failed::Impossible(why) => Wrong::Binding(why),
                    program::Failed::Late => Wrong::Late,
                    program::Failed::Crashed(why) => Wrong::System("crash", why),
                })
            }
        }
    }

    fn request(&mut self, request: &Request, near: &Map<String, Json>, deadline: Instant) -> Result<Heard, Wrong> {
        let binding = self.binding.clone();
        let Some(text) = &binding.http else { return Err(Wrong::Binding("there is no [http]".into())) };
        let scope = self.scope(&[near], &Json::Null);
        let target = request.target.woven(&scope, &escaped).map_err(Wrong::Binding)?;
        let base = text.base.plain(&scope).map_err(Wrong::Binding)?;
        let all = text.headers.iter().chain(&request.headers);
        let headers = all.map(|(name, value)| Ok((name.clone(), value.plain(&scope)?))).collect::<Result<_, _>>();
        let mut headers: Vec<(String, String)> = headers.map_err(Wrong::Binding)?;
        let json = request.json.as_ref().map(|json| json.filled(&scope)).transpose().map_err(Wrong::Binding)?;
        let body = request.body.as_ref().map(|body| body.plain(&scope)).transpose().map_err(Wrong::Binding)?;
        if json.is_some() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            headers.push(("Content-Type".into(), "application/json".into()));
        }
        let body = json.map(|json| json.to_string()).or(body).unwrap_or_default();
        let jar = text.cookies.as_ref().map(|per| near.get(per).map(plain).unwrap_or_default());
        self.wire.sent("http", format!("{} {target} {body}", request.method).trim_end());
        let address = format!("{}{target}", base.trim_end_matches('/'));
        let asked = Asked { method: request.method.clone(), address, headers, body: body.into_bytes(), jar };
        self.http.ask(asked, deadline).map_err(|failed| match failed {
            request::Failed::Impossible(why) => Wrong::Binding(why),
            request::Failed::Late => Wrong::Late,
            request::Failed::Broken(why) => Wrong::System("no response", why),
        })
    }

    pub(super) fn send(&mut self, at: usize, message: &Json, deadline: Instant) -> Result<(), Wrong> {
        let link = &mut self.links[at];
        self.wire.sent(&link.name, &Frame::shown(message));
        link.send(message, deadline).map_err(|unsent| match unsent {
            Unsent::Impossible(why) => Wrong::Binding(why),
            Unsent::Deaf(why) => Wrong::System("connection closed", why),
        })
    }

    /// What is known about the end of the system, behind what was seen of it.
    fn epitaph(&mut self, why: String) -> String {
        let Some(system) = &mut self.system else { return why };
        let end = system.end_soon().map(|end| format!("; {end}")).unwrap_or_default();
        let last = system.printed().last().map(|line| format!("; the last line that it printed: {line}"));
        format!("{why}{end}{}", last.unwrap_or_default())
    }
}
