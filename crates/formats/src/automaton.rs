//! States with labelled arcs, wherever they come from, written as a specification.

use crate::{quotable, system_name};
use interplay_model::Direction;
use interplay_semantics::show_name;
use std::collections::{BTreeMap, BTreeSet};

/// States with labelled arcs.
#[derive(Default)]
pub(super) struct Automaton {
    /// By number.
    pub(super) names: Vec<String>,
    pub(super) start: usize,
    pub(super) arcs: Vec<Arc>,
}

pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: String,
    pub(super) direction: Direction,
    /// In a Mealy machine: what comes out.
    pub(super) emits: Option<String>,
}

/// What the marks say, and which labels stand for what happens inside.
pub(super) fn directed(text: &str, internal: &[&str]) -> (String, Direction) {
    let marked = |mark: char| {
        let rest = text.strip_prefix(mark).or_else(|| text.strip_suffix(mark)).map(str::trim);
        rest.filter(|rest| !rest.is_empty())
    };
    match (marked('?'), marked('!')) {
        (Some(rest), _) => (rest.into(), Direction::Input),
        (_, Some(rest)) => (rest.into(), Direction::Output),
        _ if internal.contains(&text) => ("tau".into(), Direction::Internal),
        _ => (text.into(), Direction::Input),
    }
}

/// Names that differ even where what cannot be written was replaced.
fn apart(names: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut apart = Vec::new();
    for plain in names {
        let mut all = std::iter::once(plain.clone()).chain((2..).map(|number| format!("{plain} {number}")));
        let name = all.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(name.clone());
        apart.push(name);
    }
    apart
}

impl Automaton {
    /// A label that comes in several directions gets a name for each.
    pub(super) fn specification(&self, system: &str) -> String {
        let mealy = self.arcs.iter().any(|arc| arc.emits.is_some());
        let emitted = self.arcs.iter().filter_map(|arc| arc.emits.as_ref().filter(|text| !text.is_empty()));
        let used = self.arcs.iter().map(|arc| (&arc.label, arc.direction));
        let used: BTreeSet<_> = used.chain(emitted.map(|text| (text, Direction::Output))).collect();
        let mut names: BTreeMap<(&String, Direction), String> = BTreeMap::new();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (label, direction) in used {
            let plain = quotable(label);
            let mut name = plain.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{plain} {number}");
                number += 1;
            }
            names.insert((label, direction), show_name(&name));
        }
        let mut text = format!("system {}{}\n\n", system_name(system), if mealy { " reactive" } else { "" });
        for (word, direction) in
            [("input", Direction::Input), ("output", Direction::Output), ("internal", Direction::Internal)]
        {
            let own = names.iter().filter(|((_, own), _)| *own == direction).map(|(_, name)| name.as_str());
            let own: Vec<&str> = own.collect();
            if !own.is_empty() {
                text += &format!("{word} {}\n", own.join(", "));
            }
        }
        let places: Vec<String> = apart(&self.names).iter().map(|name| show_name(name)).collect();
        text += &format!("\nstart {}\n", places.get(self.start).map_or("S0", String::as_str));
        for (state, place) in places.iter().enumerate() {
            text += &format!("\nat {place} {{\n");
            let rules = self.arcs.iter().filter(|arc| arc.from == state).map(|arc| {
                let emits = arc.emits.as_ref().and_then(|emits| names.get(&(emits, Direction::Output)));
                let block = emits.map_or(String::new(), |name| format!(" {{ emit {name} }}"));
                format!("    on {}{block} -> {}\n", names[&(&arc.label, arc.direction)], places[arc.to])
            });
            // The same arc twice is one.
            text.extend(rules.collect::<BTreeSet<String>>());
            text += "}\n";
        }
        text
    }
}
