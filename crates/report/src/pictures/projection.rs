//! A picture too large to look at, seen through one variable: all states with the same value become one.
//!
//! A way through the projection need not be a way of the system: whoever shows it must say so.

use crate::pictures::graph::{action, one_line, shortened};
use interplay_answers::{Ending, NodeKind, Picture, PictureArc, PictureNode};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A projection with more values than this explains nothing.
const MOST_VALUES: usize = 300;
const MOST_PROJECTIONS: usize = 12;

pub(crate) struct Projection {
    pub(crate) by: String,
    pub(crate) picture: Picture,
}

/// One for each variable that has a readable number of values, those with the fewest first; the grouping before all.
pub(crate) fn projections(picture: &Picture) -> Vec<Projection> {
    let mut values: BTreeMap<&str, Column<'_>> = BTreeMap::new();
    for (index, node) in picture.nodes.iter().enumerate() {
        for (name, value) in node.lines.iter().filter_map(|line| variable(line)) {
            values.entry(name).or_insert_with(|| Column::new(picture.nodes.len())).put(index, value);
        }
    }
    let mut columns: Vec<(&str, Column<'_>)> = values.into_iter().filter(|(_, column)| column.is_readable()).collect();
    columns.sort_by_key(|(_, column)| column.values.len());
    let grouping = Some((None, groups(picture))).filter(|(_, column)| column.is_readable());
    let columns = columns.into_iter().map(|(name, column)| (Some(name), column));
    let chosen = grouping.into_iter().chain(columns).take(MOST_PROJECTIONS);
    let projection = |(name, column): (Option<&str>, Column<'_>)| Projection {
        by: one_line(name.unwrap_or("the grouping")),
        picture: project(picture, name, &column),
    };
    chosen.map(projection).collect()
}

/// `open = false`, `open is unset`, `at Idle`, `observer Watch at Waiting`, and a field `open: false,` of a Rust value.
fn variable(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_end_matches(',');
    if let Some(place) = line.strip_prefix("at ") {
        return Some(("at", place));
    }
    if let Some(observer) = line.strip_suffix(" is unset") {
        return Some((observer, "unset"));
    }
    let found = [" = ", ": ", " at "].iter().find_map(|between| line.split_once(between));
    found.filter(|(name, _)| !name.is_empty() && name.chars().count() <= 60)
}

/// The value that each state has in one variable.
struct Column<'a> {
    values: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
    of: Vec<Option<usize>>,
}

impl<'a> Column<'a> {
    fn new(states: usize) -> Column<'a> {
        Column { values: Vec::new(), numbers: HashMap::new(), of: vec![None; states] }
    }

    fn put(&mut self, state: usize, value: &'a str) {
        let number = *self.numbers.entry(value).or_insert(self.values.len());
        if number == self.values.len() {
            self.values.push(value);
        }
        self.of[state] = Some(number);
    }

    fn is_readable(&self) -> bool {
        (2..=MOST_VALUES).contains(&self.values.len()) && self.values.len() < self.of.len()
    }
}

fn groups(picture: &Picture) -> Column<'_> {
    let mut column = Column::new(picture.nodes.len());
    for (index, node) in picture.nodes.iter().enumerate() {
        if let Some(group) = picture.around(node.group).last() {
            column.put(index, &picture.groups[group].name);
        }
    }
    column
}

/// States without a value stand together in one more.
fn project(picture: &Picture, name: Option<&str>, column: &Column<'_>) -> Picture {
    let some_lack_it = column.of.contains(&None);
    let shown = column.values.iter().copied().chain(some_lack_it.then_some("(no value)"));
    let seen_as: Vec<usize> = column.of.iter().map(|value| value.unwrap_or(column.values.len())).collect();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); column.values.len() + usize::from(some_lack_it)];
    for (state, class) in seen_as.iter().enumerate() {
        members[*class].push(state);
    }
    let nodes = shown.zip(&members).map(|(value, members)| class(picture, name, value, members)).collect();
    let mut known = HashSet::new();
    let arcs = picture.arcs.iter().map(|arc| PictureArc {
        from: seen_as[arc.from],
        to: seen_as[arc.to],
        label: if arc.label.is_empty() { String::new() } else { action(arc) },
        kind: arc.kind,
    });
    let arcs = arcs.filter(|arc| known.insert((arc.from, arc.to, arc.kind, arc.label.clone()))).collect();
    let mut initial: Vec<usize> = picture.initial.iter().map(|state| seen_as[*state]).collect();
    initial.sort_unstable();
    initial.dedup();
    Picture { title: picture.title.clone(), nodes, arcs, groups: Vec::new(), initial, extent: picture.extent }
}

fn class(picture: &Picture, name: Option<&str>, value: &str, members: &[usize]) -> PictureNode {
    let count = match members.len() {
        1 => "1 state".to_string(),
        many => format!("{many} states"),
    };
    let states = || members.iter().map(|member| &picture.nodes[*member]);
    let first = &picture.nodes[members[0]].name;
    let passive = states().any(|node| node.kind == NodeKind::Passive);
    let stuck = states().any(|node| node.ending == Ending::Stuck);
    let accepting = states().any(|node| matches!(node.ending, Ending::Accepting | Ending::Final));
    PictureNode {
        name: name.map_or_else(|| value.to_string(), |name| format!("{name} = {}", shortened(value, 60))),
        lines: vec![count, format!("the first is {first}")],
        kind: if passive { NodeKind::Passive } else { NodeKind::Active },
        ending: match (stuck, accepting) {
            (true, _) => Ending::Stuck,
            (false, true) => Ending::Accepting,
            (false, false) => Ending::Open,
        },
        group: None,
    }
}

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn every_form_of_a_line_is_a_variable() {
        assert_eq!(variable("open = false"), Some(("open", "false")));
        assert_eq!(variable("text = \"a = b\""), Some(("text", "\"a = b\"")));
        assert_eq!(variable("open is unset"), Some(("open", "unset")));
        assert_eq!(variable("at Idle"), Some(("at", "Idle")));
        assert_eq!(variable("observer Watch at Waiting"), Some(("observer Watch", "Waiting")));
        assert_eq!(variable("    open: false,"), Some(("open", "false")));
        assert_eq!(variable("State {"), None);
    }
}
