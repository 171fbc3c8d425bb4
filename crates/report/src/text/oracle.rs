//! What `oracle` tells: the automaton of each property, and what the properties say about each other.

use crate::{Colour, diagnostics, escape};
use interplay_answers::Findings;
use interplay_answers::{OracleOf, Oracles};
use interplay_diagnostics::{Sources, amount};

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
        (Some(steps), false) => said.push(format!("broken after {} at the earliest", amount(steps, "step"))),
        (Some(steps), true) => said.push(format!("shown after {} at the earliest", amount(steps, "step"))),
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
