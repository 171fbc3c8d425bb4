//! What `oracle` tells: the automaton of each property, and what the properties say about each other.

use crate::{Colour, diagnostics, escape};
use interplay_answers::Findings;
use interplay_answers::{OracleOf, Oracles};
use interplay_diagnostics::{Sources, amount, form};

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
        text += "the specification has no properties\n";
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
    let wide = |states: usize| format!("{states:3} {}", form(states, "state"));
    let mut said = vec![match (&property.parts[..], property.without_automaton) {
        ([one], 0) => format!("{}, {}", wide(one.states), amount(one.edges, "edge")),
        ([], 0) => "an observer, used as written".into(),
        ([], _) => "no automaton: monitored in constant memory".into(),
        (parts, 0) => format!("{}, {} of {}", wide(property.states()), amount(parts.len(), "oracle"), sizes.join(", ")),
        (_, without) => format!("{}, and {} without an automaton", wide(property.states()), amount(without, "part")),
    }];
    match (property.shortest(), property.possible) {
        (Some(steps), false) => said.push(format!("earliest violation after {}", amount(steps, "step"))),
        (Some(steps), true) => said.push(format!("earliest witness after {}", amount(steps, "step"))),
        (None, _) => {}
    }
    if !property.instances.is_empty() {
        said.push(format!("one instance per {}", escape(&property.instances.join(", "))));
    }
    if property.class != "safety" {
        said.push(format!("a {} property, which `explore` decides", property.class));
    }
    if property.timed {
        said.push("uses clocks".into());
    }
    said.join("; ")
}
