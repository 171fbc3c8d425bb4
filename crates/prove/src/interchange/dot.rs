//! DOT: Mealy machines as the learning tools write them (`s0 -> s1 [label="coin / ok"]`), and the graphs that
//! `interplay explore` draws, where dashed arcs are outputs and dotted ones internal.
//!
//! The first state is the one to which an invisible node points, otherwise the first that is named.

use super::automaton::{Arc, Automaton};
use super::input::Input;
use super::{Malformed, quotable};
use interplay_model::Direction;
use std::collections::BTreeMap;

type Attributes = BTreeMap<String, String>;

struct Reader<'t> {
    input: Input<'t>,
    /// In the order in which they are met.
    nodes: Vec<(String, Attributes)>,
    edges: Vec<(usize, usize, Attributes, usize)>,
}

/// A specification that moves as the machine does.
pub fn dot(text: &str, system: &str) -> Result<String, Malformed> {
    let mut reader = Reader { input: Input::new(text), nodes: Vec::new(), edges: Vec::new() };
    reader.graph()?;
    reader.automaton().map(|automaton| automaton.specification(system))
}

impl Reader<'_> {
    fn graph(&mut self) -> Result<(), Malformed> {
        self.blanks()?;
        self.input.eat("strict");
        self.blanks()?;
        if !self.input.eat("digraph") {
            return self.input.wrong("a machine begins with `digraph`");
        }
        self.blanks()?;
        if self.input.peek() != Some('{') {
            self.name()?;
            self.blanks()?;
        }
        self.input.expect("{")?;
        self.statements()?;
        self.blanks()?;
        match self.input.rest().is_empty() {
            true => Ok(()),
            false => self.input.wrong("there is more after the end of the graph"),
        }
    }

    /// Up to the closing brace.
    fn statements(&mut self) -> Result<(), Malformed> {
        let mut open = 1;
        while open > 0 {
            self.blanks()?;
            match self.input.peek() {
                None => return self.input.wrong("the graph has no closing brace"),
                Some('}') => {
                    self.input.take(1);
                    open -= 1;
                }
                Some(';' | ',') => _ = self.input.take(1),
                Some('{') => {
                    self.input.take(1);
                    open += 1;
                }
                Some(_) => self.statement(&mut open)?,
            }
        }
        Ok(())
    }

    fn statement(&mut self, open: &mut usize) -> Result<(), Malformed> {
        let name = self.name()?;
        self.blanks()?;
        match name.as_str() {
            "subgraph" => {
                if self.input.peek() != Some('{') {
                    self.name()?;
                    self.blanks()?;
                }
                self.input.expect("{")?;
                *open += 1;
                return Ok(());
            }
            "node" | "edge" | "graph" if self.input.peek() == Some('[') => return self.attributes().map(|_| ()),
            _ => {}
        }
        if self.input.eat("=") {
            self.blanks()?;
            return self.name().map(|_| ());
        }
        let mut path = vec![self.node(name)];
        let at = self.input.at();
        while self.input.eat("->") {
            self.blanks()?;
            let next = self.name()?;
            path.push(self.node(next));
            self.blanks()?;
        }
        if self.input.rest().starts_with("--") {
            return self.input.wrong("arcs have a direction: write `->`");
        }
        let attributes = self.attributes()?;
        match path[..] {
            [only] => self.nodes[only].1.extend(attributes),
            _ => self.edges.extend(path.windows(2).map(|pair| (pair[0], pair[1], attributes.clone(), at))),
        }
        Ok(())
    }

    fn node(&mut self, name: String) -> usize {
        let known = self.nodes.iter().position(|(known, _)| *known == name);
        known.unwrap_or_else(|| {
            self.nodes.push((name, Attributes::new()));
            self.nodes.len() - 1
        })
    }

    fn attributes(&mut self) -> Result<Attributes, Malformed> {
        let mut found = Attributes::new();
        self.blanks()?;
        while self.input.eat("[") {
            loop {
                self.blanks()?;
                match self.input.peek() {
                    None => return self.input.wrong("`]` is missing here"),
                    Some(']') => {
                        self.input.take(1);
                        break;
                    }
                    Some(',' | ';') => _ = self.input.take(1),
                    Some(_) => {
                        let key = self.name()?;
                        self.blanks()?;
                        let value = if self.input.eat("=") {
                            self.blanks()?;
                            self.name()?
                        } else {
                            "true".into()
                        };
                        found.insert(key, value);
                    }
                }
            }
            self.blanks()?;
        }
        Ok(found)
    }

    /// A word, a number, a text in quotation marks, or one in angle brackets.
    fn name(&mut self) -> Result<String, Malformed> {
        match self.input.peek() {
            Some('"') => self.input.string(),
            Some('<') => {
                let start = self.input.at();
                let mut depth = 0;
                let mut text = String::new();
                while let Some(each) = self.input.peek() {
                    depth += i32::from(each == '<') - i32::from(each == '>');
                    text.push_str(self.input.take(each.len_utf8()));
                    if depth == 0 {
                        return Ok(text[1..text.len() - 1].to_string());
                    }
                }
                self.input.wrong_at(start, "this text has no closing bracket")
            }
            _ => {
                let word = self.input.take_while(|each| each.is_alphanumeric() || matches!(each, '_' | '.'));
                match word.is_empty() {
                    true => self.input.wrong("a name is missing here"),
                    false => {
                        // A port says where an arc ends in the picture.
                        if self.input.eat(":") {
                            self.name()?;
                        }
                        Ok(word.to_string())
                    }
                }
            }
        }
    }

    /// White space and comments.
    fn blanks(&mut self) -> Result<(), Malformed> {
        loop {
            self.input.skip_blanks();
            if self.input.rest().starts_with("//") || self.input.rest().starts_with('#') {
                self.input.take_while(|each| each != '\n');
            } else if self.input.rest().starts_with("/*") {
                match self.input.rest().find("*/") {
                    Some(end) => _ = self.input.take(end + 2),
                    None => return self.input.wrong("this comment has no end"),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn automaton(&self) -> Result<Automaton, Malformed> {
        let mealy = self.edges.iter().any(|(_, _, attributes, _)| split(attributes).1.is_some());
        let points = |index: usize| {
            let (name, attributes) = &self.nodes[index];
            let shape = attributes.get("shape").map(String::as_str);
            name.starts_with("__start") || matches!(shape, Some("none" | "point" | "plaintext"))
        };
        let mut starts = Vec::new();
        let mut arcs = Vec::new();
        for (from, to, attributes, at) in &self.edges {
            if points(*from) {
                starts.push(*to);
                continue;
            }
            let (label, emits) = split(attributes);
            let direction = match attributes.get("style").map(String::as_str) {
                _ if mealy => Direction::Input,
                Some("dashed") => Direction::Output,
                Some("dotted") => Direction::Internal,
                _ => Direction::Input,
            };
            match (mealy, &emits) {
                _ if label.is_empty() => return self.input.wrong_at(*at, "this arc has no label"),
                (true, None) => {
                    return self.input.wrong_at(*at, format!("`{label}` has no output: write `{label} / output`"));
                }
                _ => arcs.push(Arc { from: *from, to: *to, label, direction, emits }),
            }
        }
        let states: Vec<usize> = (0..self.nodes.len()).filter(|index| !points(*index)).collect();
        if states.is_empty() {
            return self.input.wrong("there are no states");
        }
        let start = match starts[..] {
            [] => states[0],
            [only] => only,
            _ => return self.input.wrong("a machine has one first state, but there are several"),
        };
        let number = |node: usize| states.iter().position(|state| *state == node).unwrap_or(0);
        let arcs = arcs.into_iter().map(|arc| Arc { from: number(arc.from), to: number(arc.to), ..arc });
        let names = states.iter().map(|state| quotable(&self.nodes[*state].0));
        Ok(Automaton { names: names.collect(), start: number(start), arcs: arcs.collect() })
    }
}

/// `coin / ok`: what comes in, and what comes out.
fn split(attributes: &Attributes) -> (String, Option<String>) {
    let label = attributes.get("label").map_or("", String::as_str).trim();
    match label.split_once('/') {
        Some((input, output)) => (input.trim().into(), Some(output.trim().into())),
        None => (label.into(), None),
    }
}
