//! What was read, and what it means by the first rule that fits.

use super::Session;
use crate::rule::{Heard, Rule, Tells};
use crate::template::plain;
use serde_json::{Map, Value as Json, json};

/// What becomes of something that was read.
enum Meaning {
    /// By the rule of this number, whose pattern has these groups.
    Rule(usize, Map<String, Json>),
    /// It may answer an input that comes later.
    Early,
    Nothing,
}

impl Session {
    /// Something came over a link.
    pub(super) fn hear(&mut self, at: usize, heard: Heard) {
        self.wire.heard(&self.links[at].name, &heard.text);
        if !heard.closed && self.answered_by_itself(at, &heard) {
            return;
        }
        let fence = if heard.closed { None } else { self.fence_of(at, &heard) };
        // Only a fence that was sent is nothing else.
        if fence != Some(true) {
            self.understand(at, heard, fence.is_some());
        }
        if fence.is_some() {
            self.finish();
        }
    }

    /// It ends the answer that is waited for; true if it answers what was sent for that.
    fn fence_of(&self, at: usize, heard: &Heard) -> Option<bool> {
        let pending = self.pending.as_ref().filter(|pending| pending.link == Some(at))?;
        let number = pending.fence?;
        let fence = self.binding.link.as_ref()?.fence.as_ref()?;
        let captures = fence.until.captures(&heard.text)?;
        let own = captures.name("n").is_none_or(|n| n.as_str().parse() == Ok(number));
        own.then_some(fence.send.is_some())
    }

    pub(super) fn answered_by_itself(&mut self, at: usize, heard: &Heard) -> bool {
        let binding = self.binding.clone();
        let autos = binding.link.iter().flat_map(|link| &link.auto);
        for (when, send) in autos {
            let Some(captures) = when.captures(&heard.text) else { continue };
            let groups = crate::convert::groups(when, &captures);
            let near = self.of_link(at);
            if let Ok(message) = send.filled(&self.scope(&[&groups, &near], &heard.value)) {
                _ = self.send(at, &message, std::time::Instant::now() + std::time::Duration::from_secs(1));
            }
            return true;
        }
        false
    }

    fn understand(&mut self, at: usize, heard: Heard, fence: bool) {
        let own = self.of_link(at);
        match self.meaning(Some(at), &heard, &own) {
            Meaning::Rule(index, groups) => self.obey(index, &heard, &groups, &own, Some(at)),
            Meaning::Early => self.early.push_back((at, heard)),
            Meaning::Nothing if heard.closed => self.closed(at, heard.text),
            Meaning::Nothing if fence => {}
            Meaning::Nothing => self.unmatched(&heard),
        }
    }

    /// The first rule that fits.
    fn meaning(&mut self, at: Option<usize>, heard: &Heard, own: &Map<String, Json>) -> Meaning {
        let binding = self.binding.clone();
        let waits = self.pending.as_ref().filter(|pending| at.is_none() || pending.link == at);
        let none = Map::new();
        let text = spoken(heard);
        let args = waits.map_or(&none, |pending| &pending.args);
        let scope = self.scope(&[own, args, &heard.more, &text], &heard.value);
        let mut fitting = Vec::new();
        let mut early = false;
        for (index, rule) in binding.rules.iter().enumerate() {
            let asked = waits.is_some_and(|pending| {
                rule.is_for(&pending.input, pending.case.as_deref()) && self.suits(rule, &pending.input)
            });
            let possible = asked || rule.inputs.is_empty() && !rule.answers();
            let may_come_early = waits.is_none() && rule.answers();
            if !(possible || may_come_early) {
                continue;
            }
            let Some(groups) = rule.fits(heard, &scope) else { continue };
            if !possible {
                early = true;
                // Later rules may say that it is no answer, unless this one would have been asked first.
                if rule.inputs.is_empty() {
                    break;
                }
                continue;
            }
            fitting.push((index, groups));
            if !self.wire.keeps_all() {
                break;
            }
        }
        drop(scope);
        let lines = fitting.iter().map(|(index, _)| binding.rules[*index].line).collect();
        if !early || !fitting.is_empty() {
            self.wire.fitted(&heard.text, lines);
        }
        match fitting.into_iter().next() {
            Some((index, groups)) => Meaning::Rule(index, groups),
            None if early => Meaning::Early,
            None => Meaning::Nothing,
        }
    }

    fn obey(
        &mut self,
        index: usize,
        heard: &Heard,
        groups: &Map<String, Json>,
        own: &Map<String, Json>,
        at: Option<usize>,
    ) {
        let binding = self.binding.clone();
        let rule = &binding.rules[index];
        if let Err(why) = self.told(rule, heard, groups, own, at) {
            self.error(format!("line {}: {why}, in `{}`", rule.line, heard.text));
        }
    }

    fn told(
        &mut self,
        rule: &Rule,
        heard: &Heard,
        groups: &Map<String, Json>,
        own: &Map<String, Json>,
        at: Option<usize>,
    ) -> Result<(), String> {
        let args = match &self.pending {
            Some(pending) if at.is_none() || pending.link == at => pending.args.clone(),
            _ => Map::new(),
        };
        let text = spoken(heard);
        let near = [groups, own, &args, &heard.more, &text];
        for capture in &rule.capture {
            let scope = self.scope(&near, &heard.value);
            let value = capture.value.filled(&scope)?;
            let key = capture.key.as_ref().map(|key| near.iter().find_map(|layer| layer.get(key)).map(plain));
            match key {
                None => _ = self.captured.insert(capture.name.clone(), value),
                Some(key) => {
                    let key = key.ok_or_else(|| format!("`{}` has no key here", capture.name))?;
                    let table = self.captured.entry(capture.name.clone()).or_insert_with(|| json!({}));
                    table[key] = value;
                }
            }
        }
        let scope = self.scope(&near, &heard.value);
        match &rule.tells {
            Tells::Nothing => {}
            Tells::Output { name, args } => {
                let each = args.iter().map(|(name, value)| Ok((name.clone(), value.filled(&scope)?)));
                let args = each.collect::<Result<Map<_, _>, String>>()?;
                let time = self.time();
                let output = json!({ "type": "output", "action": name, "args": args, "time": time });
                if self.pending.is_some() {
                    self.held.push(output);
                } else {
                    self.say(output);
                }
            }
            Tells::Answer(value) => {
                let value = value.as_ref().map(|value| value.filled(&scope)).transpose()?;
                self.answer(value);
            }
            Tells::Refuse(reason) => {
                let reason = reason.plain(&scope)?;
                if let Some(pending) = self.pending.take() {
                    self.reply(json!({ "type": "refused", "id": pending.id, "reason": reason }));
                }
            }
            Tells::Raise(name) => {
                let name = name.plain(&scope)?;
                if let Some(pending) = self.pending.take() {
                    self.raised(&pending.id, &name, &heard.text);
                }
            }
        }
        Ok(())
    }

    /// The response of a request or a program.
    pub(super) fn respond(&mut self, heard: Heard, waits: bool) {
        let status = heard.more.get("status").map(plain).unwrap_or_default();
        self.wire.heard("status", &status);
        if !heard.text.is_empty() {
            self.wire.heard("", &heard.text);
        }
        if let Some(error) = heard.more.get("stderr").map(plain).filter(|error| !error.is_empty()) {
            self.wire.heard("stderr", &error);
        }
        match self.meaning(None, &heard, &Map::new()) {
            Meaning::Rule(index, groups) => self.obey(index, &heard, &groups, &Map::new(), None),
            Meaning::Early | Meaning::Nothing if waits => {
                let error = heard.more.get("stderr").map(plain).unwrap_or_default();
                let text = [format!("status {status}"), error, heard.text.clone()];
                let text = text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
                self.unmatched(&Heard { text, ..heard });
            }
            Meaning::Early | Meaning::Nothing => {}
        }
        // A rule that tells of something else leaves the input without a result.
        if self.ended.is_none() {
            self.accept(None);
        }
    }

    /// What came before may be the answer.
    pub(super) fn remember(&mut self) {
        while self.pending.is_some() {
            let Some((at, heard)) = self.early.pop_front() else { return };
            let own = self.of_link(at);
            match self.meaning(Some(at), &heard, &own) {
                Meaning::Rule(index, groups) => self.obey(index, &heard, &groups, &own, Some(at)),
                // Of another link.
                Meaning::Early => {
                    self.early.push_front((at, heard));
                    return;
                }
                Meaning::Nothing => self.unmatched(&heard),
            }
        }
    }

    /// One answer; with a fence there may be more.
    fn answer(&mut self, value: Option<Json>) {
        match &mut self.pending {
            Some(pending) if pending.fence.is_some() => pending.answers.extend(value),
            _ => self.accept(value),
        }
    }

    pub(super) fn accept(&mut self, result: Option<Json>) {
        if let Some(pending) = self.pending.take() {
            self.reply(json!({ "type": "accepted", "id": pending.id, "result": result }));
        }
    }

    /// The fence came: the answer is complete.
    fn finish(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        let answers = std::mem::take(&mut pending.answers);
        let collect = self.binding.link.as_ref().is_some_and(|link| link.collect);
        match &answers[..] {
            _ if collect => self.accept(Some(answers.into())),
            [] => self.accept(None),
            [_] => self.accept(answers.into_iter().next()),
            _ => {
                let input = pending.input.clone();
                let shown = Json::from(answers);
                let advice = "`collect = true` in [link] makes a list of them, `ignore` skips some";
                self.error(format!("input `{input}` has more than one answer: {shown}; {advice}"));
            }
        }
    }

    fn closed(&mut self, at: usize, why: String) {
        let name = self.links[at].name.clone();
        let why = if name == "system" { why } else { format!("{name}: {why}") };
        match self.pending.take() {
            Some(pending) if pending.link == Some(at) => {
                let end = self.system.as_mut().and_then(|system| system.end_soon());
                let why = end.map_or(why.clone(), |end| format!("{why}; {end}"));
                self.raised(&pending.id, "connection closed", &why);
            }
            pending => {
                self.pending = pending;
                self.lost.get_or_insert(why);
            }
        }
    }

    fn unmatched(&mut self, heard: &Heard) {
        let waits = self.pending.as_ref().map_or(String::new(), |pending| format!(" after input `{}`", pending.input));
        let advice = "write a [[read]] for it, with `ignore = true` if it means nothing";
        self.error(format!("no [[read]] fits `{}`{waits}; {advice}", heard.text.trim_end()));
    }
}

/// The text as it was read.
fn spoken(heard: &Heard) -> Map<String, Json> {
    Map::from_iter([("text".to_string(), Json::from(heard.text.as_str()))])
}
