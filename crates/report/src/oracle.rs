//! What `oracle` tells: the automaton of each property, and what the properties say about each other.

use crate::{Colour, Findings, diagnostics, escape, json};
use interplay_diagnostics::{Diagnostic, Sources};
use serde_json::{Value, json as value};

const SCHEMA: u32 = 1;

#[derive(Clone, Debug)]
pub struct Oracles {
    pub system: String,
    /// The properties that all others may rely on.
    pub assuming: Vec<String>,
    pub properties: Vec<OracleOf>,
    /// What has no oracle, and why.
    pub refused: Vec<Diagnostic>,
    pub remarks: Vec<OracleRemark>,
}

#[derive(Clone, Debug)]
pub struct OracleOf {
    pub name: String,
    pub doc: String,
    /// Asks for a run that shows it.
    pub possible: bool,
    /// The variables of `for every` in front, each of whose values is watched by itself.
    pub instances: Vec<String>,
    pub timed: bool,
    /// Conjuncts with an automaton of their own.
    pub parts: Vec<OraclePart>,
    /// Conjuncts about the past whose automaton would be too large; they run in constant memory without one.
    pub without_automaton: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OraclePart {
    /// With the violation.
    pub states: usize,
    pub edges: usize,
    pub safe: usize,
    /// The number of steps of the shortest violation; `None` if no run breaks it.
    pub shortest: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleRemark {
    pub property: String,
    /// A word for programs.
    pub kind: &'static str,
    pub message: String,
}

impl OracleOf {
    /// The states of the largest automaton.
    pub fn states(&self) -> usize {
        self.parts.iter().map(|part| part.states).max().unwrap_or(0)
    }

    fn shortest(&self) -> Option<u32> {
        self.parts.iter().filter_map(|part| part.shortest).min()
    }
}

pub fn oracles_text(sources: &Sources, oracles: &Oracles, colour: Colour) -> String {
    let width = oracles.properties.iter().map(|each| each.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for property in &oracles.properties {
        let assuming = match oracles.assuming.contains(&property.name) {
            true => "; assumed by the others".into(),
            false if oracles.assuming.is_empty() => String::new(),
            false => format!("; assuming {}", escape(&oracles.assuming.join(", "))),
        };
        text += &format!("{:width$}  {}{assuming}\n", escape(&property.name), sentence(property));
    }
    if oracles.properties.is_empty() && oracles.refused.is_empty() {
        text += "there is no property\n";
    }
    for remark in &oracles.remarks {
        text += &format!("note: {} {}\n", escape(&remark.property), escape(&remark.message));
    }
    if !oracles.refused.is_empty() {
        text += &diagnostics(&Findings::new(sources, &oracles.refused), colour);
    }
    text
}

fn sentence(property: &OracleOf) -> String {
    let sizes: Vec<String> = property.parts.iter().map(|part| part.states.to_string()).collect();
    let mut said = vec![match (&property.parts[..], property.without_automaton) {
        ([one], 0) => format!("{:3} states, {} edges", one.states, one.edges),
        ([], 0) => "an observer, watched as it is written".into(),
        ([], _) => "watched in constant memory, without an automaton".into(),
        (parts, 0) => format!("{:3} states, {} oracles of {}", property.states(), parts.len(), sizes.join(", ")),
        (_, without) => format!("{:3} states, and {without} parts without an automaton", property.states()),
    }];
    match (property.shortest(), property.possible) {
        (Some(1), false) => said.push("broken after 1 step at the earliest".into()),
        (Some(steps), false) => said.push(format!("broken after {steps} steps at the earliest")),
        (Some(steps), true) => said.push(format!("shown after {steps} steps at the earliest")),
        (None, _) => {}
    }
    if !property.instances.is_empty() {
        said.push(format!("one for each {}", escape(&property.instances.join(", "))));
    }
    if property.timed {
        said.push("with clocks".into());
    }
    said.join("; ")
}

pub fn oracles_json(sources: &Sources, oracles: &Oracles) -> Value {
    let part = |part: &OraclePart| value!({ "states": part.states, "edges": part.edges, "safe": part.safe, "shortest": part.shortest });
    let property = |property: &OracleOf| {
        value!({
            "name": property.name,
            "doc": property.doc,
            "states": property.states(),
            "oracles": property.parts.iter().map(part).collect::<Vec<_>>(),
            "without_automaton": property.without_automaton,
            "kind": if property.possible { "possible" } else { "never" },
            "instances": property.instances,
            "timed": property.timed,
            "shortest": property.shortest(),
        })
    };
    let remark =
        |remark: &OracleRemark| value!({ "property": remark.property, "kind": remark.kind, "message": remark.message });
    value!({
        "schema": SCHEMA,
        "system": oracles.system,
        "assuming": oracles.assuming,
        "properties": oracles.properties.iter().map(property).collect::<Vec<_>>(),
        "remarks": oracles.remarks.iter().map(remark).collect::<Vec<_>>(),
        "refused": json(&Findings::new(sources, &oracles.refused))["diagnostics"],
    })
}
