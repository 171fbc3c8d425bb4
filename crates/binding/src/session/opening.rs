//! Before each run: the program is there, the connections are open, and the system is in its initial state.

use super::{Ended, Session, Wrong};
use crate::act::Step;
use crate::binding::LinkText;
use crate::link::{Link, ready};
use crate::rule::Heard;
use crate::system::{System, free_port, start, write_files};
use rustix::event::{PollFd, PollFlags};
use serde_json::{Map, Value as Json, json};
use std::time::{Duration, Instant};

/// Another program may take the free port first.
const TRIES: usize = 3;

impl Session {
    /// Starts the program anew, if there is one to start.
    pub(super) fn launch(&mut self) -> Result<(), String> {
        self.close_links();
        self.system = None;
        let here = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        self.own.insert("here".into(), here.display().to_string().into());
        self.own.insert("null".into(), Json::Null);
        self.own.insert("tmp".into(), self.tmp.path().display().to_string().into());
        let mut failed = Ok(());
        for _ in 0..TRIES {
            self.own.insert("port".into(), free_port()?.into());
            failed = self.launch_once();
            if failed.is_ok() {
                return Ok(());
            }
            if self.system.as_mut().is_none_or(|system| system.end().is_none()) {
                break;
            }
        }
        failed
    }

    fn launch_once(&mut self) -> Result<(), String> {
        let binding = self.binding.clone();
        let Some(text) = &binding.system else { return Ok(()) };
        let paths = write_files(text, &self.scope(&[], &Json::Null), self.tmp.path())?;
        self.own.extend(paths);
        let stdio = binding.link.as_ref().map(|link| link.to.plain(&self.scope(&[], &Json::Null)));
        let talks = stdio.transpose()?.is_some_and(|to| to == "stdio");
        let started = start(text, &binding.env, &self.scope(&[], &Json::Null), &self.folder, talks)?;
        self.system = Some(started.system);
        if let (Some((output, input)), Some(link)) = (started.pipes, &binding.link) {
            self.pipes = Some(Link::pipes(output, input, &link.frame)?);
        }
        match (&text.ready, &mut self.system) {
            (Some(ready), Some(system)) => system.await_ready(ready, Instant::now() + binding.within),
            _ => Ok(()),
        }
    }

    pub(super) fn reset(&mut self, id: &Json, deadline: Instant) {
        self.pending = None;
        // What the last run left behind is read now, and belongs to nobody.
        if self.was_ready {
            self.read_what_is_there();
            if let Some(ended) = self.broke_before() {
                self.ended = Some(ended);
                return;
            }
        }
        self.out.clear();
        self.held.clear();
        match self.renew(deadline.min(Instant::now() + self.binding.within)) {
            Ok(()) => {
                self.was_ready = true;
                let time = self.time();
                self.say(json!({ "type": "ready", "id": id, "time": time }));
            }
            Err(Wrong::Late) => {}
            Err(Wrong::System(_, message)) if self.was_ready => self.ended = Some(Ended(message)),
            Err(Wrong::Binding(message) | Wrong::System(_, message)) => self.error(message),
        }
    }

    /// The system broke after the last answer of the run before.
    fn broke_before(&mut self) -> Option<Ended> {
        let restarts = self.binding.starts_anew();
        let end = self.system.as_mut().and_then(System::end);
        let end = end.filter(|how| !(restarts && how.ends_with("exit code 0")));
        self.lost.take().map(|lost| end.clone().unwrap_or(lost)).or(end).map(Ended)
    }

    fn read_what_is_there(&mut self) {
        while self.listen(Instant::now()) && self.ended.is_none() && !self.links.is_empty() {
            if self.links.iter().all(|link| link.closed) {
                break;
            }
        }
    }

    fn renew(&mut self, deadline: Instant) -> Result<(), Wrong> {
        let binding = self.binding.clone();
        self.early.clear();
        self.unread.clear();
        self.captured.clear();
        self.http.forget();
        self.lost = None;
        let keep = binding.link.as_ref().is_some_and(|link| link.keep) && !binding.starts_anew();
        if binding.starts_anew() && self.was_ready {
            self.launch().map_err(|why| Wrong::System("not started", why))?;
        }
        if let Some(link) = &binding.link
            && !(keep && self.was_ready)
        {
            self.open_links(link, deadline)?;
        }
        // What a program for each input writes belongs to one run.
        if binding.system.is_none() {
            self.empty_tmp();
        }
        binding.reset.iter().try_for_each(|step| self.step(step, None, deadline))
    }

    fn empty_tmp(&self) {
        let Ok(entries) = std::fs::read_dir(self.tmp.path()) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            _ = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        }
    }

    fn open_links(&mut self, text: &LinkText, deadline: Instant) -> Result<(), Wrong> {
        // The program talks over one pair of pipes as long as it lives.
        if let Some(pipes) = self.pipes.take() {
            self.links = vec![pipes];
            self.links[0].name = "system".into();
            return text.open.iter().try_for_each(|step| self.step(step, Some(0), deadline));
        }
        let to = text.to.plain(&self.scope(&[], &Json::Null)).map_err(Wrong::Binding)?;
        if to == "stdio" {
            return match self.links.is_empty() {
                true => Err(Wrong::Binding("`to = \"stdio\"` needs [sut] with a program to start".into())),
                false => text.open.iter().try_for_each(|step| self.step(step, Some(0), deadline)),
            };
        }
        self.close_links();
        let values = if text.of.is_empty() { vec![Json::Null] } else { text.of.clone() };
        for value in values {
            let system = &mut self.system;
            let mut vain = || match system.as_mut() {
                Some(system) => system.end(),
                None => Some("does it run?".into()),
            };
            let opened = Link::open(&to, &text.frame, deadline, &mut vain);
            let mut link = opened.map_err(|why| Wrong::System("no connection", why))?;
            link.name = if value.is_null() { "system".into() } else { crate::template::plain(&value) };
            link.value = value;
            self.links.push(link);
            let at = self.links.len() - 1;
            text.open.iter().try_for_each(|step| self.step(step, Some(at), deadline))?;
        }
        Ok(())
    }

    pub(super) fn close_links(&mut self) {
        let binding = self.binding.clone();
        let Some(text) = &binding.link else { return };
        for at in 0..self.links.len() {
            let near = self.of_link(at);
            for message in &text.close {
                let Ok(message) = message.filled(&self.scope(&[&near], &Json::Null)) else { continue };
                _ = self.links[at].send(&message, Instant::now() + Duration::from_millis(100));
            }
        }
        self.links.clear();
        self.pipes = None;
    }

    /// The value of the parameter that a link belongs to.
    pub(super) fn of_link(&self, at: usize) -> Map<String, Json> {
        let per = self.binding.link.as_ref().and_then(|link| link.per.clone());
        per.zip(self.links.get(at)).map(|(per, link)| (per, link.value.clone())).into_iter().collect()
    }

    /// A step of opening or of a reset.
    pub(super) fn step(&mut self, step: &Step, link: Option<usize>, deadline: Instant) -> Result<(), Wrong> {
        let near = link.map(|at| self.of_link(at)).unwrap_or_default();
        let at = link.unwrap_or(0);
        let here = |wrong| match wrong {
            Wrong::Binding(why) => Wrong::Binding(format!("line {}: {why}", step.line)),
            other => other,
        };
        if let Some(act) = &step.act
            && let Some(response) = self.act(act, &near, Some(at), deadline).map_err(here)?
        {
            self.wire.heard("reset", &format!("{} {}", response.more["status"], response.text));
            let status = response.more["status"].as_i64().unwrap_or_default();
            // Of a program or of HTTP.
            if !(status == 0 || (200..400).contains(&status)) {
                let what = format!("line {}: the reset failed with status {status}: {}", step.line, response.text);
                return Err(Wrong::System("reset failed", what));
            }
        }
        let Some(until) = &step.until else { return Ok(()) };
        let mut last = None;
        while let Some(heard) = self.next_on(at, deadline) {
            if heard.closed {
                let why = format!("line {}: {} before `{until}` came", step.line, heard.text);
                return Err(Wrong::System("connection closed", why));
            }
            if until.is_match(&heard.text) {
                return Ok(());
            }
            last = Some(heard.text);
        }
        let last = last.map_or("nothing came".into(), |last| format!("the last line was `{last}`"));
        Err(Wrong::System("no answer", format!("line {}: `{until}` did not come; {last}", step.line)))
    }

    /// The next message of a link; automatic answers are given on the way. `None`: none came in time.
    fn next_on(&mut self, at: usize, deadline: Instant) -> Option<Heard> {
        loop {
            if let Some(index) = self.unread.iter().position(|(own, _)| *own == at) {
                let (_, heard) = self.unread.remove(index)?;
                self.wire.heard(&self.links[at].name, &heard.text);
                if !self.answered_by_itself(at, &heard) {
                    return Some(heard);
                }
                continue;
            }
            let link = self.links.get_mut(at)?;
            if link.closed {
                return Some(Heard { text: "the connection was closed".into(), closed: true, ..Heard::default() });
            }
            let came = ready(&mut [PollFd::from_borrowed_fd(link.descriptor(), PollFlags::IN)], deadline);
            if !came {
                return None;
            }
            self.unread.extend(link.read().into_iter().map(|heard| (at, heard)));
        }
    }
}
