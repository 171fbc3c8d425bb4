//! A graph as it is to be drawn.

use interplay_answers::{ArcKind, Ending, Extent, NodeKind, Picture, PictureArc, PictureGroup, PictureNode};
use interplay_explore::{ArcKind as Kind, Graph, Node};
use std::collections::BTreeMap;

/// The graph as something that can be drawn.
pub fn picture(title: &str, graph: &Graph) -> Picture {
    let names = graph.nodes.iter().filter_map(|node| node.group.as_deref());
    let numbers = names.fold(BTreeMap::new(), |mut numbers, name| {
        let next = numbers.len();
        numbers.entry(name).or_insert(next);
        numbers
    });
    let mut groups: Vec<(&str, usize)> = numbers.iter().map(|(name, number)| (*name, *number)).collect();
    groups.sort_by_key(|(_, number)| *number);
    let node = |(index, node): (usize, &Node)| PictureNode {
        name: node.waited.map_or_else(|| format!("S{index}"), |first| format!("S{first}'")),
        lines: node.lines.clone(),
        kind: if node.passive { NodeKind::Passive } else { NodeKind::Active },
        ending: ending(node),
        group: node.group.as_deref().map(|name| numbers[name]),
    };
    let arc = |arc: &interplay_explore::Arc| PictureArc {
        from: arc.from,
        to: arc.to,
        label: arc.label.clone(),
        kind: match arc.kind {
            Kind::Input => ArcKind::Input,
            Kind::Output => ArcKind::Output,
            Kind::Internal => ArcKind::Internal,
            Kind::Timeout => ArcKind::Timeout,
        },
    };
    Picture {
        title: title.into(),
        nodes: graph.nodes.iter().enumerate().map(node).collect(),
        arcs: graph.arcs.iter().map(arc).collect(),
        groups: groups.into_iter().map(|(name, _)| PictureGroup { name: name.into(), inside: None }).collect(),
        initial: (0..graph.nodes.len()).filter(|index| graph.nodes[*index].initial).collect(),
        extent: if graph.complete { Extent::Complete } else { Extent::Partial },
    }
}

fn ending(node: &Node) -> Ending {
    match (node.terminal, node.accepting) {
        (false, false) => Ending::Open,
        (false, true) => Ending::Accepting,
        (true, true) => Ending::Final,
        (true, false) => Ending::Stuck,
    }
}
