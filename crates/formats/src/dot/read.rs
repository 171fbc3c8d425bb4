//! DOT: Mealy machines as the learning tools write them (`s0 -> s1 [label="coin / ok"]`), and the graphs that
//! `interplay explore` draws, where dashed arcs are outputs and dotted ones internal.
//!
//! The first state is the one to which an invisible node points, otherwise the first that is named. Labels without a style
//! may have the marks of `.aut` (`?a`, `!a`, `tau`). What an attribute for all nodes or arcs says counts for those that follow. An
//! HTML label is understood if it is text with one line break, between input and output.

use crate::automaton::{Arc, Automaton, directed};
use crate::input::Input;
use crate::{Malformed, quotable};
use interplay_model::Direction;
use std::collections::BTreeMap;

type Attributes = BTreeMap<String, String>;

/// Stands for an HTML label that is not understood; those of nodes do not matter.
const STRANGE: &str = "\0";

struct Reader<'t> {
    input: Input<'t>,
    /// In the order in which they are met.
    nodes: Vec<(String, Attributes)>,
    edges: Vec<(usize, usize, Attributes, usize)>,
    /// What `node [...]` and `edge [...]` say, the innermost braces last.
    given: Vec<(Attributes, Attributes)>,
}

/// A specification that moves as the machine does.
pub fn read(text: &str, system: &str) -> Result<String, Malformed> {
    let mut reader = Reader { input: Input::new(text), nodes: Vec::new(), edges: Vec::new(), given: Vec::new() };
    reader.graph()?;
    reader.automaton().map(|automaton| automaton.specification(system))
}

impl Reader<'_> {
    fn graph(&mut self) -> Result<(), Malformed> {
        self.blanks()?;
        self.word("strict");
        self.blanks()?;
        if !self.word("digraph") {
            return self.input.wrong("expected `digraph` at the beginning");
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
            false => self.input.wrong("unexpected text after the end of the graph"),
        }
    }

    /// A word of the language, in capital letters or not.
    fn word(&mut self, word: &str) -> bool {
        let rest = self.input.rest();
        let here = rest.get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word));
        let ends = || !rest[word.len()..].starts_with(|each: char| each.is_alphanumeric() || each == '_');
        if here && ends() {
            self.input.take(word.len());
            return true;
        }
        false
    }

    /// Up to the closing brace.
    fn statements(&mut self) -> Result<(), Malformed> {
        self.given.push(Default::default());
        while !self.given.is_empty() {
            self.blanks()?;
            match self.input.peek() {
                None => return self.input.wrong("the graph has no closing brace"),
                Some('}') => {
                    self.input.take(1);
                    self.given.pop();
                    self.blanks()?;
                    if self.input.rest().starts_with("->") {
                        return self
                            .input
                            .wrong("not supported: arcs from several nodes at once; write them one by one");
                    }
                }
                Some(';' | ',') => _ = self.input.take(1),
                Some('{') => self.inner(),
                Some(_) => self.statement()?,
            }
        }
        Ok(())
    }

    /// Braces inside: what was given for all nodes and arcs goes on.
    fn inner(&mut self) {
        self.input.take(1);
        let given = self.given.last().cloned().unwrap_or_default();
        self.given.push(given);
    }

    fn statement(&mut self) -> Result<(), Malformed> {
        if self.word("subgraph") {
            self.blanks()?;
            if self.input.peek() != Some('{') {
                self.name()?;
                self.blanks()?;
            }
            return match self.input.peek() {
                Some('{') => {
                    self.inner();
                    Ok(())
                }
                _ => self.input.wrong("`{` is missing here"),
            };
        }
        if self.for_all()? {
            return Ok(());
        }
        if self.input.peek() == Some('<') {
            return self.input.wrong("not supported: names in angle brackets; use quotation marks");
        }
        let name = self.name()?;
        self.blanks()?;
        if self.input.eat("=") {
            self.blanks()?;
            return self.name().map(|_| ());
        }
        self.port()?;
        let mut path = vec![self.node(name)];
        let start = self.input.at();
        while self.input.eat("->") {
            self.blanks()?;
            if self.input.peek() == Some('{') || self.word("subgraph") {
                return self.input.wrong("not supported: arcs to several nodes at once; write them one by one");
            }
            let next = self.name()?;
            self.blanks()?;
            self.port()?;
            path.push(self.node(next));
        }
        if self.input.rest().starts_with("--") {
            return self.input.wrong("an arc needs a direction: write `->`");
        }
        let attributes = self.attributes()?;
        match path[..] {
            [only] => self.nodes[only].1.extend(attributes),
            _ => {
                let mut all = self.given.last().map(|(_, arcs)| arcs.clone()).unwrap_or_default();
                all.extend(attributes);
                self.edges.extend(path.windows(2).map(|pair| (pair[0], pair[1], all.clone(), start)));
            }
        }
        Ok(())
    }

    /// `node [...]`, `edge [...]`, `graph [...]`: what counts for everything that follows.
    fn for_all(&mut self) -> Result<bool, Malformed> {
        let before = self.input.clone();
        let Some(word) = ["node", "edge", "graph"].into_iter().find(|word| self.word(word)) else { return Ok(false) };
        self.blanks()?;
        if self.input.peek() != Some('[') {
            self.input = before;
            return Ok(false);
        }
        let attributes = self.attributes()?;
        if let Some((nodes, arcs)) = self.given.last_mut() {
            match word {
                "node" => nodes.extend(attributes),
                "edge" => arcs.extend(attributes),
                _ => {}
            }
        }
        Ok(true)
    }

    /// A port says where an arc ends in the picture.
    fn port(&mut self) -> Result<(), Malformed> {
        while self.input.eat(":") {
            self.blanks()?;
            self.name()?;
            self.blanks()?;
        }
        Ok(())
    }

    fn node(&mut self, name: String) -> usize {
        let known = self.nodes.iter().position(|(known, _)| *known == name);
        let given = self.given.last().map(|(nodes, _)| nodes.clone()).unwrap_or_default();
        known.unwrap_or_else(|| {
            self.nodes.push((name, given));
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
                            self.value(&key)?
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

    /// A word, a number, texts in quotation marks (joined by `+`), or one in angle brackets.
    fn name(&mut self) -> Result<String, Malformed> {
        match self.input.peek() {
            Some('"') => {
                let mut text = self.input.string()?;
                loop {
                    let before = self.input.clone();
                    self.blanks()?;
                    if !self.input.eat("+") {
                        self.input = before;
                        break;
                    }
                    self.blanks()?;
                    text += &self.input.string()?;
                }
                // A line may be continued; other line breaks are those of the picture.
                Ok(text.replace("\\\r\n", "").replace("\\\n", ""))
            }
            Some('<') => self.bracketed(),
            _ => {
                let word = self.input.take_while(|each| each.is_alphanumeric() || matches!(each, '_' | '.'));
                match word.is_empty() {
                    true => self.input.wrong("a name is missing here"),
                    false => Ok(word.to_string()),
                }
            }
        }
    }

    /// HTML, as it is written.
    fn bracketed(&mut self) -> Result<String, Malformed> {
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

    /// The value of an attribute; an HTML label as the plain one that says the same.
    fn value(&mut self, key: &str) -> Result<String, Malformed> {
        let html = self.input.peek() == Some('<');
        let text = self.name()?;
        Ok(match (html, key == "label") {
            (true, true) => plain(&text).unwrap_or_else(|| STRANGE.into()),
            (false, true) => text.replace("\\n", " ").replace("\\l", " ").replace("\\r", " "),
            _ => text,
        })
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
                    None => return self.input.wrong("this comment is not closed"),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn automaton(&self) -> Result<Automaton, Malformed> {
        let styled = self.edges.iter().any(|(_, _, attributes, _)| drawn(attributes).is_some());
        let mut split = Vec::new();
        for (_, _, attributes, at) in &self.edges {
            let label = attributes.get("label").map_or("", String::as_str).trim();
            if label == STRANGE {
                let help = "not supported: this HTML label; write `label=\"input / output\"`";
                return self.input.wrong_at(*at, help);
            }
            split.push(if styled { (label.to_string(), None) } else { self.divided(label, *at)? });
        }
        let mealy = split.iter().any(|(_, emits)| emits.is_some());
        let (mut starts, mut arcs) = (Vec::new(), Vec::new());
        for ((from, to, attributes, at), (label, emits)) in self.edges.iter().zip(split) {
            if self.points(*from) {
                if !label.is_empty() {
                    return self.input.wrong_at(*at, "the arc that marks the initial state must have no label");
                }
                starts.push(*to);
                continue;
            }
            if label.is_empty() {
                return self.input.wrong_at(*at, "this arc has no label");
            }
            if mealy && emits.is_none() {
                return self.input.wrong_at(*at, format!("`{label}` has no output: write `{label} / output`"));
            }
            let (label, direction) = match drawn(attributes) {
                Some(direction) => (label, direction),
                None if mealy || styled => (label, Direction::Input),
                None => directed(&label, &["tau", "τ"]),
            };
            arcs.push(Arc { from: *from, to: *to, label, direction, emits });
        }
        let states: Vec<usize> = (0..self.nodes.len()).filter(|index| !self.points(*index)).collect();
        if states.is_empty() {
            return self.input.wrong("the graph has no states");
        }
        let start = match starts[..] {
            [] => states[0],
            [only] => only,
            _ => return self.input.wrong("the graph has several initial states, but only one is supported"),
        };
        let number = |node: usize| states.iter().position(|state| *state == node).unwrap_or(0);
        let arcs = arcs.into_iter().map(|arc| Arc { from: number(arc.from), to: number(arc.to), ..arc });
        let names = states.iter().map(|state| quotable(&self.nodes[*state].0));
        Ok(Automaton { names: names.collect(), start: number(start), arcs: arcs.collect() })
    }

    /// A node that nobody sees: it only points to the first state.
    fn points(&self, index: usize) -> bool {
        let (name, attributes) = &self.nodes[index];
        let shape = attributes.get("shape").map(String::as_str);
        let hidden = name.starts_with("__start") || matches!(shape, Some("none" | "point" | "plaintext"));
        hidden && !self.edges.iter().any(|(_, to, ..)| *to == index)
    }

    /// `coin / ok`: what comes in, and what comes out.
    fn divided(&self, label: &str, at: usize) -> Result<(String, Option<String>), Malformed> {
        let spaced = label.matches(" / ").count();
        let mark = match (spaced, label.matches('/').count()) {
            (_, 0) => return Ok((label.into(), None)),
            (1, _) => " / ",
            (0, 1) => "/",
            _ => {
                let why = format!("`{label}` is ambiguous: write one ` / ` between input and output");
                return self.input.wrong_at(at, why);
            }
        };
        let (input, output) = label.split_once(mark).unwrap_or((label, ""));
        Ok((input.trim().into(), Some(output.trim().into())))
    }
}

/// What the style of an arc says, as `interplay explore` draws it.
fn drawn(attributes: &Attributes) -> Option<Direction> {
    match attributes.get("style").map(String::as_str) {
        Some("dashed") => Some(Direction::Output),
        Some("dotted") => Some(Direction::Internal),
        _ => None,
    }
}

/// HTML of one or two lines of text, as `input / output`; `None` if there is more in it.
fn plain(html: &str) -> Option<String> {
    let mut lines = vec![String::new()];
    let mut rest = html;
    while let Some(each) = rest.chars().next() {
        let last = lines.last_mut()?;
        match each {
            '<' => {
                let (tag, after) = rest[1..].split_once('>')?;
                if !tag.trim_end_matches('/').trim().eq_ignore_ascii_case("br") {
                    return None;
                }
                lines.push(String::new());
                rest = after;
            }
            '&' => {
                let (entity, after) = rest[1..].split_once(';')?;
                last.push(match entity {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "apos" | "#39" => '\'',
                    "nbsp" | "#160" => ' ',
                    _ => return None,
                });
                rest = after;
            }
            _ => {
                last.push(each);
                rest = &rest[each.len_utf8()..];
            }
        }
    }
    match &lines[..] {
        [only] => Some(only.trim().to_string()),
        [input, output] if !html.contains('/') || !input.contains('/') && !output.contains('/') => {
            Some(format!("{} / {}", input.trim(), output.trim()))
        }
        _ => None,
    }
}
