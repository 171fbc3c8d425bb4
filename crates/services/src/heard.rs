//! A service built in Rust as the logic of a conversation: its inputs are named as in the graph, and values are written as `{:?}`
//! shows them (a text without its quotes), or as [`Graph::reads`] reads them.

use crate::Problem;
use crate::graph::{Graph, Kind};
use crate::logic::{Happening, Input, Logic, Param, ParamKind, Prompt, Reaction, Said, Standing, Wrong};
use crate::service::{EventId, LabelId, Service};
use crate::session::{Session, caught};
use std::fmt::Debug;

impl<D, V: Debug> Graph<D, V> {
    fn written(&self, input: usize) -> Vec<String> {
        self.labels[input].values.iter().map(plain).collect()
    }
}

impl<D, V: Debug> Session<'_, D, V> {
    /// The event that was said. What only the reader of the label knows is remembered.
    fn event(&mut self, said: &Said) -> Result<EventId, String> {
        let graph = self.graph();
        let Some(label) = graph.labels.get(said.input) else { return Err("unknown input".into()) };
        let id = LabelId(said.input as u32);
        let text = match (label.values.is_empty() && label.read.is_none(), &said.values[..]) {
            (true, []) => return Ok(graph.event_of(id, 0)),
            (false, [text]) => text.trim(),
            (true, _) => return Err(format!("`{}` takes no value", label.name)),
            (false, _) => return Err(format!("`{}` takes a value", label.name)),
        };
        let written = graph.written(said.input);
        let same = |other: &String| other.eq_ignore_ascii_case(text);
        let known = written.iter().position(|other| other == text).or_else(|| written.iter().position(same));
        match (known, &label.read) {
            (Some(value), _) => Ok(graph.event_of(id, value)),
            (None, Some(read)) => {
                let value = caught(|| Ok(read(text))).map_err(|problem| problem.to_string())??;
                Ok(self.hear(id, value))
            }
            (None, None) => Err(format!("unknown value `{text}`; the values are: {}", written.join(", "))),
        }
    }

    /// The first check that is violated here.
    fn wrong(&self) -> Option<Wrong> {
        let node = &self.graph().nodes[self.node().0 as usize];
        let Kind::Collect { slots, checks, .. } = &node.kind else { return None };
        let filled = self.filled();
        let there = |signature: u64| (0..slots.len()).all(|slot| signature >> slot & 1 == 0 || filled[slot] > 0);
        let got = self.got(slots, filled);
        let judged = checks.iter().filter(|check| there(check.signature));
        let violated = judged
            .into_iter()
            .find(|check| matches!(caught(|| Ok((check.condition)(self.data(), &got))), Ok(false)))?;
        let named = slots.iter().enumerate().filter(|(slot, _)| violated.signature >> slot & 1 == 1);
        let inputs = named.map(|(_, label)| label.0 as usize).collect();
        Some(Wrong { check: violated.says.clone(), inputs })
    }

    /// What the present node has received of a label.
    fn given(&self, label: LabelId) -> Option<Vec<String>> {
        let node = &self.graph().nodes[self.node().0 as usize];
        let Kind::Collect { slots, .. } = &node.kind else { return None };
        let slot = slots.iter().position(|slot| *slot == label)?;
        (self.filled()[slot] > 0).then(|| {
            let got = self.got(slots, self.filled());
            got.get(label).map(plain).into_iter().collect()
        })
    }
}

impl<D, V: Debug> Logic for Session<'_, D, V> {
    fn name(&self) -> String {
        self.graph().name.clone()
    }

    fn inputs(&self) -> Vec<Input> {
        let graph = self.graph();
        let input = |(index, label): (usize, &crate::graph::Label<V>)| {
            let kind = match (label.values.is_empty(), label.read.is_some()) {
                (true, false) => None,
                (false, false) => Some(ParamKind::OneOf(graph.written(index))),
                (_, true) => Some(ParamKind::Text),
            };
            let params = kind.map(|kind| Param { name: "value".into(), kind }).into_iter().collect();
            Input { name: label.name.clone(), doc: String::new(), params }
        };
        graph.labels.iter().enumerate().map(input).collect()
    }

    fn reset(&mut self) -> Result<Vec<Happening>, Problem> {
        Service::reset(self)?;
        Ok(Vec::new())
    }

    fn standing(&mut self) -> Result<Standing, Problem> {
        let mut labels: Vec<LabelId> = Vec::new();
        for offer in self.offers()? {
            if !labels.contains(&offer.label) {
                labels.push(offer.label);
            }
        }
        let graph = self.graph();
        let node = &graph.nodes[self.node().0 as usize];
        let prompt = |label: &LabelId| Prompt { input: label.0 as usize, given: self.given(*label) };
        let state = match &graph.shown {
            Some(shown) => caught(|| Ok(shown(self.data())))?,
            None => Vec::new(),
        };
        Ok(Standing {
            place: node.name.clone(),
            ended: matches!(node.kind, Kind::End),
            prompts: labels.iter().map(prompt).collect(),
            wrong: self.wrong(),
            moving: false,
            state,
        })
    }

    fn read(&mut self, said: &Said) -> Result<String, String> {
        let event = self.event(said)?;
        Ok(self.show_event(event))
    }

    fn take(&mut self, said: &Said) -> Result<Reaction, Problem> {
        let event = match self.event(said) {
            Ok(event) => event,
            Err(reason) => return Ok(Reaction::Refused(reason)),
        };
        match self.send(event) {
            Ok(()) => Ok(Reaction::Taken { result: None, happened: Vec::new() }),
            Err(Problem::Refused { .. }) => Ok(Reaction::Refused("this value is not allowed here".into())),
            Err(problem) => Err(problem),
        }
    }
}

/// As a person would write it in a field of its own.
fn plain(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    // Rust writes texts as JSON does, but for rare signs.
    serde_json::from_str::<String>(&text).unwrap_or(text)
}
